import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("PWM chips that a panel's file declares")
struct PWMChipTests {
  private static let panel = """
    panel: P
    chips:
      drive: { pwm: pca9685 }
      fast: { pwm: 1f00098000.pwm }
    inputs: { key: { button: GPIO17 } }
    outputs:
      arm: { servo: drive.0, speed: 10000 }
      lamp: { led: drive.4 }
      pair: { leds: [drive.5, fast.1] }
      mood: { rgb: [drive.6, drive.7, drive.8] }
      light: { relay: drive.9 }
      lock: { relay: drive.10, active: low }
      fan: { motor: [drive.11, drive.12] }
      beep: { buzzer: fast.0, tones: true }
    initial: idle
    states:
      idle: { on: { key.pressed: busy } }
      busy:
        show: { arm: 45, lamp: { level: 0.5 }, pair: { level: 0.25 }, mood: red, light: on, lock: on, fan: 0.5, beep: 440Hz }
        on: { key.pressed: idle, drive.lost: lost }
      lost: { when: { drive == there: busy } }

    """

  private func channel(_ number: Int, of chip: String = "1-0040", _ stage: Stage) throws -> SimulatedPWM {
    try #require(stage.session.platform.simulated(at: PWMPort(.chip(chip, channel: number))))
  }

  @Test("each output is driven by its channel, with the frequency of the chip")
  func outputs() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try channel(10, stage).share == 1, "a relay that is closed by a low level is open from the start")
    #expect(try stage.take("expect light=off lock=off lamp=off; click key; wait 200ms; expect state=busy") == [])
    #expect(try stage.take("expect arm=45 lamp=0.5 pair=0.25 mood=#ff0000 light=on lock=on fan=0.5 beep=440Hz") == [])
    #expect(try channel(0, stage).wave?.high == .microseconds(1_750))
    let shares = try [4, 5, 6, 7, 9, 10].map { try Int((channel($0, stage).share * 100).rounded()) }
    #expect(shares == [50, 25, 100, 0, 100, 0])
    for number in [0, 4, 5, 6, 9, 11] {
      #expect(try channel(number, stage).wave?.period == .milliseconds(20), "channel \(number)")
    }
    #expect(try channel(1, of: "1f00098000.pwm", stage).wave?.period == .milliseconds(1))
  }

  @Test("a chip is lost with all its devices, and comes back as of then")
  func loss() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("click key; wait 200ms; expect state=busy; unplug drive; wait 10ms") == [])
    #expect(try stage.take("expect state=lost drive=lost fast=there light=off lamp=off") == [])
    #expect(try stage.take("plug drive; wait 2s; expect state=busy drive=there light=on lamp=0.5 arm=45") == [])
  }

  @Test(
    "a chip that has only devices with waves is lost, too",
    arguments: ["servo: drive.0", "led: drive.0", "motor: [drive.0, drive.1], pwm: never"])
  func lossOfWaves(device: String) throws {
    let stage = try Stage(
      panel: """
        panel: P
        chips: { drive: { pwm: pca9685 } }
        outputs: { it: { \(device) } }
        initial: idle
        states:
          idle: { on: { drive.lost: lost } }
          lost: { when: { drive == there: idle } }

        """)
    #expect(try stage.take("wait 1s; unplug drive; wait 10ms; expect state=lost drive=lost gpio=lost") == [])
    #expect(try stage.take("plug drive; wait 2s; expect state=idle drive=there") == [])
  }

  @Test("when the panel ends, relays stay open and lamps stay dark, whatever level that is")
  func end() throws {
    let stage = try Stage(
      panel: """
        panel: P
        chips: { drive: { pwm: pca9685 } }
        outputs:
          lock: { relay: drive.0, active: low }
          lamp: { led: drive.1, active: low }
          other: { led: drive.2 }
          fan: { motor: [drive.3, drive.4], ramp: 5s }
          arm: { servo: drive.5 }
        initial: x
        states: { x: { show: { lock: on, lamp: on, other: on, fan: 1, arm: 0 } } }
        safe: { fan: stop }

        """)
    let channels = try (0..<6).map { try channel($0, stage) }
    try stage.session.bench.advance(by: .seconds(6))
    #expect(channels.map { $0.share > 0 } == [false, false, true, true, false, true])
    stage.session.stop()
    // The ramp of the motor is longer than the panel waits.
    #expect(channels.map(\.share) == [1, 1, 0, 0, 0, 0] && channels.allSatisfy { !$0.isOpen })
  }

  @Test("a request that fails in the middle activates no output, and leaves none active")
  func failingRequest() throws {
    let bench = Bench()
    let channels = (0..<3).map { SimulatedPWM(bench, PWMPort(.chip("c", channel: $0))) }
    let chip = PWMLineChip(hertz: 50) { name in channels["\(name)".last?.wholeNumberValue ?? 0] }
    let lines = [
      LineConfiguration("c.0", .output(.active, .pushPull)),
      LineConfiguration("c.1", .output(.active, .pushPull), isActiveLow: true),
      LineConfiguration("c.2", .output(.inactive, .pushPull)),
    ]
    channels[2].isBusy = true
    for _ in 0..<3 {
      #expect(thrown(DriverError.self) { _ = try chip.request(lines) }?.kind == .busy)
      #expect(channels[0].share == 0 && channels[1].share == 1 && channels.allSatisfy { !$0.isOpen })
    }
    #expect(channels[0].changes.allSatisfy { $0.wave?.high ?? .zero == .zero })
    channels[2].isBusy = false
    let request = try chip.request(lines)
    #expect(channels[0].share == 1 && channels[1].share == 0)
    request.release()
    #expect(channels[0].share == 1 && channels[1].share == 0, "released lines keep their levels")
  }

  @Test("a reload can change the kind of a channel's device, and relays that stay do not move")
  func reload() throws {
    func file(_ eight: String) -> String {
      """
      panel: P
      chips: { drive: { pwm: pca9685 } }
      outputs:
        light: { relay: drive.9 }
        it: { \(eight): drive.8 }
      initial: x
      states: { x: { show: { light: on, it: on } } }

      """
    }
    let stage = try Stage(panel: file("led"), isReloadable: true)
    let (eight, nine) = (try channel(8, stage), try channel(9, stage))
    for kind in ["relay", "led", "relay"] {
      let changes = nine.changes.count
      _ = try stage.session.reload(to: PanelFile.read(Array(file(kind).utf8), file: "p"), sounds: [])
      try stage.session.bench.advance(by: .milliseconds(100))
      #expect(eight.share == 1 && stage.session.frame.troubles.isEmpty, "as a \(kind)")
      #expect(nine.changes.count == changes, "the other relay")
    }
    stage.session.stop()
    #expect(eight.share == 0 && nine.share == 0 && !eight.isOpen && !nine.isOpen)
  }

  @Test("panel safe opens the relays and ends the pulses")
  func safe() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let platform = try Platform(.simulated)
    let chips = try #require(SimulatedChips(of: panel, on: platform))
    let light = try #require(platform.simulated(at: PWMPort(.chip("1-0040", channel: 9))))
    let lock = try #require(platform.simulated(at: PWMPort(.chip("1-0040", channel: 10))))
    let errors = SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform)
    #expect(errors.isEmpty && light.share == 0 && !light.isOpen)
    #expect(lock.share == 1 && !lock.isOpen, "the relay that is closed by a low level stays open")
  }

  @Test(
    "a device that does not fit to the chip is a problem",
    arguments: [
      (
        "drive: { pwm: pca9685, frequency: 200Hz }", "arm: { servo: drive.0 }",
        "a servo needs pulses of 50Hz, and all channels of drive have 200Hz; write frequency: 50Hz there"
      ),
      (
        "drive: { pwm: pca9685 }", "beep: { buzzer: drive.0, tones: true }",
        "each tone has another frequency, and all channels of drive have the same one"
      ),
      (
        "drive: { pwm: pca9685 }", "lamp: { led: drive.0, frequency: 1kHz }",
        "all channels of drive have one frequency; write frequency: under chips, at drive"
      ),
      (
        "drive: { pwm: pca9685 }", "fan: { motor: [drive.0, drive.1], frequency: 1kHz }",
        "all channels of drive have one frequency; write frequency: under chips, at drive"
      ),
      ("drive: { pwm: pca9685 }", "lamp: { led: drive.16 }", "\"16\" is not a line of drive; write drive. and 0...15"),
      ("drive: { pwm: pca9685 }\n  more: { pwm: pca9685 }", "lamp: { led: drive.1 }", "0x40 of I²C bus 1"),
      ("drive: { pwm: lab.0 }\n  more: { pwm: lab.0 }", "lamp: { led: drive.1 }", "the PWM chip lab.0"),
      ("drive: { pwm: pca9685, address: 0x20 }", "lamp: { led: drive.1 }", "a PCA9685 can't be at 0x20"),
      ("drive: { pwm: pca9685, frequency: 2kHz }", "lamp: { led: drive.1 }", "24Hz...1526Hz"),
      ("drive: { pwm: lab.0, frequency: 60Hz }", "lamp: { led: drive.1 }", "only a pca9685 has frequency"),
      ("drive: { pwm: a/b }", "lamp: { led: drive.1 }", "\"a/b\" is not a PWM chip"),
      ("drive: { pwm: 1-0041 }", "lamp: { led: drive.1 }", "write pwm: pca9685, address: 0x41"),
      ("drive: { pwm: PCA9685 }", "lamp: { led: drive.1 }", "did you mean \"pca9685\"?"),
      ("drive: { pwm: pwmchip0 }", "lamp: { led: drive.1 }", "readlink /sys/class/pwm/pwmchip0/device"),
      (
        "drive: { pwm: pca9685 }", "lamp: { led: drive.1, pwm: never }",
        "a lamp at drive is always driven by its channel"
      ),
    ])
  func problems(chips: String, output: String, text: String) {
    let file = "panel: P\nchips:\n  \(chips)\noutputs: { \(output) }\ninitial: x\nstates: { x: {} }\n"
    let lines = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(Array(file.utf8), file: "p") }
    #expect(lines.count == 1 && lines[0].contains(text), "\(lines)")
  }

  @Test("lines of channels are outputs only, and a failed write is made again")
  func lines() throws {
    let bench = Bench()
    let pwm = SimulatedPWM(bench, PWMPort(.chip("c", channel: 0)))
    let chip = PWMLineChip(hertz: 50) { $0 == "c.0" ? pwm : nil }
    for (line, kind) in [
      (LineConfiguration("c.1", .output(.active, .pushPull)), DriverError.Kind.misconfigured),
      (LineConfiguration("c.0", .input(.pullUp)), .unsupported),
      (LineConfiguration("c.0", .output(.active, .openDrain)), .unsupported),
    ] {
      #expect(thrown(DriverError.self) { _ = try chip.request([line]) }?.kind == kind)
    }
    let request = try chip.request([LineConfiguration("c.0", .output(.inactive, .pushPull))])
    pwm.nextError = DriverError(.failed, of: "c", cannot: "set c", reason: "no reply", remedy: "")
    pwm.failedWritesTakeEffect = true
    #expect(thrown(DriverError.self) { try request.write(.first(1), mask: .first(1)) }?.kind == .failed)
    #expect(pwm.share == 1)
    try request.write([], mask: .first(1))
    #expect(pwm.share == 0, "the level of a failed write is unknown, so it is written again")
    pwm.unplug()
    #expect(thrown(DriverError.self) { try request.write(.first(1), mask: .first(1)) }?.kind == .lost)
    request.release()
    #expect(!pwm.isOpen)
  }

  @Test("simulated channels with one period refuse another one")
  func onePeriod() throws {
    let bench = Bench()
    let channels = (0..<2).map { SimulatedPWM(bench, PWMPort(.chip("c", channel: $0))) }
    SimulatedPWM.sharePeriod(channels)
    let first = try channels[0].open(showing: PWMWave(0.5, hertz: 50))
    #expect(thrown(DriverError.self) { _ = try channels[1].open(showing: PWMWave(0, hertz: 60)) }?.kind == .unsupported)
    _ = try channels[1].open(showing: PWMWave(0, hertz: 50))
    first.close()
  }
}
