import CycleCore
import HardwareDrivers
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

/// Transitions that ask for a change of the machine's power.
@Suite("Turning the machine off")
struct PowerTests {
  private static let panel = """
    panel: P
    inputs: { key: { button: GPIO17, hold: 1s }, guard: { switch: GPIO5 } }
    outputs: { lamp: { led: GPIO23 }, saw: { relay: GPIO24 } }
    never: { saws: saw == on and guard == off }
    initial: a
    states:
      a:
        on:
          key.held: { go: b, power: off }
          key.clicked: { power: restart }
          guard.on: { go: b, power: restart }
      b:
        show: { lamp: on, saw: { when: { guard == on: on } } }
        on: { key.clicked: a }
    """

  @Test("a scenario sees the last request, and the panel goes on with its events")
  func scenario() throws {
    #expect(
      try LookTests.failures(
        of: Self.panel,
        """
          - expect: { power: none }
          - click: key
          - expect: { power: restart, state: a }
          - hold: { key: 2s }
          - expect: { power: off, state: b, lamp: on }
          - click: key
          - expect: { power: off, state: a }
          - power-cut: 1s
          - expect: { power: none }
        """) == [])
    let failures = try LookTests.failures(of: Self.panel, "  - expect: { power: off }\n")
    #expect(failures.count == 1 && failures[0].contains(text: "expected power off; it is none"))
  }

  @Test("the machine is asked once for each request, with a simulated machine as with a real one")
  func asked() throws {
    let stage = try Stage(panel: Self.panel)
    let power = try #require(stage.session.platform.simulated(at: MachinePowerPort()))
    try stage.take("click key; click key; hold key=2s; wait 10s")
    #expect(power.taken == [.restart, .restart, .off])
    #expect(try stage.take("expect power=off; expect power=restart") == ["expected power restart; it is off"])
    #expect(stage.session.view.wholeLine.contains(text: "power=off"))
  }

  @Test("a panel that never asks has no machine, and no room for requests in its frames")
  func without() throws {
    let stage = try Stage("initial: a\nstates: { a: }\n")
    #expect(stage.session.platform.simulated(named: MachinePowerPort.name).isEmpty)
    #expect(FrameSizes(of: stage.session.panel).power == 0)
    let problems = thrown(Problems.self) { _ = try stage.take("expect power=off") }
    #expect(problems?.list.map(\.text).first?.hasPrefix("unknown name \"power\"") == true)
  }

  @Test("a request of the moment in which a never stops the panel is not made")
  func stopped() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { key: { button: GPIO17 } }
        outputs: { lamp: { led: GPIO23 } }
        never: { lit: lamp == on }
        initial: a
        states:
          a: { on: { key.pressed: { go: b, power: off } } }
          b: { show: { lamp: on } }
        """.utf8), file: "p")
    let rules = PanelRules(panel: panel)
    var frame = rules.seed
    rules.react(to: .input(0, 0), at: .zero + .seconds(1), in: &frame)
    #expect(frame.isStopped && frame.powerRequests == .init())
  }

  @Test("a frame from outside has a word that exists")
  func outside() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let rules = PanelRules(panel: panel)
    var frame = rules.seed
    #expect(rules.bounds.refusal(of: frame) == nil)
    frame.ask(for: .restart)
    #expect(rules.bounds.refusal(of: frame) == nil)
    var numbers = Array(frame.recordingNumbers)
    numbers[frame.places.powerRequests.upperBound - 1] = 3
    #expect(rules.bounds.refusal(of: numbers) == "power is 3, and can be 0 to 2")
  }

  @Test("wrong words, and a device with the name of the expectation, are problems with their places")
  func wrong() {
    let text = """
      panel: P
      inputs: { power: { button: GPIO17 } }
      initial: a
      states:
        a: { on: { power.pressed: { power: shutdown } } }
      """
    let problems = thrown(Problems.self) { _ = try PanelFile.read(Array(text.utf8), file: "p") }
    #expect(
      problems?.list.map { "\($0.line):\($0.column): \($0.text)" } == [
        "2:11: \"power\" is a word of scenarios in a file that turns the machine off; choose another name",
        "5:38: \"power\" is \"shutdown\"; it takes off or restart",
      ])
  }
}
