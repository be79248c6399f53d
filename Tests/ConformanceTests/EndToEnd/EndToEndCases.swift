import CycleCore
import Glibc
import TestSupport

@testable import HardwareDrivers
@testable import HardwarePlatform
@testable import HardwareSimulation
@testable import PanelLanguage
@testable import PanelRun

/// What a panel promises as a process on a machine.
typealias EndToEndCase = Case<Void>

extension Case where Stand == Void {
  private static let doorbell = "Examples/doorbell/doorbell.panel.yaml"
  private static let quiz = "Examples/quiz/quiz.panel.yaml"

  static let all = scenarios + ends

  private static func scenario(_ file: String, of panel: String) -> EndToEndCase {
    EndToEndCase("\(file) is seen at the lamps and heard") { _, findings in
      for failure in try KernelScenario(file, of: panel).run() { findings.note(failure) }
    }
  }

  static let scenarios = [
    scenario("Examples/doorbell/rings-three-seconds.scenario.yaml", of: doorbell),
    scenario("Examples/quiz/first-wins.scenario.yaml", of: quiz),
    scenario("Examples/quiz/too-late.scenario.yaml", of: quiz),
  ]

  static let ends = [
    EndToEndCase("no output shows an edge at the start") { _, findings in
      let stand = try KernelPanel(doorbell)
      defer { try? stand.close() }
      try stand.start()
      let bar = try index(of: "bar", in: stand)
      for (output, history) in zip(stand.panel.outputs, try stand.history()) where output.name != "bar" {
        findings.expect(!history.changes.isEmpty, "\(output.name) has been set")
        findings.expect(history.changes.allSatisfy { !$0.isActive }, "\(output.name) has never been active")
      }
      // The bar begins with three of its four lamps: each line is set to one level only.
      let history = try stand.history()[bar]
      findings.equal("lamps of the bar", history.activeCount(at: KernelPanel.now), 3)
      for line in history.lines {
        findings.equal(
          "levels of line \(line)", Set(history.changes.filter { $0.line == line }.map(\.isActive)).count, 1)
      }
    },
    EndToEndCase("SIGTERM leaves every output safe, and ends with 0") { _, findings in
      let stand = try KernelPanel(doorbell)
      defer { try? stand.close() }
      try stand.start()
      try stand.move(try input("bell", of: stand), toClosed: true)
      KernelPanel.sleep(.milliseconds(400))
      let lamp = try index(of: "lamp", in: stand)
      findings.expect(
        try stand.history()[lamp].changes.contains { $0.isActive }, "the lamp blinks before the end")
      findings.equal("status", stand.end()?.status, 0)
      for (output, history) in zip(stand.panel.outputs, try stand.history()) {
        findings.equal("\(output.name) at the end", history.activeCount(at: KernelPanel.now), 0)
      }
    },
    EndToEndCase("after a kill the command safe makes every output safe, and a new start works at once") {
      _, findings in
      let stand = try KernelPanel(doorbell)
      defer { try? stand.close() }
      try stand.start()
      try stand.move(try input("bell", of: stand), toClosed: true)
      KernelPanel.sleep(.milliseconds(300))
      findings.equal("status", stand.end(SIGKILL)?.status, -SIGKILL)
      let bar = try index(of: "bar", in: stand)
      findings.equal("lamps after the kill", try stand.history()[bar].activeCount(at: KernelPanel.now), 3)
      let safe = PanelProcess.run(["safe", stand.file])
      findings.equal(
        "safe", safe,
        PanelProcess.Result(status: 0, output: "Doorbell: every output is in its safe state\n", errors: ""))
      for (output, history) in zip(stand.panel.outputs, try stand.history()) {
        findings.equal("\(output.name) made safe", history.activeCount(at: KernelPanel.now), 0)
      }
      try stand.start()
      findings.equal("lamps after the new start", try stand.history()[bar].activeCount(at: KernelPanel.now), 3)
      findings.equal("status of the new start", stand.end()?.status, 0)
    },
    EndToEndCase(
      "after a kill the command safe makes a strip, a servo, a motor, a stepper and a lamp of the kernel safe"
    ) {
      _, findings in
      let file = "/tmp/workshop.\(getpid()).panel.yaml"
      save(Array(workshop.utf8), at: file)
      defer { unlink(file) }
      let lamp = try KernelLampStand()
      let bus = try KernelSPIStand()
      let channel = try KernelPWMStand()
      defer {
        try? lamp.end()
        try? channel.end()
      }
      let stand = try KernelPanel(file)
      defer { try? stand.close() }
      try stand.start()
      KernelPanel.sleep(.milliseconds(500))
      let red = Array(repeating: Colour("red")!, count: SPIAnswer.pixelCount)
      func expect(_ moment: String, _ isActive: Bool) throws {
        for name in ["fan", "blind"] {
          let output = try index(of: name, in: stand)
          findings.equal(
            "\(name) is active \(moment)", try stand.history()[output].activeCount(at: KernelPanel.now) > 0, isActive)
        }
        findings.equal(
          "the servo's pulse \(moment)", try KernelPWMStand.states().last?.wave?.high,
          isActive ? .microseconds(1_500) : nil)
        findings.equal(
          "pixels \(moment)", try bus.strip.pixels, isActive ? red : Array(repeating: .dark, count: red.count))
      }
      try expect("before", true)
      findings.equal("the lamp before", lamp.takeShares().last, 100)
      findings.equal("status", stand.end(SIGKILL)?.status, -SIGKILL)
      try expect("after the kill", true)
      let safe = PanelProcess.run(["safe", file])
      findings.equal(
        "safe", safe,
        PanelProcess.Result(status: 0, output: "Workshop: every output is in its safe state\n", errors: ""))
      try expect("after safe", false)
      findings.equal("the lamp after safe", lamp.takeShares().last, 0)
      findings.equal("faults of the strip", try bus.strip.faults, [])
    },
    EndToEndCase("a reload that adds a lamp writes no line that stays, and loses no press") { _, findings in
      let stand = try KernelPanel(doorbell)
      defer { try? stand.close() }
      let folder = "/tmp/reload.\(getpid())"
      mkdir(folder, 0o700)
      defer {
        for name in names(in: folder) { unlink("\(folder)/\(name)") }
        rmdir(folder)
      }
      try stand.start(["--socket", "\(folder)/control"])
      let text = String(decoding: bytes(of: "\(checkoutRoot)/\(doorbell)") ?? [], as: UTF8.self)
        .replacing("sounds/chime", with: "\(checkoutRoot)/Examples/doorbell/sounds/chime")
        .replacing("outputs:", with: "outputs:\n  more:   { led: GPIO20 }")
        .replacing("show: { bar: level }", with: "show: { bar: level, more: on }")
      save(Array(text.utf8), at: "\(folder)/more.panel.yaml")
      let bell = try input("bell", of: stand)
      for round in 0..<4 {
        let lines = try stand.history().map(\.changes.count)
        guard let client = try ControlClient(to: "\(folder)/control") else { throw StandFailure("nobody listens") }
        let file = round.isMultiple(of: 2) ? "\(folder)/more.panel.yaml" : "\(checkoutRoot)/\(doorbell)"
        try client.send("reload \(file)")
        // Somewhere between the reading of the file and the exchange.
        let press = KernelPanel.now
        try stand.move(bell, toClosed: true)
        var answer: [String] = []
        while let line = try client.readLine(), line != "ok", !line.hasPrefix("error") { answer.append(line) }
        KernelPanel.sleep(.milliseconds(20))
        let lamp = try index(of: "lamp", in: stand)
        for (output, counts) in zip(stand.panel.outputs, zip(lines, try stand.history())) where output.name != "lamp" {
          findings.equal("changes of \(output.name) by reload \(round)", counts.1.changes.count, counts.0)
        }
        for line in ["GPIO12", "GPIO17", "GPIO23", "GPIO24"] {
          findings.expect(answer.contains("line \(line) kept"), "reload \(round) has kept \(line): \(answer)")
        }
        findings.expect(
          answer.contains("line GPIO20 \(round.isMultiple(of: 2) ? "new" : "released")"), "GPIO20: \(answer)")
        KernelPanel.sleep(.milliseconds(100))
        // The lamp blinks, and an answer can take longer than its first half. So the moment of the answer shows nothing.
        let lit = try stand.history()[lamp].changes.first { $0.moment >= press && $0.isActive }
        findings.expect(
          lit.map { $0.moment - press <= .milliseconds(50) } ?? false,
          "the press beside reload \(round) lights the lamp within 50 ms: \(lit.map { "\($0.moment - press)" } ?? "never")"
        )
        try stand.move(bell, toClosed: false)
        KernelPanel.sleep(.milliseconds(3300))
        findings.equal("lamp when all is over", try stand.history()[lamp].activeCount(at: KernelPanel.now), 0)
      }
      findings.equal("status", stand.end()?.status, 0)
    },
    EndToEndCase("two hundred starts and stops leak no descriptor") { _, findings in
      let stand = try KernelPanel(doorbell)
      defer { try? stand.close() }
      func startAndStop() throws {
        var panel = stand.panel
        panel.audio.device = "hw:Loopback"
        let session = try PanelSession(panel, on: Platform(.real))
        try session.start()
        session.stop()
      }
      // The first one leaves what libraries keep once.
      try startAndStop()
      let before = names(in: "/proc/self/fd")
      for _ in 0..<200 { try startAndStop() }
      findings.equal("open descriptors", names(in: "/proc/self/fd"), before)
    },
  ]

  private static let workshop = """
    panel: Workshop
    chips:
      drive: { pwm: \(KernelPWMStand.chip) }
    inputs:
      key: { button: GPIO17 }
    outputs:
      lights: { strip: { ws2812: \(SPIAnswer.pixelCount), spi: 8.1 } }
      arm: { servo: drive.\(KernelPWMStand.number) }
      fan: { motor: [GPIO5, GPIO6] }
      blind: { stepper: [GPIO20, GPIO21, GPIO22, GPIO23], speed: 100 }
      act: { led: { kernel: "\(KernelLampStand.name)" } }
    initial: working
    states:
      working:
        show: { lights: red, arm: 0, fan: 1, blind: 4000, act: on }
        on: { key.pressed: still }
      still: {}
    """

  private static func index(of output: String, in stand: KernelPanel) throws -> Int {
    guard let index = stand.panel.outputs.firstIndex(where: { $0.name == output }) else {
      throw StandFailure("there is no output \(output)")
    }
    return index
  }

  private static func input(_ name: String, of stand: KernelPanel) throws -> Int {
    guard let index = stand.panel.inputs.firstIndex(where: { $0.name == name }) else {
      throw StandFailure("there is no input \(name)")
    }
    return index
  }
}
