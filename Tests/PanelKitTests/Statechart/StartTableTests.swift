import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRun

/// A kind of input at the start of a panel: how it is then, and what the panel must know of it.
struct StartingInput: CustomTestStringConvertible, Sendable {
  let name: String
  /// The panel file's `inputs`, in which `x` is the one that counts.
  let inputs: String
  var chips = ""
  /// The scenario's `start`.
  var start = "{}"
  /// The events that must not occur.
  let events: String
  /// What is true once the input is known; nil for an input without a position.
  var condition: String?
  var isKnownAtStart = true
  /// The steps after which it is known, for one that isn't at first; nil for never.
  var later: String?
  /// What the page and MQTT show at the start.
  var shown: String?
  var published: String?
  var testDescription: String { name }

  /// Static: compilers of Swift 6.0 crash on arguments of a test that are made.
  static let all: [StartingInput] = [
    StartingInput(
      name: "a contact that is open", inputs: "x: { switch: GPIO5 }", events: "x.on | x.off", condition: "x == off",
      shown: "off", published: "OFF"),
    StartingInput(
      name: "a contact that is closed", inputs: "x: { switch: GPIO5 }", start: "{ x: on }", events: "x.on | x.off",
      condition: "x == on", shown: "on", published: "ON"),
    StartingInput(
      name: "a line that rises slowly", inputs: "x: { button: GPIO5 }", start: "{ unsettled: { x: 3ms } }",
      events: "x.pressed | x.released | x.clicked | x.held", condition: "x == released", shown: "released",
      published: "OFF"),
    StartingInput(
      name: "a contact that bounces", inputs: "x: { switch: GPIO5 }", start: "{ unsettled: { x: 400ms } }",
      events: "x.on | x.off", condition: "x == off", isKnownAtStart: false, later: "wait 400ms", shown: "unknown",
      published: "None"),
    StartingInput(
      name: "a button that is held", inputs: "x: { button: GPIO5 }", start: "{ x: pressed }",
      events: "x.pressed | x.clicked | x.held", condition: "x == pressed", shown: "pressed", published: "ON"),
    StartingInput(
      name: "an encoder", inputs: "x: { encoder: [GPIO5, GPIO6] }", events: "x.clockwise | x.counterclockwise"),
    StartingInput(
      name: "a key of a keypad", inputs: "x: { keypad: { rows: [GPIO5], columns: [GPIO6, GPIO7] } }",
      start: "{ x(1): pressed }", events: "x.pressed | x.clicked", condition: "x(1) == pressed", shown: "pressed",
      published: "ON"),
    StartingInput(
      name: "a chord", inputs: "a: { button: GPIO5 }, b: { button: GPIO6 }, x: { chord: [a, b] }",
      start: "{ a: pressed, b: pressed }", events: "x.pressed | x.clicked | x.held", condition: "x == released",
      shown: "released", published: "OFF"),
    StartingInput(
      name: "a computed switch", inputs: "a: { switch: GPIO5 }, x: { switch: { on: a == on } }", start: "{ a: on }",
      events: "x.on | x.off", condition: "x == on", shown: "on", published: "ON"),
    StartingInput(
      name: "a computed switch of a sensor",
      inputs: "a: { sensor: { w1: any }, min: 0, max: 50 }, x: { switch: { on: a > 5 } }",
      events: "x.on | x.off", condition: "x == on", isKnownAtStart: false, later: "sense a=20", shown: "unknown",
      published: "None"),
    sensor("w1: any"), sensor("iio: bme280, channel: temp"), sensor("hwmon: cpu_thermal, channel: temp1"),
    sensor("file: /tmp/x"), sensor("distance: [GPIO5, GPIO6]"),
    StartingInput(
      name: "a contact behind an expander", inputs: "x: { switch: more.GPA0 }",
      chips: "more: { expander: mcp23017 }", start: "{ x: on }", events: "x.on | x.off", condition: "x == on",
      shown: "on", published: "ON"),
    StartingInput(
      name: "a contact of an absent chip", inputs: "x: { switch: more.GPA0 }", chips: "more: { expander: mcp23017 }",
      start: "{ x: on, more: lost }", events: "x.on | x.off", condition: "x == on", isKnownAtStart: false,
      shown: "unknown", published: "None"),
    StartingInput(
      name: "a contact of a late chip", inputs: "x: { switch: more.GPA0 }", chips: "more: { expander: mcp23017 }",
      start: "{ x: on, more: lost }", events: "x.on | x.off", condition: "x == on", isKnownAtStart: false,
      later: "plug more; wait 50ms", shown: "unknown", published: "None"),
  ]

  private static func sensor(_ source: String) -> StartingInput {
    StartingInput(
      name: "a sensor, \(source)", inputs: "x: { sensor: { \(source) }, min: 0, max: 50 }",

      // A distance sensor in front of which nothing is finds that at its first measurement, and is lost until it finds
      // something.
      events: source.hasPrefix("distance") ? "x.lost" : "x.lost | x.restored",
      condition: "x >= 20", isKnownAtStart: false, later: "sense x=20; wait 200ms", shown: "unknown",
      published: "None")
  }

  static let positioned = all.filter { $0.condition != nil }
  /// A panel is not reloaded while a chip is away.
  static let reloadable = positioned.filter { !$0.start.contains("lost") }
  static let read = all.filter { $0.inputs.contains("sensor") && !$0.inputs.contains("switch") }

  /// A whole panel file.
  func panel(_ rest: String) -> String {
    """
    panel: P
    \(chips.isEmpty ? "" : "chips: { \(chips) }\n")inputs: { \(inputs), go: { button: GPIO17 } }
    outputs: { lamp: { led: GPIO18 }, screen: { display: { i2c: 0x27 } } }
    values: { n: { initial: 0, min: 0, max: 9 } }
    \(rest)

    """
  }

  /// A panel that has just started.
  func stage(_ rest: String) throws -> Stage {
    let text = panel(rest)
    let definition = try PanelFile.read(Array(text.utf8), file: "p")
    let scenario = start == "{}" ? "" : "start: \(start)\n"
    let read = try ScenarioFile.read(
      Array("scenario: S\n\(scenario)steps: [ show ]\n".utf8), file: "s", for: definition)
    return try Stage(panel: text, waitsForLines: true, isReloadable: true, kept: read.cases[0].start.kept) {
      try? $0.session.world.prepare(read.cases[0].start)
    }
  }
}

/// Shows the failures of steps, which a failed expectation of a call that throws doesn't.
private func expectNone(_ failures: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(failures == [], sourceLocation: sourceLocation)
}

@Suite("The start of a panel: each kind of input")
struct StartTableTests {
  /// Checks what holds at the start, and what holds when the input is known.
  private func check(_ input: StartingInput, _ stage: Stage, unknown: String, known: String) throws {
    expectNone(try stage.take("expect \(input.isKnownAtStart ? known : unknown)"))
    guard let later = input.later else {
      expectNone(try stage.take("wait 1s; expect \(input.isKnownAtStart ? known : unknown)"))
      return
    }
    expectNone(try stage.take("\(later); expect \(known)"))
  }

  @Test("is no event", arguments: StartingInput.all)
  func event(input: StartingInput) throws {
    let stage = try input.stage(
      "on: { \(input.events): { set: { n: +1 } } }\ninitial: a\nstates: { a: {} }")
    expectNone(try stage.take("expect n=0; wait 1s; expect n=0; \(input.later ?? "wait 1s"); expect n=0"))
  }

  @Test("is asked by when in the first moment, if it is known", arguments: StartingInput.positioned)
  func when(input: StartingInput) throws {
    let stage = try input.stage(
      "initial: a\nstates: { a: { when: { \(input.condition!): b } }, b: { show: { lamp: on } } }")
    // The output is requested with its first value.
    #expect(stage.chip.line("GPIO18").changes.map(\.level) == (input.isKnownAtStart ? [.low, .high] : [.low]))
    try check(input, stage, unknown: "state=a lamp=off", known: "state=b lamp=on")
  }

  @Test("is asked by if: neither it nor its opposite holds while it is unknown", arguments: StartingInput.positioned)
  func ifs(input: StartingInput) throws {
    let stage = try input.stage(
      """
      on: { go.pressed: { if: not (\(input.condition!)), set: { n: 5 } } }
      initial: a
      states: { a: { on: { go.pressed: { if: \(input.condition!), go: b } } }, b: {} }
      """)
    expectNone(try stage.take("press go; wait 10ms; release go; wait 10ms"))
    expectNone(try stage.take("expect n=0 state=\(input.isKnownAtStart ? "b" : "a")"))
    guard let later = input.later else { return }
    expectNone(try stage.take("\(later); press go; wait 10ms; expect n=0 state=b"))
  }

  @Test("is asked by never in the first moment, if it is known", arguments: StartingInput.positioned)
  func never(input: StartingInput) throws {
    let stage = try input.stage("never: { bad: \(input.condition!) }\ninitial: a\nstates: { a: {} }")
    #expect((stage.session.halt != nil) == input.isKnownAtStart)
    guard let later = input.later else { return }
    _ = try stage.take(later)
    #expect(stage.session.halt != nil)
  }

  @Test("is shown as unknown until it is known", arguments: StartingInput.positioned)
  func shown(input: StartingInput) throws {
    let stage = try input.stage("initial: a\nstates: { a: {} }")
    let place = try #require(
      stage.session.panel.inputs.firstIndex { $0.name == "x" || $0.name == "x(1)" })
    #expect(stage.session.view.text(ofInput: place) == input.shown)
  }

  @Test("is - on a display until it is read", arguments: StartingInput.read)
  func display(input: StartingInput) throws {
    let stage = try input.stage("show: { screen: \"{x} mm\" }\ninitial: a\nstates: { a: {} }")
    #expect(
      try stage.take("wait 200ms; expect screen=\"- mm\"; \(input.later!); wait 200ms; expect screen=\"20 mm\"") == [])
  }

  @Test(
    "is published as None until it is known, after everything is known that the start waits for",
    arguments: StartingInput.positioned)
  func published(input: StartingInput) throws {
    let stage = try input.stage("mqtt: { publish: all }\ninitial: a\nstates: { a: {} }")
    try stage.session.bench.settle()
    let broker = try #require(stage.session.platform.simulated(named: "network").first as? SimulatedBroker)
    let first = broker.messages.map { "\($0.topic) \($0.payload)" }
    #expect(first.last == "panel/p/availability online", "\(first)")
    #expect(
      first.filter { $0.hasPrefix("panel/p/input/x") }.map { $0.split(separator: " ")[1] }.first
        == input.published.map { $0[...] }, "\(first)")
  }

  @Test("is known to a state that resumes", arguments: StartingInput.positioned)
  func resumed(input: StartingInput) throws {
    let start = input.start == "{}" ? "{ state: b }" : "{ state: b, \(input.start.dropFirst(1))"
    var resumed = input
    resumed.start = start
    let stage = try resumed.stage(
      """
      initial: a
      resume: [ b ]
      states: { a: { on: { go.pressed: b } }, b: { when: { \(input.condition!): c }, on: { \(input.events): d } }, c: {}, d: {} }
      """)
    try check(input, stage, unknown: "state=b", known: "state=c")
  }

  @Test("stays known over a reload, and is no event", arguments: StartingInput.reloadable)
  func reloaded(input: StartingInput) throws {
    let rest =
      "on: { \(input.events): { set: { n: +1 } } }\ninitial: a\nstates: { a: { when: { \(input.condition!): b } }, b: {} }"
    let stage = try input.stage(rest)
    func reload() throws {
      let panel = try PanelFile.read(Array(input.panel(rest).utf8), file: "p")
      _ = try stage.session.reload(to: panel, sounds: stage.session.settings.sounds)
      try stage.session.bench.settle()
    }
    try reload()
    try check(input, stage, unknown: "n=0 state=a", known: "n=0 state=b")
    try reload()
    expectNone(try stage.take("expect n=0 state=b; wait 1s; expect n=0 state=b"))
  }

  @Test("is unknown at a start of the proof, too", arguments: StartingInput.positioned)
  func provedUnknown(input: StartingInput) throws {
    let name = input.condition!.prefix { $0 != " " }
    let panel = try PanelFile.read(
      Array(input.panel("never: { bad: \(name) == unknown }\ninitial: a\nstates: { a: {} }").utf8), file: "p")
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    // A chord is released until it is pressed.
    #expect(outcome.violations.count == (input.name == "a chord" ? 0 : 1))
  }

  @Test("is found in either position at any moment of the proof, and a scenario shows it")
  func provedFound() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { x: { switch: GPIO5 }, b: { button: GPIO6 } }
        never: { late: state == seen, pressed: state == held, off: state == gone, clicked: state == clicked }
        initial: wait
        states:
          wait: { when: { x == unknown: blind, b == unknown: blank } }
          blind: { when: { x == on: seen, x == off: gone } }
          blank: { when: { b == pressed: held }, on: { b.pressed: clicked } }
          seen: {}
          held: {}
          gone: {}
          clicked: {}

        """.utf8), file: "p")
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    // A contact that was found released can be pressed.
    #expect(outcome.violations.count == 4)
    for way in outcome.violations {
      let counterexample = CounterexampleReport(panel: panel, file: "p", way: way)
      let text = "\(try #require(counterexample.failingScenario().text))"
      #expect(text.contains("start: { x: unknown }") || text.contains("start: { b: unknown }"), "\(text)")
    }
  }

  @Test("is a start of the proof, without an event", arguments: StartingInput.positioned)
  func proved(input: StartingInput) throws {
    func outcome(_ rest: String) throws -> Proof.Outcome {
      let panel = try PanelFile.read(Array(input.panel(rest).utf8), file: "p")
      return Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    }
    let possible = try outcome("never: { bad: \(input.condition!) }\ninitial: a\nstates: { a: {} }")
    #expect(possible.violations.count == 1)
    // Of what is unknown neither side holds: a panel that asks for both waits for one of them.
    let waits = try outcome(
      """
      never: { bad: state == a and (\(input.condition!) or not (\(input.condition!))) }
      initial: a
      states: { a: { when: { \(input.condition!): b, not (\(input.condition!)): c } }, b: {}, c: {} }
      """)
    #expect(waits.violations.isEmpty && waits.isComplete)
  }
}
