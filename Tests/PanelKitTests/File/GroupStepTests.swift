import Testing

@testable import PanelEngine
@testable import PanelLanguage
@testable import PanelRun

@Suite("Steps on groups, sensors, lists and chance")
struct GroupStepTests {
  static let panel = """
    panel: P
    inputs:
      pad: { buttons: [ GPIO1, GPIO2, GPIO3 ] }
      air: { sensor: { w1: 28-00000a1b2c3d }, min: -20, max: 60, decimals: 1, if-lost: keep }
      warm: { switch: { on: air > 28, off: air < 25 } }
    outputs: { lamps: { leds: [ GPIO10, GPIO11 ] }, fan: { relay: GPIO12 } }
    sounds: { notes: { tones: [ 262Hz, 330Hz ] } }
    values: { code: { list: 4, min: 1, max: 3 }, n: { initial: 0, min: 0, max: 9 } }
    initial: a
    states:
      a:
        on:
          pad.pressed: { set: { code: append pad } }
          warm.on: b
      b:
        show: { lamps: { only: n, as: { blink: 100ms } }, fan: on }
        play: [ notes(n) ]
        enter: { set: { n: random 1..2 } }
        on: { pad(3).pressed: a, warm.off: a }

    """

  private func session() throws -> (stage: Stage, names: Names) {
    let stage = try Stage(panel: Self.panel)
    return (stage, stage.names)
  }

  @Test(
    "a line is read as this step",
    arguments: [
      ("type pad=312", .click([2, 0, 1])),
      ("press pad(3)", .press([2])),
      ("click pad(1),pad(2)", .click([0, 1])),
      ("hold pad(2)=1s", .hold(input: 1, .seconds(1))),
      ("jam pad(2)=pressed", .jam(input: 1, position: 1)),
      ("sense air=28.1", .sense(input: 3, 281)),
      ("sense air=-20", .sense(input: 3, -200)),
      ("unplug air", .unplugSensor(input: 3)),
      ("unplug sensor", .unplugPort("sensor")),
      ("plug sensor", .plugPort("sensor")),
      ("plug air", .plugSensor(input: 3)),
      ("draw 3,1,2s", .draw([3, 1, 2000])),
      ("busy lamps", .busy([.output(0), .output(1)])),
      ("heard pad.pressed,pad(3).pressed", .heard([.anyInput(group: 0, 0), .input(2, 0)])),
      ("expect code=[3,1]", .expect([.elements(of: .init(value: 0, first: 0, capacity: 4), [3, 1])])),
      ("expect code=[]", .expect([.elements(of: .init(value: 0, first: 0, capacity: 4), [])])),
      ("expect lamps=[on,off]", .expect([.output(0, .on), .output(1, .off)])),
      ("expect lamps=blinking", .expect([.output(0, .blinking), .output(1, .blinking)])),
      ("expect air=28..30.5 warm=on", .expect([.reading(input: 3, 280...305), .position(input: 4, 1)])),
      ("expect air=lost pad(3)=pressed", .expect([.position(input: 3, 0), .position(input: 2, 1)])),
      ("expect playing=notes(2)", .expect([.playing([1])])),
    ] as [(String, Step)])
  func step(line: String, expected: Step) throws {
    let (_, names) = try session()
    #expect(try StepLineReader.read(line, line: 1, file: "-", names: names)?.step == expected)
  }

  @Test(
    "a wrong line gets exactly this message",
    arguments: [
      ("press pad", "9:7: \"pad\" is a group of 3; write one member, pad(1) to pad(3)"),
      ("press pad(4)", "9:7: unknown input \"pad(4)\"; did you mean \"pad(1)\"?"),
      ("type pad=324", "9:12: \"4\" is not a button of \"pad\"; write digits 1...3"),
      ("type fan=1", "9:6: \"fan\" is not a group of buttons; groups of buttons: pad"),
      ("type lamps=1", "9:6: \"lamps\" is not a group of buttons; groups of buttons: pad"),
      ("sense air=28.15", "9:11: 28.15 has more decimals than \"air\"; write at most 1"),
      ("sense air=61", "9:11: 61 is outside the range of \"air\"; write -20...60"),
      ("sense air=hot", "9:11: \"hot\" is not a reading of \"air\"; write a number, as -20"),
      ("sense pad(1)=3", "9:7: \"pad(1)\" is not a sensor; sense takes a sensor"),
      ("switch warm=on", "9:8: \"warm\" is computed from other inputs; operate those"),
      ("jam warm=on", "9:5: \"warm\" is computed from other inputs; operate those"),
      ("jam air=lost", "9:5: \"air\" has no contact to move; name a button or a switch"),
      ("unplug fan", "9:8: can't unplug \"fan\"; write one of audio, gpio, sensor, air"),
      ("draw 1,two", "9:8: \"two\" is not a random result; write whole numbers and durations: [ 3, 2s ]"),
      ("busy air", "9:6: \"air\" is on no GPIO line; name another device"),
      ("expect pad=pressed", "9:8: \"pad\" is a group of 3; write one member, pad(1) to pad(3)"),
      ("expect code=3", "9:13: \"code\" is \"3\"; it takes a list of its elements: [ 3, 1 ]"),
      ("expect code=[3,4]", "9:16: \"4\" is not an element of \"code\"; write 1...3"),
      (
        "expect lamps=[on]",
        "9:15: \"lamps\" is a list; it takes off, on, blinking, pulsing, fading or a level 0...1, or a list of 2 of them"
      ),
      (
        "expect lamps=bright",
        "9:14: \"lamps\" is \"bright\"; it takes off, on, blinking, pulsing, fading or a level 0...1, or a list of 2 of them"
      ),
      ("expect air=70", "9:12: 70 is outside the range of \"air\"; write -20...60"),
      ("expect air=3..1", "9:12: 3..1 is in the wrong order; write 1..3"),
      ("expect notes=1", "9:8: \"notes\" is a sound; expect playing: [ notes ], or [] for silence"),
    ])
  func wrong(line: String, expected: String) throws {
    let (_, names) = try session()
    let found = Fixture.problems { () throws(Problems) in
      _ = try StepLineReader.read(line, line: 9, file: "-", names: names)
    }
    #expect(found == [expected])
  }

  @Test("buttons of a group, a list, a sensor and chance do what the steps say")
  func run() throws {
    let (stage, _) = try session()
    let first = try stage.take(
      "expect air=unknown code=[]; type pad=312; expect code=[3,1,2]; heard pad.pressed,pad.pressed,pad(2).pressed")
    #expect(first == [])
    let second = try stage.take(
      "draw 2; sense air=20; sense air=28.1; expect warm=on state=b air=28..29 lamps=[off,blinking] playing=notes(2)")
    #expect(second == [])
    let log = FailureContext(of: stage.session).lines
    #expect(log.contains { $0.hasSuffix("  air reads 28.1, warm.on  a -> b") })
    #expect(stage.session.view.line(stage.session.view.all).contains("  code=[3,1,2]  "))
    let third = try stage.take(
      "expect code=[3,1] air=20 lamps=off warm=off; wait until=\"lamps(1) == off and air > 28\" at-most=1s")
    #expect(
      third == [
        "expected code [3, 1]; it is [3, 1, 2]", "expected air 20; it is 28.1", "expected lamps(2) off; it is blinking",
        "expected warm off; it is on",
      ])
    let fourth = try stage.take("unplug air; expect air=lost warm=on; plug air; wait 1m; expect air=there")
    #expect(fourth == [])
    #expect(
      try stage.take("expect \"code == '31' and code.count == 2\"") == [
        "expected code == '31' and code.count == 2; code is [3,1,2]"
      ])
  }

  @Test("a draw that was prescribed outside of its range is a failure of the step that draws")
  func wrongDraw() throws {
    let (stage, _) = try session()
    #expect(try stage.take("draw 3") == [])
    #expect(try stage.take("sense air=20; sense air=40") == ["the next draw was to be 3, which is not in 1..2"])
    #expect(try stage.take("sense air=20; sense air=40") == [])
  }

  @Test("draws wait in a row: a second step doesn't replace the first, and a power cut keeps them")
  func waitingDraws() throws {
    let (stage, _) = try session()
    #expect(
      try stage.take(
        "draw 2; draw 1,2; sense air=20; sense air=40; expect n=2; sense air=20; power-cut 1s; sense air=40") == [])
    #expect(try stage.take("expect n=1; sense air=20; sense air=40; expect n=2") == [])
    #expect(stage.session.frame.prescribedDraws == [])
    let many = Array(repeating: 1, count: 10_000)
    #expect(try stage.session.perform(.draw(many)) == [])
    #expect(
      try stage.take("draw 1") == [
        "more than 10000 results of chance wait to be drawn; let the panel draw some first"
      ])
  }

  @Test("results that nothing has drawn at the end are told at their steps")
  func undrawn() throws {
    let panel = try session().stage.session.panel
    let text = "scenario: S\nstart: { air: 20 }\nsteps: [ { draw: [ 1, 2 ] }, { sense: { air: 40 } }, { draw: 2 } ]"
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    let result = try ScenarioRun(scenario, of: panel).run(scenario.cases[0])
    #expect(result.failures == [])
    #expect(result.undrawn == 2)
    #expect(
      scenario.notes(undrawn: 2) == ["s:3:12: note: no random choice used 2", "s:3:56: note: no random choice used 2"])
    #expect(scenario.notes(undrawn: 0) == [])
  }

  @Test("a draw on a panel without chance is wrong")
  func drawWithoutChance() throws {
    let panel = try Stage("initial: a\nstates: { a: }").session.panel
    let wrong = Fixture.problems { () throws(Problems) in
      _ = try ScenarioFile.read(Array("scenario: S\nsteps: [ { draw: 3 } ]".utf8), file: "s", for: panel)
    }
    #expect(wrong == ["2:12: \"draw\" needs a panel with random choices; leave it out"])
  }

  @Test("a sensor that the start names has been read before the panel starts")
  func start() throws {
    let panel = try session().stage.session.panel
    let text = "scenario: S\nstart: { air: 30 }\nsteps: [ { expect: { air: 30, warm: on, state: a } } ]"
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    #expect(scenario.cases[0].start.readings == [3: 300])
    #expect(try ScenarioRun(scenario, of: panel).run(scenario.cases[0]).failures == [])
    let wrong = Fixture.problems { () throws(Problems) in
      let text = "scenario: S\nstart: { air: 99, warm: on, pad: pressed }\nsteps: [ show ]"
      _ = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    }
    #expect(
      wrong == [
        "2:15: 99 is outside the range of \"air\"; write -20...60",
        "2:19: \"warm\" is computed from other inputs; operate those",
        "2:29: \"pad\" is a group of 3; write one member, pad(1) to pad(3)",
      ])
  }
}
