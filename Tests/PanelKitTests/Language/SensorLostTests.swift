import CycleCore
import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

@Suite("Sensor lost: what a sensor counts as without its hardware")
struct SensorLostTests {
  private static func heater(_ setting: String) -> String {
    """
    panel: Heater with hysteresis
    inputs:
      room: { sensor: { w1: any }, min: -10, max: 40, initial: 20\(setting) }
    outputs: { heater: { relay: GPIO24 } }
    initial: resting
    states:
      resting: { when: { room < 19: heating } }
      heating: { show: { heater: on }, when: { room >= 21: resting } }

    """
  }

  @Test("a heater whose thermometer is pulled is off for as long as the file's number says that it is warm")
  func heater() throws {
    let stage = try Stage(panel: Self.heater(", if-lost: max"))
    try stage.sense("room", 18)
    #expect(try stage.take("wait 1s; expect heater=on") == [])
    try stage.unplug("room")
    #expect(try stage.take("wait 12s; expect heater=off room=lost; wait 600m; expect heater=off") == [])
    // The first reading counts.
    #expect(try stage.take("plug room; wait 12s; expect room=18 heater=on") == [])
  }

  @Test("keep is a decision: the heater goes on with the last number")
  func keep() throws {
    let stage = try Stage(panel: Self.heater(", if-lost: keep"))
    try stage.sense("room", 18)
    try stage.unplug("room")
    #expect(try stage.take("wait 10m; expect heater=on room=lost") == [])
  }

  @Test("min, and a number with the sensor's decimals, count in conditions, computed switches, set and texts")
  func everywhere() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs:
          air: { sensor: { w1: any }, min: 0, max: 50, decimals: 1, if-lost: 30.5 }
          cold: { sensor: { file: /run/cold }, min: -40, max: 40, if-lost: min }
          warm: { switch: { on: air > 28, off: air < 25 }, debounce: 2s }
          key: { button: GPIO4 }
        outputs:
          lamp: { led: GPIO5 }
          lamps: { leds: [ GPIO6, GPIO7, GPIO8 ] }
          screen: { display: { i2c: 0x27 } }
        values: { n: { initial: 7, min: -99, max: 99 }, level: { initial: 0, min: 0, max: 50 } }
        show: { screen: "{air} {cold + 1}", lamps: { only: cold + 42 } }
        on: { key.pressed: { set: { n: cold, level: air } } }
        initial: x
        states: { x: { when: { warm == on: y } }, y: { show: { lamp: on }, when: { warm == off: x } } }

        """)
    func screen() -> String { "\(stage.session.look(of: 4))" }
    // Neither is known at first, and n stays.
    #expect(try stage.take("click key; expect n=7 lamp=off") == [])
    try stage.sense("air", 200)
    try stage.sense("cold", 5)
    #expect(try stage.take("wait 3s; click key; expect n=5 level=20 warm=off") == [])
    #expect(screen() == "20 6")
    try stage.unplug("air")
    try stage.unplug("cold")
    // The debounce of the switch begins with the loss.
    #expect(try stage.take("wait 1900ms; expect lamp=off; wait 12s; expect lamp=on warm=on lamps(2)=on") == [])
    #expect(try stage.take("click key; expect n=-40 level=31") == [])
    #expect(screen() == "- -")
    try stage.sense("air", 200)
    try stage.sense("cold", -40)
    #expect(try stage.take("plug air; plug cold; wait 14s; expect lamp=off warm=off cold=-40") == [])
  }

  @Test("a sensor that is away at the start counts as its number as soon as that is known")
  func start() throws {
    let text = Self.heater(", if-lost: min").replacing("initial: 20, ", with: "")
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    let scenario = try ScenarioFile.read(
      Array("scenario: S\nsteps: [ { unplug: room }, { expect: { room: lost, heater: on } } ]".utf8), file: "s",
      for: panel)
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
  }

  @Test("what a sensor can't count as is an error at its place")
  func wrong() {
    func problem(_ setting: String, range: String = "min: 0, max: 50, decimals: 1") -> [String] {
      Fixture.problems(
        ofPanel: "panel: P\ninputs: { air: { sensor: { w1: any }, \(range), if-lost: \(setting) } }\n"
          + "initial: a\nstates: { a: }\n")
    }
    #expect(problem("60") == ["2:78: 60 is outside the range of \"air\"; write 0...50, min, max or keep"])
    #expect(
      problem("0.55") == ["2:78: \"if-lost\" is 0.55, which has more than 1 decimal; give it decimals: 2"])
    #expect(
      problem("off") == [
        "2:78: \"if-lost\" is \"off\"; it takes its number while it is lost: max, min, a number of its range, or keep"
      ])
    #expect(problem("50") == [])
    #expect(problem("keep") == [])
  }

  // MARK: - The error

  private static let top = """
    panel: T
    inputs:
      a: { button: GPIO5 }
      air: { sensor: { w1: any }, min: 0, max: 50, decimals: 1 }
      warm: { switch: { on: air > 28, off: air < 25 } }
      sure: { switch: { on: air > 28, off: air < 25 or air == lost } }
    outputs: { l: { led: GPIO23 }, fan: { relay: GPIO24 } }
    values: { n: { initial: 0, min: 0, max: 10 } }
    accept: { set: [ n ] }

    """

  private func problems(_ states: String) -> [String] { Fixture.problems(ofPanel: Self.top + states) }

  @Test("a relay that stays on without its sensor is an error where the state shows it")
  func stays() {
    #expect(
      problems(
        "initial: x\nstates:\n  x: { on: { a.pressed: y } }\n  y: { show: { fan: on }, when: { air > 25: x } }\n") == [
          #"13:16: relay "fan" stays on if sensor "air" is lost; give "air" if-lost: max (it then counts as 50), min, a number or keep, or react to air == lost in state y"#
        ])
  }

  @Test(
    "so it is by whatever compares the sensor, and the number is proposed that ends the state",
    arguments: [
      ("y: { show: { fan: on }, when: { warm == off: x } }", "min (it then counts as 0), max"),
      ("y: { show: { fan: on }, on: { warm.off: x } }", "min (it then counts as 0), max"),
      (
        "y: { show: { fan: on }, on: { a.pressed: x }, after: { 1s: [ { go: x, if: air < 20 } ] } }",
        "min (it then counts as 0), max"
      ),
      ("y: { show: { fan: on }, on: { a.pressed: { go: x, if: 2 < air } } }", "max (it then counts as 50), min"),
      (
        "y: { when: { air > 30: x }, initial: z, states: { z: { show: { fan: on } } } }",
        "max (it then counts as 50), min"
      ),
    ])
  func ways(state: String, remedy: String) {
    let told = problems("initial: x\nstates:\n  x: { on: { a.pressed: y } }\n  \(state)\n")
    #expect(told.count == 1 && told[0].contains("give \"air\" if-lost: \(remedy), a number or keep"), "\(told)")
  }

  @Test("a region that only comparisons lead decides for the relay of another one")
  func regions() {
    func text(_ ends: String) -> String {
      """
      regions:
        mode: { initial: cool, states: { cool: { when: { air > 28: hot } }, hot: { when: { \(ends): cool } } } }
        fan:
          initial: x
          states: { x: { when: { state.mode == hot: y } }, y: { show: { fan: on }, when: { state.mode == cool: x } } }

      """
    }
    #expect(problems(text("air < 20")).count == 1)
    #expect(problems(text("air < 20 or air == lost")) == [])
  }

  @Test(
    "no error where the file decides, where a sensor ends nothing, and for lamps",
    arguments: [
      "y: { show: { fan: on }, when: { air > 25 or air == lost: x } }",
      "y: { show: { fan: on }, when: { air > 25: x }, on: { air.lost: x } }",
      "y: { show: { fan: on }, when: { sure == off: x } }",
      "y: { show: { fan: on }, on: { a.pressed: x } }",
      "y: { show: { l: on }, when: { air > 25: x } }",
      "y: { show: { fan: off }, when: { air > 25: x } }",
    ])
  func decided(state: String) {
    #expect(problems("initial: x\nstates:\n  x: { on: { a.pressed: y } }\n  \(state)\n") == [])
    let states =
      "initial: x\nstates: { x: { on: { a.pressed: y } }, y: { show: { fan: on }, when: { air > 25: x } } }\n"
    #expect(problems("when: { air == lost: x }\n" + states) == [])
    #expect(problems("never: { blind: fan == on and air == lost }\n" + states) == [])
  }

  @Test("a misspelt word of a sensor gets the words that there are")
  func misspelt() {
    func problem(_ condition: String) -> [String] {
      problems(
        "initial: x\nstates:\n  x: { on: { a.pressed: { go: y, if: \(condition) } } }\n  y: { show: { l: on } }\n")
    }
    #expect(problem("air == unknwon") == ["12:45: a sensor can't be \"unknwon\"; write there, lost or unknown"])
    #expect(problem("air != losst") == ["12:45: a sensor can't be \"losst\"; write there, lost or unknown"])
    #expect(problem("air == warmth") == ["12:45: unknown value \"warmth\"; values: n"])
    #expect(problem("air == unknown") == [])
  }

  @Test("a relay that follows a sensor without hysteresis is noted at the comparison that closes it")
  func chatter() throws {
    func notes(_ there: String, _ back: String, show: String = "fan: on") throws -> [String] {
      let text =
        Self.top.replacing("decimals: 1 }", with: "decimals: 1, if-lost: max }")
        + "initial: x\nstates:\n  x: { when: { \(there): y }, on: { a.pressed: y } }\n  y: { show: { \(show) }, when: { \(back): x } }\n"
      return try PanelFile.read(Array(text.utf8), file: "test").notes.map { "\($0.line):\($0.column): \($0.text)" }
    }
    let note =
      "12:16: relay \"fan\" follows \"air\" directly and switches often around 25; use a switch with on: and off:"
    #expect(try notes("air > 25", "air <= 25") == [note])
    #expect(try notes("air > 25", "air < 25") == [note])
    #expect(try notes("25 <= air", "25 > air") == [note])
    #expect(try notes("air < 25", "air >= 25") == [note])
    #expect(try notes("air > 25", "air < 24") == [])
    #expect(try notes("air > 25 and a == pressed", "air < 25") == [])
    #expect(try notes("air > 25", "air < 25", show: "l: on") == [])
    #expect(try notes("warm == on", "warm == off") == [])
  }

  // MARK: - The freezer

  @Test("an alarm is silent at the start, and loud five minutes after the loss of its sensor")
  func freezer() throws {
    let stage = try Stage(
      panel: """
        panel: Freezer
        inputs:
          cold: { sensor: { w1: any }, min: -40, max: 40, decimals: 1, if-lost: max }
          warm: { switch: { on: cold > -10, off: cold < -12 }, debounce: 5s }
          key: { button: GPIO17 }
        outputs: { horn: { relay: GPIO24 } }
        initial: fine
        states:
          fine: { when: { warm == on: waiting } }
          waiting: { when: { warm == off: fine }, after: { 5m: alarm } }
          alarm: { show: { horn: on }, on: { key.pressed: muted }, when: { warm == off: fine } }
          muted: { when: { warm == off: fine }, after: { 15m: alarm } }

        """)
    #expect(try stage.take("expect horn=off warm=unknown; wait 20m; expect horn=off") == [])
    try stage.sense("cold", -180)
    #expect(try stage.take("wait 10m; expect horn=off cold=-18") == [])
    try stage.unplug("cold")
    #expect(try stage.take("wait 299s; expect horn=off; wait 20s; expect horn=on") == [])
    #expect(try stage.take("click key; wait 1s; expect horn=off") == [])
    #expect(try stage.take("plug cold; wait 20s; expect state=fine") == [])
  }

  @Test("a reload decides anew what a sensor counts as that is lost")
  func reload() throws {
    let stage = try ReloadStage(Self.heater(", if-lost: keep"))
    #expect(try stage.take("sense room=18; expect heater=on; unplug room; wait 10m; expect heater=on room=lost") == [])
    try stage.reload(Self.heater(", if-lost: max"))
    #expect(try stage.take("wait 1ms; expect heater=off room=lost; wait 20s; expect heater=off") == [])
    #expect(try stage.take("plug room; wait 20s; expect room=18 heater=on") == [])
  }

  @Test("a recording of a loss is replayed with the same frames")
  func recording() throws {
    let recording = try RecordingStage.recording(
      Self.heater(", if-lost: max"), ["sense room=18", "wait 1s", "unplug room", "wait 1m", "plug room", "wait 1m"])
    let panel = try PanelFile.read(Array(Self.heater(", if-lost: max").utf8), file: "test")
    let application = try PanelApplication.undriven(panel)
    _ = try application.cycle.replay(
      RecordingReader(RecordingBytes(recording), name: "test.recording"), ReplayOptions())
    #expect(application.frame[reading: 0] == 18)
    #expect(
      RecordingStage.causes(of: recording).contains { $0.contains("lost") }, "\(RecordingStage.causes(of: recording))")
  }

  @Test("a broker is told no number while the sensor is lost, whatever it counts as")
  func network() throws {
    let text = Self.heater(", if-lost: max").replacing(
      "initial: resting", with: "mqtt: { publish: all }\ninitial: resting")
    let stage = try NetworkStage(text)
    func told() -> [String] {
      stage.arrived().filter { $0.contains("/room") && !$0.contains("event") }.map {
        String($0.split(separator: "/", maxSplits: 2)[2])
      }
    }
    try stage.take("sense room=18; wait 2s")
    #expect(told().contains("input/room 18"))
    try stage.take("unplug room; wait 20s; expect heater=off")
    #expect(told() == ["input/room None", "availability/room offline"])
    try stage.take("plug room; wait 20s; expect heater=on")
    #expect(told() == ["input/room 18", "availability/room online"])
  }
}
