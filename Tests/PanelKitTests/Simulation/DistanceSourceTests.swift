import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun
@testable import PanelWiring

@Suite("A sensor of distances")
struct DistanceSourceTests {
  static let inputs = "front: { sensor: { distance: [GPIO23, GPIO24] }, min: 20, max: 4000, initial: 4000 }"

  private static func panel(_ rest: String) throws -> PanelDefinition {
    try PanelFile.read(
      Array("panel: P\ninputs:\n  \(inputs)\noutputs: { lamp: { led: GPIO17 } }\n\(rest)\n".utf8), file: "test")
  }

  /// The failures of steps in lines.
  private func failures(of lines: [String], on panel: PanelDefinition) throws -> [String] {
    let scenario = try ScenarioFile.read(
      Array("scenario: S\nsteps:\n\(lines.map { "- \($0)\n" }.joined())".utf8), file: "test", for: panel)
    return try scenario.cases.flatMap { try ScenarioRun(scenario, of: panel).run($0).failures.flatMap(\.texts) }
  }

  private static let near =
    "initial: far\nstates: { far: { when: { front < 500: near } }, near: { show: { lamp: on }, when: { front > 600: far } } }"

  @Test("a distance counts with its next measurement; what is away is lost, and back with what it senses")
  func steps() throws {
    let panel = try Self.panel(Self.near)
    #expect(
      try failures(
        of: [
          "expect: { front: unknown, lamp: off }", "sense: { front: 300 }", "wait: 140ms",
          "expect: { front: 300, lamp: on, state: near }", "sense: { front: 601 }", "wait: 140ms",
          "expect: { front: 601, lamp: off }", "unplug: front", "wait: 140ms", "expect: { front: lost }",
          "expect: front == 601", "plug: front", "wait: 140ms", "expect: { front: 601 }",
        ], on: panel) == [])
  }

  @Test("a thing that stands still makes one reading, whose journal entry has its moment")
  func readings() throws {
    let panel = try Self.panel("initial: a\nstates: { a: }")
    let platform = try Platform(.simulated)
    let session = try PanelSession(panel, on: platform)
    try session.start()
    _ = try session.perform(.sense(input: 0, 1716))
    try session.bench.advance(by: .seconds(10))
    let texts = session.journal.last(.max).map(\.text).filter { $0.contains("reads") }
    #expect(texts == ["front reads 1716.0"])
    session.stop()
  }

  @Test("a distance is converted as any number, and a step that senses one moves the thing there")
  func conversion() throws {
    func panel(_ settings: String) throws -> PanelDefinition {
      try PanelFile.read(
        Array(
          "panel: P\ninputs: { level: { sensor: { distance: [GPIO23, GPIO24], \(settings) }, min: 0, max: 400, decimals: 1 } }\ninitial: a\nstates: { a: }\n"
            .utf8), file: "test")
    }
    #expect(
      try failures(
        of: [
          "sense: { level: 31.7 }", "wait: 140ms", "expect: { level: 31.7 }", "unplug: level", "wait: 140ms",
          "expect: { level: lost }",
        ], on: panel("scale: 0.1, unit: cm")) == [])
    // The water of a tank whose sensor looks down from 200 cm above the ground.
    let tank = try panel("scale: -0.1, offset: 200, unit: cm")
    #expect(try failures(of: ["sense: { level: 150.5 }", "wait: 140ms", "expect: { level: 150.5 }"], on: tank) == [])
    for (distance, number) in [(nil, 0), (500, 1500), (1_999, 1)] as [(Double?, Int)] {
      let session = try session(tank)
      let world = SimulatedDistanceSensor(try #require(session.chip), trigger: "GPIO23", echo: "GPIO24")
      world.distanceMillimetres = distance
      try session.start()
      try session.bench.advance(by: .seconds(1))
      #expect(session.frame[reading: 0] == number, "\(String(describing: distance))")
      session.stop()
    }
  }

  @Test("nothing near, and what is beyond the range, count as the greatest number")
  func nothing() throws {
    let panel = try Self.panel("initial: a\nstates: { a: }")
    for distance in [nil, 5_000.0, 12] as [Double?] {
      let session = try session(panel)
      let chip = try #require(session.chip)
      let world = SimulatedDistanceSensor(chip, trigger: "GPIO23", echo: "GPIO24")
      world.distanceMillimetres = distance
      try session.start()
      try session.bench.advance(by: .seconds(1))
      #expect(session.frame[reading: 0] == (distance == 12 ? 20 : 4000), "\(String(describing: distance))")
      session.stop()
    }
  }

  @Test("a distance has no filter")
  func filter() {
    let text = """
      panel: P
      inputs: { front: { sensor: { distance: [GPIO23, GPIO24] }, min: 0, max: 4000, smooth: { median: 5 } } }
      initial: a
      states: { a: }

      """
    let problem = "the readings of a distance sensor can't be filtered; leave smooth out"
    #expect(Fixture.problems(ofPanel: text).map { $0.hasSuffix(problem) } == [true])
  }

  @Test(
    "a step senses only what the sensor can read, and a range beyond that is noted",
    arguments: [
      ("min: -50, max: 9000", "-20", "\"front\" can't read -20; write 0...6000 or 9000"),
      ("min: -50, max: 9000", "6001", "\"front\" can't read 6001; write 0...6000 or 9000"),
      ("min: -50, max: 9000", "9000", nil), ("min: -50, max: 9000", "6000", nil), ("min: 20, max: 400", "400", nil),
    ])
  func readable(range: String, number: String, message: String?) throws {
    let text =
      "panel: P\ninputs: { front: { sensor: { distance: [GPIO23, GPIO24] }, \(range) } }\ninitial: a\nstates: { a: }\n"
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    #expect(
      panel.notes.map(\.text)
        == (range.contains("9000")
          ? [
            "min of \"front\" is below what the sensor can read; write min: 0",
            "max of \"front\" is above what the sensor can read; write max: 6000",
          ] : []))
    let problems = Fixture.problems { () throws(Problems) in
      _ = try ScenarioFile.read(
        Array("scenario: S\nsteps: [ { sense: { front: \(number) } } ]\n".utf8), file: "s", for: panel)
    }
    #expect(problems == (message.map { ["2:28: \($0)"] } ?? []))
  }

  private func session(_ panel: PanelDefinition) throws -> PanelSession {
    try PanelSession(panel, on: try Platform(.simulated))
  }

  @Test("a chip that goes away takes the sensor with it, and gives it back")
  func chip() throws {
    let panel = try Self.panel(Self.near)
    #expect(
      try failures(
        of: [
          "sense: { front: 300 }", "wait: 140ms", "unplug: gpio", "wait: 10ms", "expect: { gpio: lost, front: lost }",
          "plug: gpio", "wait: 200ms", "expect: { gpio: there, front: 300, lamp: on }",
        ], on: panel) == [])
  }

  @Test("it is measured no sooner than the sensor can be, and takes no settings that mean nothing")
  func wrong() {
    func problems(_ input: String) -> [String] {
      Fixture.problems(ofPanel: "panel: P\ninputs: { \(input) }\ninitial: a\nstates: { a: }\n")
    }
    #expect(
      problems("w: { sensor: { distance: [GPIO23, GPIO24] }, min: 20, max: 4000, every: 50ms }")
        == ["2:83: \"every\" is 50ms; it takes 60ms...1h"])
    #expect(
      problems("w: { sensor: { distance: [GPIO23, GPIO24], channel: x }, min: 20, max: 4000 }")
        == ["2:54: distance has no \"channel\"; leave it out"])
    #expect(
      problems("w: { sensor: { distance: [GPIO23, GPIO24], scale: 0 }, min: 20, max: 4000 }")
        == ["2:61: \"scale\" is 0; write another number"])
    #expect(
      problems("w: { sensor: { distance: GPIO23 }, min: 20, max: 4000 }")
        == [
          "2:36: \"distance\" is \"GPIO23\"; it takes a list of two lines, at TRIG and ECHO: [GPIO23, GPIO24]"
        ])
    #expect(
      problems("b: { button: GPIO24 }, w: { sensor: { distance: [GPIO23, GPIO24] }, min: 20, max: 4000 }")
        == ["2:68: line GPIO24 of \"w\" is already used by \"b\" on line 2; choose another"])
  }

  @Test(
    "what a proof finds with it, a scenario shows",
    arguments: [
      "never: { dazzling: lamp == on and front == lost }", "never: { dark: state == far and front > 3000 and n > 1 }",
    ])
  func proof(never: String) throws {
    let panel = try Self.panel(
      """
      values: { n: { initial: 0, min: 0, max: 3 } }
      initial: far
      states:
        far: { when: { front < 500: near } }
        near: { enter: { set: { n: +1 } }, show: { lamp: on }, when: { front > 600: far } }
      \(never)
      """)
    let proof = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero })
    let outcome = proof.run()
    let way = try #require(outcome.violations.first)
    let counterexample = CounterexampleReport(panel: panel, file: "test", way: way)
    #expect(counterexample.failingScenario().text != nil, "\(counterexample.lines)")
  }

  @Test("of the numbers that a proof has it read, a step can sense one")
  func proofBeyondReach() throws {
    let text = """
      panel: P
      inputs: { front: { sensor: { distance: [GPIO23, GPIO24] }, min: -50, max: 9000, initial: 0 } }
      never: { far: front > 7000 }
      initial: a
      states: { a: }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    let way = try #require(outcome.violations.first)
    let counterexample = CounterexampleReport(panel: panel, file: "test", way: way)
    let scenario = counterexample.failingScenario().text
    #expect(scenario?.contains("sense: { front: 9000 }") == true, "\(counterexample.lines)")
  }

  @Test("its wiring has a divider at ECHO, and a warning")
  func wiring() throws {
    let plan = WiringPlan(of: try Self.panel("initial: a\nstates: { a: }"))
    let text = plan.text(isASCII: false, isColoured: false)
    #expect(text.contains("── TRIG") && text.contains("─┬─ [1 kΩ] ── ECHO") && text.contains("└─ [2 kΩ] ── GND"))
    #expect(text.contains("ECHO of an HC-SR04 gives 5 V"))
    #expect(plan.svg(theme: .light)?.contains("ECHO") == true)
  }
}
