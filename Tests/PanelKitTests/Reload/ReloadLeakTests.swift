import Glibc
import HardwareDrivers
import HardwarePlatform
import TestSupport
import Testing

@testable import HardwareSimulation
@testable import PanelEngine
@testable import PanelKit
@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelRun

/// A panel with everything that a reload ends and begins anew: commands from outside, a broker, Open Sound Control,
/// sounds, a sensor, kept values.
private let fullPanel = """
  panel: Full
  inputs:
    bell: { button: GPIO17 }
    knob: { encoder: [ GPIO5, GPIO6 ] }
    heat: { sensor: { w1: 28-0316a2795fff, unit: °C }, min: 0, max: 100 }
  outputs:
    lamp: { led: GPIO23 }
    fan: { relay: GPIO24 }
  sounds: { hum: { tone: 440Hz, for: 1s }, ding: { file: ding.wav } }
  values:
    level: { initial: 3, min: 0, max: 10, keep: true }
  accept: { press: [ bell ], set: [ level ], turn: [ knob ], event: [ light ] }
  mqtt: { publish: all, discovery: homeassistant }
  osc: { send: [ "127.0.0.1:19001" ], publish: all, accept: "127.0.0.1:9000" }
  initial: dark
  states:
    dark: { on: { bell.pressed: lit, network.light: lit } }
    lit: { show: { lamp: on, fan: on }, play: [ hum, ding ], on: { bell.released: dark } }

  """

private final class Witness {
  weak var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}

/// The panels of the examples that this command reads, and one with everything.
private let files =
  TestPlan(["\(checkoutRoot)/Examples"]).suites.map(\.panel).filter { !$0.contains("/ColourLamp/") }

/// Each panel, and how often it is reloaded; the one with everything has no file.
private let panels: [(file: String, times: Int)] = files.map { (file: $0, times: 10) } + [(file: "", times: 100)]

@Suite("Reload leak: a reload lets go of the panel before it")
struct ReloadLeakTests {
  @Test("of a panel that is reloaded again and again one lives", arguments: panels)
  func instances(file: String, times: Int) throws {
    try withFiles { folder in
      save(WAVBytes(data: [UInt8](repeating: 0, count: 9600)).bytes, at: "\(folder)/ding.wav")
      let text = file.isEmpty ? Array(fullPanel.utf8) : try PanelFile.text(path: file)
      let panel = try PanelFile.read(
        text, file: file, folder: file.isEmpty ? folder : PanelFile.folder(of: file))
      let session = try PanelSession(
        panel, on: Platform(.simulated), waitsForLines: true, keepsObservations: false, isReloadable: true)
      try session.start()
      defer { session.stop() }
      var witnesses: [Witness] = []
      for _ in 0..<times {
        witnesses += objects(of: session).map(Witness.init)
        _ = try session.reload(to: panel, sounds: session.settings.sounds)
        try session.bench.settle()
      }
      let living = witnesses.compactMap(\.object).map { "\(type(of: $0))".prefix(40) }
      #expect(living == [], "\(living.count) of \(witnesses.count)")
    }
  }

  @Test("hardware that stays has no listeners of devices that a reload has replaced")
  func listeners() throws {
    func text(_ number: Int) -> String {
      let (other, hertz) = (number % 2 == 0, 50 + number % 2 * 50)
      return """
        panel: P
        chips:
          drive: { pwm: pca9685, frequency: \(hertz)Hz }
          out: { shift-register: { data: GPIO5, clock: GPIO6, latch: GPIO13 } }
        inputs:
          pad: { keypad: { rows: [GPIO16, GPIO17], columns: [GPIO18, GPIO19] }, debounce: \(other ? 10 : 20)ms }
          far: { sensor: { distance: [GPIO20, GPIO21] }, min: 0, max: \(other ? 100 : 200) }
        outputs:
          lamp: { led: drive.0 }
          one: { led: out.Q0 }
          time: { digits: { tm1637: [GPIO22, GPIO23] } }
          screen:
            display: { rs: GPIO7, e: GPIO8, data: [GPIO9, GPIO10, GPIO11, GPIO12] }
            size: \(other ? "16x2" : "20x4")
          heat: { level: { sheet: mcp4725, i2c: \(other ? "0x60" : "0x61") } }
        initial: s
        states: { s: { show: { lamp: on, one: on, time: "12", screen: Hello, heat: 1 } } }

        """
    }
    let stage = try ReloadStage(text(0))
    let platform = stage.session.platform
    let lines = stage.chip.lines
    let channel = try #require(platform.simulated(at: PWMPort(.chip("1-0040", channel: 0))))
    var counts: [Int] = []
    for number in 1...12 {
      try stage.reload(text(number))
      try stage.session.bench.advance(by: .seconds(3))
      counts.append(
        lines.reduce(channel.listeners.all.count + stage.chip.accessListeners.all.count) {
          $0 + $1.listeners.all.count
        })
    }
    #expect(counts.suffix(8).max()! <= counts.prefix(4).max()!, "\(counts)")
  }

  @Test("the hardware on which a reload tries the panel first is let go of")
  func trial() throws {
    let text = fullPanel.replacing(", ding: { file: ding.wav }", with: "").replacing("hum, ding", with: "hum")
    let panel = try PanelFile.read(Array(text.utf8), file: "full.panel.yaml", folder: "/nowhere")
    let frame = PanelRules(panel: panel).seed
    var platform: Platform? = try Platform(.simulated)
    let witness = try Witness(#require(platform).bench)
    let trial = try RequiredLines(
      of: panel,
      continuing: PanelContinuation(frame: frame, since: panel.outputs.map { _ in nil }, running: [], interlocks: []),
      chance: 0, on: #require(platform))
    platform = nil
    #expect(trial.requests.joined().joined().count == 5)
    #expect(witness.object == nil)
  }

  /// What belongs to one panel alone.
  private func objects(of session: PanelSession) -> [AnyObject] {
    let application = session.application
    let all: [AnyObject?] = [
      application, application.cycle, application.remote, application.control, application.network,
      application.network?.publisher, application.network?.commands, application.osc, application.osc?.commands,
      session.kept,
    ]
    return all.compactMap { $0 } + (application.osc?.publishers ?? [])
  }
}

@Suite("Reload leak: a running panel")
struct ReloadLeakProcessTests {
  /// Of a process: its resident memory in kB, and how many descriptors it has.
  private func usage(of process: Int32) -> (memory: Int, descriptors: Int) {
    let status = String(decoding: bytes(of: "/proc/\(process)/status") ?? [], as: UTF8.self)
    let memory = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?.split(separator: " ").dropFirst().first
    return (memory.flatMap { Int($0) } ?? 0, names(in: "/proc/\(process)/fd").count)
  }

  @Test(
    "needs no more memory and no more descriptors after 50 reloads than after 25, with a broker and Open Sound Control"
  )
  func usage() throws {
    try withFiles { folder in
      save(WAVBytes(data: [UInt8](repeating: 0, count: 20_000)).bytes, at: "\(folder)/ding.wav")
      let file = "\(folder)/full.panel.yaml"
      // The port of another run of the tests is another one.
      save(
        Array(fullPanel.replacing("127.0.0.1:9000", with: "127.0.0.1:\(20_000 + Int(getpid()) % 20_000)").utf8),
        at: file)
      let process = PanelProcess(
        ["run", "--simulated", "--network", "real", "--log-level", "info", "--socket", "\(folder)/control", file],
        environment: ["PANEL_MQTT=mqtt://127.0.0.1:1", "PANEL_ID=full"])
      #expect(process.readErrors(until: "Full: running: ").contains("Full: running: "))
      let client = try #require(try ControlClient(to: "\(folder)/control"))
      var seen: [(memory: Int, descriptors: Int)] = []
      for _ in 0..<2 {
        for _ in 0..<25 {
          client.wait(atMost: .seconds(60))
          #expect(try client.ask("reload").refusal == nil)
        }
        seen.append(usage(of: process.number))
      }
      #expect(seen[1].descriptors <= seen[0].descriptors + 2, "\(seen)")
      // A leaked panel of this kind is 130 kB.
      #expect(seen[1].memory < seen[0].memory + 2_000, "\(seen)")
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
    }
  }
}
