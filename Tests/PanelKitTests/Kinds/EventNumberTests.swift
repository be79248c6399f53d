import CycleCore
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import Testing

@testable import PanelEngine
@testable import PanelExplore
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRecording
@testable import PanelRun

@Suite("Events that carry a number")
struct EventNumberTests {
  private static let kinds = KindList.standard.adding(inputs: [CardKind.self])

  /// A door that opens for card 4711.
  private static let door = """
    panel: Door
    inputs:
      badge: { card: door, codes: 9999 }
      known: { switch: { on: badge >= 4700, off: badge < 4700 } }
    outputs:
      lock: { relay: GPIO24 }
      text: { display: { i2c: 0x27 } }
    values:
      last: { initial: 0, min: 0, max: 9999 }
      cards: { list: 3, min: 0, max: 9999 }
    show: { text: "card {badge}" }
    initial: shut
    states:
      shut:
        on:
          badge.read:
            - { if: badge == 4711, set: { last: badge }, go: open }
            - { set: { last: badge, cards: append badge } }
      open:
        show: { lock: on }
        on: { badge.removed: shut }

    """

  /// The same without values, whose proof would follow each number.
  private static let lock = """
    panel: Lock
    inputs:
      badge: { card: door, codes: 9999 }
      known: { switch: { on: badge >= 4700, off: badge < 4700 } }
    outputs:
      lock: { relay: GPIO24 }
    initial: shut
    states:
      shut:
        on: { badge.read: { if: badge == 4711, go: open } }
      open:
        show: { lock: on }
        on: { badge.removed: shut }

    """

  @Test("is known in the transition of the event, in conditions, values, lists, displays and computed switches")
  func door() throws {
    let stage = try Stage(panel: Self.door, kinds: Self.kinds)
    let failures = try stage.take(
      """
      expect badge=unknown state=shut known=unknown; wait 1s; expect text="card -"; event badge="read 12";
      expect badge=12 last=12 state=shut known=off; wait 1s; expect text="card 12"; event badge="read 4711";
      expect badge=4711 last=4711 state=open lock=on known=on; event badge=removed; expect badge=4711 state=shut;
      event badge="read 9999"; expect badge=9999 state=shut; heard badge.read,badge.read,badge.removed,badge.read
      """.split(separator: "\n").joined(separator: " "))
    #expect(failures == [])
    #expect(stage.list("cards") == [12, 9999])
  }

  @Test("an unknown number is in no comparison, and can be asked for")
  func unknown() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { badge: { card: door, codes: 9 }, key: { button: GPIO1 } }
        outputs: { lamp: { led: GPIO10 }, dim: { led: GPIO11 } }
        initial: a
        states:
          a:
            on:
              key.pressed:
                - { if: badge < 5 or badge >= 5, go: b }
                - { if: badge == unknown, go: c }
          b: { show: { lamp: on } }
          c: { show: { dim: on } }

        """, kinds: Self.kinds)
    #expect(try stage.take("click key; expect dim=on; ") == [])
  }

  @Test("one driver serves several inputs")
  func readers() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { front: { card: front, codes: 9 }, back: { card: back, codes: 99 } }
        outputs: { lamp: { led: GPIO10 } }
        initial: a
        states: { a: { on: { back.read: { if: front < 5, go: b } } }, b: { on: { front.removed: a } } }

        """, kinds: Self.kinds)
    let lenses = stage.session.application.journals.count
    let failures = try stage.take(
      """
      event front="read 4"; expect front=4 back=unknown state=a; event back="read 40"; expect front=4 back=40 state=b;
      event back=removed; expect state=b; event front=removed; expect state=a;
      heard back.read,front.removed
      """.split(separator: "\n").joined(separator: " "))
    #expect(failures == [])
    #expect(lenses == 2)
  }

  @Test("a number beyond the range counts as its end, and an event with none is lost")
  func ends() throws {
    let stage = try Stage(panel: Self.door, kinds: Self.kinds)
    let reader = try #require(stage.session.platform.simulated(at: CardPort(name: "door")))
    for (number, text) in [(12_345.0, "9999"), (-1, "0"), (Double.nan, "0"), (.infinity, "9999")] {
      reader.present(number)
      try stage.session.bench.settle()
      #expect(stage.session.view.text(ofInput: 0) == text, "\(number)")
    }
    #expect(stage.session.frame.lossCount == 1)
  }

  @Test(
    "what a step can't do is said with what it can",
    arguments: [
      ("event badge=reed", #""badge" has no event "reed"; did you mean "read"?"#),
      ("event badge=read", #"badge.read carries one number; write it after read"#),
      ("event badge=\"removed 3\"", #"badge.removed carries no number; write removed alone"#),
      ("event badge=\"read 10000\"", #"10000 is outside the range of "badge"; write 0...9999"#),
      ("event known=on", #""known" is computed from other inputs; operate those"#),
      ("press badge", #""badge" is not a button; press takes a button"#),
      ("sense badge=3", #""badge" is not a sensor; sense takes a sensor"#),
      ("badge", "unknown step \"badge\"; write event: { badge: read 0 }"),
    ])
  func wrong(step: String, message: String) throws {
    let stage = try Stage(panel: Self.door, kinds: Self.kinds)
    let problems = Fixture.problems { () throws(Problems) in
      _ = try StepLineReader.read(step, line: 1, file: "-", names: stage.names)
    }
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test("a colour whose part is no number has a picture")
  func colour() {
    #expect(LampColour(red: .nan, green: 2, blue: -1).hexadecimal == "#00ff00")
  }

  @Test("a scale whose numbers no file can write is refused")
  func digits() {
    let problems = Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(
        Array("panel: P\ninputs: { badge: { longcode: door } }\ninitial: a\nstates: { a: }\n".utf8), file: "test",
        kinds: KindList.standard.adding(inputs: [LongCodeKind.self]))
    }
    let text = #"2:11: the numbers of "badge" have more than nine digits; its kind must map them to smaller ones"#
    #expect(problems.contains(text), "\(problems)")
  }

  @Test("a proof tries the numbers that matter, and its counterexample fails on the panel")
  func proof() throws {
    let text =
      Self.lock + """
        never:
          stranger: lock == on and badge != 4711
          visitor: badge == 12 and state == shut and known == off

        """
    let panel = try PanelFile.read(Array(text.utf8), file: "test", kinds: Self.kinds)
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    // The number stays while the door is open: a second card is read, and does not shut it.
    let found = try outcome.violations.map { way in
      let counterexample = CounterexampleReport(panel: panel, file: "test", way: way)
      let scenario = try #require(counterexample.failingScenario().text)
      #expect(ScenarioCheck.result(of: scenario, on: panel) == .fails, "\(scenario)")
      return scenario
    }
    #expect(found.count == 2)
    #expect(found.contains { $0.contains("event: { badge: read 12 }") }, "\(found)")
    #expect(found.contains { $0.contains("event: { badge: read 4711 }") }, "\(found)")
  }

  @Test("a proof finds nothing where only a number that is not asked for differs")
  func proved() throws {
    let text =
      Self.lock.replacing("badge.removed: shut", with: "badge.removed: shut, badge.read: shut") + """
        never: { stranger: lock == on and badge != 4711 }

        """
    let panel = try PanelFile.read(Array(text.utf8), file: "test", kinds: Self.kinds)
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    #expect(outcome.isComplete && outcome.violations.isEmpty)
  }

  @Test("a search finds the number that a condition asks for")
  func search() throws {
    let panel = try PanelFile.read(
      Array((Self.lock + "never: { open: lock == on }\n").utf8), file: "test", kinds: Self.kinds)
    let subject = try ExploredPanel(panel, sounds: [], steps: 40)
    let discovery = try #require(try RandomSearch(subject, runs: 200, seed: 1).explore().discovery)
    #expect(discovery.run.steps == [.event(input: 0, event: 0, number: 4711)])
  }

  @Test("a recording has the number, and becomes a scenario that passes")
  func recording() throws {
    let recording = try RecordingStage.recording(
      Self.door,
      ["wait 1s", "event badge=\"read 12\"", "wait 1s", "event badge=\"read 4711\"", "wait 1s", "event badge=removed"],
      kinds: Self.kinds)
    let take = try RecordingStage.take(recording, kinds: Self.kinds)
    #expect(try RecordingStage.causes(of: RecordingStage.resimulated(take)) == RecordingStage.causes(of: recording))
    let text = try RecordedScenario(of: take, named: "saved", to: .seconds(30)).text()
    #expect(text.contains("event: { badge: read 4711 }"), "\(text)")
    let panel = try PanelFile.read(Array(Self.door.utf8), file: "test", kinds: Self.kinds)
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "saved.scenario.yaml", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts) == [])
  }

  @Test("is published with its event, and as the state of the input")
  func network() throws {
    let stage = try NetworkStage(Self.door + "mqtt: { publish: all, discovery: homeassistant }\n", kinds: Self.kinds)
    _ = stage.arrived()
    try stage.take("event badge=\"read 12\"; event badge=removed; wait 2s")
    let arrived = stage.arrived().map { $0.replacing("panel/door/", with: "") }
    #expect(
      arrived.contains { $0.contains("event/badge {\"event_type\":\"read\",\"number\":12,\"seq\":1,") }, "\(arrived)")
    #expect(arrived.contains { $0.contains("event/badge {\"event_type\":\"removed\",\"seq\":2,") }, "\(arrived)")
    #expect(arrived.contains { $0.contains("input/badge 12") }, "\(arrived)")
  }

  @Test("a reading that is no number makes a sensor lost, until the next one")
  func noNumber() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { air: { sensor: { file: /run/air }, min: 0, max: 9 } }
        outputs: { lamp: { led: GPIO10 } }
        initial: a
        states: { a: { on: { air.lost: b } }, b: { on: { air.restored: a } } }

        """)
    #expect(try stage.take("sense air=3; wait 11s; expect air=3 state=a") == [])
    let source = try #require(stage.session.platform.simulatedNumber(at: NumberFile("/run/air")))
    source.set(.nan)
    #expect(try stage.take("wait 11s; expect air=lost state=b; sense air=4; wait 11s; expect air=4 state=a") == [])
  }
}

/// A reader whose codes have ten digits.
private struct LongCodeKind: DrivenInputKind {
  static let grammar = FieldSet(
    name: "a code reader", summary: "reader of codes", sample: "badge: { longcode: door }",
    keys: [Key(name: "longcode", takes: "the name of a reader: door", shape: .text)])
  static let control = InputControl.events

  var lines: [String] { [] }
  var events: [String] { ["read"] }
  var scale: SensorNumberRange? { SensorNumberRange(range: 0...9_999_999_999, decimals: 0) }
  func carriesNumber(event: Int) -> Bool { true }

  init?(reading fields: DeviceFields) {}

  static func lenses(of devices: [LongCodeKind], in context: InputLensContext) -> LensBundle {
    LensBundle(joining: [])
  }

  func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput { .none }
}
