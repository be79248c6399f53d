import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelProof
@testable import PanelRecording
@testable import PanelRun

@Suite("Keys and codes of input devices")
struct KeysKindTests {
  private static let pedal = """
    panel: Pedal
    inputs:
      pedal: { keys: [a, b], device: PCsensor FootSwitch, numbers: [4, 2], hold: 500ms }
      card: { code: { keys: "/dev/input/by-id/reader" }, known: { anna: 0042, ben: ab-1 }, longest: 8, gap: 200ms }
    outputs:
      lamp: { led: GPIO23 }
      lock: { relay: GPIO24 }
    values: { typed: { list: 4, min: 0, max: 9 } }
    initial: shut
    states:
      shut:
        on:
          pedal.pressed: { set: { typed: append pedal } }
          pedal(2).held: { set: { typed: [] } }
          pedal(4).double-clicked: lit
          card.anna: open
      lit: { show: { lamp: on }, on: { pedal(2).clicked: shut } }
      open: { show: { lock: on }, on: { card.other: shut }, when: { card == ben: shut } }

    """

  private func problems(_ inputs: String) -> [String] {
    Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(
        Array("panel: P\ninputs: { \(inputs) }\ninitial: a\nstates: { a: }\n".utf8), file: "test", kinds: .standard)
    }
  }

  @Test("keys are buttons of a group, with their numbers and gestures")
  func keys() throws {
    let stage = try Stage(panel: Self.pedal)
    let first = try stage.take(
      "expect pedal(4)=released pedal(2)=released; type pedal=42; wait 1s; press pedal(2); wait 499ms")
    #expect(first == [] && stage.list("typed") == [4, 2, 2])
    let last = try stage.take(
      "expect pedal(2)=pressed; wait 1ms; release pedal(2); click pedal(4); click pedal(4); expect state=lit lamp=on")
    #expect(last == [] && stage.list("typed") == [4, 4])
    #expect(try stage.take("click pedal(2); expect state=shut lamp=off") == [])
  }

  @Test("a device that is unplugged releases its keys, and is used again when it is back")
  func unplugged() throws {
    let stage = try Stage(panel: Self.pedal)
    let failures = try stage.take(
      """
      press pedal(2); expect pedal(2)=pressed; unplug keys; wait 2s; expect pedal(2)=released; plug keys; wait 2s;
      press pedal(2); expect pedal(2)=pressed; release pedal(2)
      """.split(separator: "\n").joined(separator: " "))
    #expect(failures == [])
    let texts = stage.session.frame.troubles.map(\.text)
    #expect(texts.contains { $0.contains("keys pedal") && $0.contains("the device is gone") }, "\(texts)")
  }

  @Test("a reader emits the names of its codes, and other for any other code")
  func codes() throws {
    let stage = try Stage(panel: Self.pedal)
    let failures = try stage.take(
      """
      expect card=unknown; event card=ben; expect card=ben state=shut; event card=anna; expect card=anna lock=on;
      event card=other; expect card=other lock=off; event card=anna; event card=ben; expect state=shut;
      heard card.anna,card.other,card.anna
      """.split(separator: "\n").joined(separator: " "))
    #expect(failures == [])
  }

  @Test("a code that can't be read completely is reported, and is no event")
  func dropped() throws {
    let stage = try Stage(panel: Self.pedal)
    let reader = try #require(
      stage.session.platform.simulated(at: KeysPort(.path("/dev/input/by-id/reader"))))
    reader.type("0042", endsWithEnter: false)
    try stage.session.bench.advance(by: .seconds(1))
    reader.type("123456789")
    try stage.session.bench.settle()
    #expect(try stage.take("expect card=unknown state=shut") == [])
    let texts = stage.session.frame.troubles.map(\.text)
    #expect(texts.count == 2 && texts[0].contains("Enter is missing at its end"), "\(texts)")
    #expect(texts.last?.contains("it has more than 8 characters") == true, "\(texts)")
    reader.type("0042")
    try stage.session.bench.settle()
    #expect(try stage.take("expect card=anna state=open") == [])
  }

  @Test(
    "a wrong setting is reported with what is right",
    arguments: [
      ("p: { keys: [KEY_A], device: X }", "unknown key \"KEY_A\"; write a"),
      ("p: { keys: [entr], device: X }", "unknown key \"entr\"; did you mean \"enter\"?"),
      ("p: { keys: [a, a], device: X }", "the key \"a\" is in the list twice; write it once"),
      ("p: { keys: [a, b] }", "missing key \"device\" of a group of keys"),
      (
        "p: { keys: [a, b], device: X, numbers: [1] }",
        "\"numbers\" is a list of 1; there are 2 keys, write one for each"
      ),
      ("p: { keys: [a, b], device: X, numbers: [1, 1] }", "two keys have the number 1; give each key a different one"),
      (
        "p: { keys: [a], device: X }, c: { code: { keys: X }, known: { a: 1 } }",
        "the input device \"X\" of \"c\" is already used by \"p\" on line 2; choose another"
      ),
      ("c: { code: { keys: X }, known: { other: 1 } }", "\"other\" is the name of all codes that are not known"),
      ("c: { code: { keys: X }, known: { a: 1, b: 1 } }", "\"b\" has the same code as \"a\"; write each code once"),
      ("c: { code: { keys: X }, known: { a: 12345 }, longest: 4 }", "\"12345\" has 5 characters; a code has 1 to 4"),
      ("c: { code: { keys: X }, known: { a: é } }", "\"é\" has characters that a reader can't type"),
      ("k: { encoder: { keys: X }, edges: 2 }", "\"edges\" is for an encoder at lines"),
      ("k: { encoder: { keys: X, axis: w } }", "x, y, z, hwheel, dial, wheel or misc"),
      ("c: { code: { keys: X } }", "missing key \"known\" of a reader of codes"),
      ("c: { barcode: GPIO5 }", "a reader that types like a keyboard is a code"),
    ])
  func wrong(inputs: String, message: String) {
    let problems = problems(inputs)
    #expect(problems.count == 1 && problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test("a knob of an input device turns, and is used again after its return")
  func knob() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { knob: { encoder: { keys: rotary@11 } } }
        outputs: { bar: { bar: [GPIO12, GPIO16, GPIO20] } }
        values: { level: { initial: 1, min: 0, max: 3 } }
        initial: a
        states:
          a:
            show: { bar: level }
            on: { knob.clockwise: { set: { level: +1 } }, knob.counterclockwise: { set: { level: -1 } } }

        """)
    let failures = try stage.take(
      "turn knob=2; expect bar=3; unplug keys; turn knob=-1; wait 1s; expect bar=3; plug keys; wait 1s; turn knob=-2; "
        + "expect bar=1 level=1")
    #expect(failures == [])
  }

  @Test("a reload keeps a key that stays down as pressed, and its device")
  func reload() throws {
    let stage = try ReloadStage(Self.pedal)
    #expect(try stage.take("press pedal(2); event card=anna; expect state=open") == [])
    try stage.reload(Self.pedal.replacing("hold: 500ms", with: "hold: 700ms"))
    let failures = try stage.take(
      "expect pedal(2)=pressed state=open; wait 1s; release pedal(2); expect pedal(2)=released; event card=other; "
        + "expect state=shut")
    // The code that is not known is in the log.
    #expect(failures == [] && stage.session.frame.troubles.count == 1)
  }

  @Test("a proof follows keys as buttons, and a code as one event per name")
  func proof() throws {
    let text = """
      panel: Lock
      inputs:
        pad: { keys: [kp1, kp2], device: Keypad }
        card: { code: { keys: Reader }, known: { anna: 0008312345 } }
      outputs: { lock: { relay: GPIO24 }, lamp: { led: GPIO23 } }
      initial: shut
      states:
        shut: { on: { card.anna: open, pad(1).held: open } }
        open: { show: { lock: on }, on: { card.other: shut, pad(1).released: shut } }
      never: { stranger: lock == on and card == other, held: lock == on and pad(2) == pressed }

      """
    let panel = try PanelFile.read(Array(text.utf8), file: "test", kinds: .standard)
    let outcome = Proof(panel: panel, sounds: [], bounds: .init(), hasFaults: true, elapsed: { .zero }).run()
    let scenarios = try outcome.violations.map { way in
      let counterexample = CounterexampleReport(panel: panel, file: "test", way: way)
      let scenario = try #require(counterexample.failingScenario().text)
      #expect(ScenarioCheck.result(of: scenario, on: panel) == .fails, "\(scenario)")
      return scenario
    }
    #expect(scenarios.count == 2)
    #expect(scenarios.contains { $0.contains("event: { card: other }") }, "\(scenarios)")
  }

  @Test("a recording becomes a scenario that passes")
  func recording() throws {
    let recording = try RecordingStage.recording(
      Self.pedal, ["wait 1s", "press pedal(2)", "wait 1s", "release pedal(2)", "wait 1s", "event card=anna", "wait 1s"])
    let take = try RecordingStage.take(recording)
    #expect(try RecordingStage.causes(of: RecordingStage.resimulated(take)) == RecordingStage.causes(of: recording))
    let text = try RecordedScenario(of: take, named: "saved", to: .seconds(30)).text()
    #expect(text.contains("event: { card: anna }"), "\(text)")
    let panel = try PanelFile.read(Array(Self.pedal.utf8), file: "test", kinds: .standard)
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "saved.scenario.yaml", for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures.flatMap(\.texts) == [])
  }
}
