import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite struct StepLineReaderTests {
  @Test(
    "each word of a line is a step",
    arguments: [
      ("press bell", .press([0])),
      ("release bell", .release([0])),
      ("  click   reset  ", .click([1])),
      ("hold bell=1500ms", .hold(input: 0, .milliseconds(1500))),
      ("turn knob=-3", .turn(input: 3, detents: -3)),
      ("turn knob=+2", .turn(input: 3, detents: 2)),
      ("switch mute=on", .switch(input: 2, on: true)),
      ("switch mute=off # quiet", .switch(input: 2, on: false)),
      ("unplug audio", .unplug(.audio)),
      ("plug gpio", .plug(.gpio)),
      ("wait 3s", .wait(.span(.seconds(3)))),
      ("bounce bell=2ms", .bounce(input: 0, .milliseconds(2))),
      ("seed 42", .seed(42)),
      ("seed 18446744073709551615", .seed(.max)),
      ("show", .show),
      ("show\r", .show),
      ("expect lamp=off", .expect([.output(0, .off)])),
      ("expect lamp=blinking bar=3 lock=on", .expect([.output(0, .blinking), .output(1, .count(3)), .output(2, .on)])),
      ("expect lamp=0.3", .expect([.output(0, .level(0.3))])),
      ("expect lamp=pulsing level=7", .expect([.output(0, .pulsing), .value(0, 7...7)])),
      (
        "expect state=idle lamp=off playing=chime,hum",
        .expect([.state(.init(region: 0, state: 1), of: nil), .output(0, .off), .playing([0, 1])])
      ),
      ("expect playing=", .expect([.playing([])])),
      ("press bell,reset", .press([0, 1])),
      ("nothing 1m", .nothing(.seconds(60))),
      ("heard bell.pressed,reset.held", .heard([.input(0, 0), .input(1, 2)])),
      ("heard", .heard([])),
      (
        "wait until=\"level >= 3\" at-least=1s at-most=4s",
        .wait(
          .until(
            .init(condition: .comparison(.value(0), .greaterOrEqual, .constant(3)), text: "level >= 3"),
            atLeast: .seconds(1), atMost: .seconds(4)))
      ),
      (
        "wait for=3s while=state==idle",
        .wait(
          .during(
            .seconds(3), .init(condition: .state(.init(region: 0, state: 1)), text: "state==idle")))
      ),
      (
        "expect \"not mute == on\"",
        .expect([.condition(.init(condition: .not(.position(input: 2, 1)), text: "not mute == on"))])
      ),
      ("expect level=3..5 mute=on", .expect([.value(0, 3...5), .position(input: 2, 1)])),
      (
        "expect lamp.blink=250ms",
        .expect([.appearance(0, .blink(on: .milliseconds(250), off: .milliseconds(250), times: nil))])
      ),
      (
        "expect lamp.blink.on=100ms lamp.blink.off=900ms",
        .expect([.appearance(0, .blink(on: .milliseconds(100), off: .milliseconds(900), times: nil))])
      ),
      ("expect lamp.pulse=2s", .expect([.appearance(0, .pulse(.seconds(2)))])),
      (
        "expect gpio=lost audio=there audio.volume=0.5 ended=70",
        .expect([.presence(.gpio, isLost: true), .presence(.audio, isLost: false), .volume(0.5), .ended(70)])
      ),
      ("jam mute=off", .jam(input: 2, position: 0)),
      ("jam bell=pressed", .jam(input: 0, position: 1)),
      ("free mute", .free(input: 2)),
      ("busy lamp,bell", .busy([.output(0), .input(0)])),
      ("idle lamp", .idle([.output(0)])),
      ("stutter 300ms", .stutter(.milliseconds(300))),
      ("power-cut 2s", .powerCut(.seconds(2))),
    ] as [(String, Step)])
  func step(line: String, expected: Step) throws {
    let names = Names(try Fixture.doorbell())
    #expect(try StepLineReader.read(line, line: 1, file: "-", names: names)?.step == expected)
  }

  @Test("a region's state is expected by its name") func regions() throws {
    let text = """
      panel: P
      regions:
        doors: { initial: open, states: { open: } }
        lights: { initial: dark, states: { dark: } }
      """
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    let placed = try StepLineReader.read("expect state.lights=dark state.doors=open", line: 1, file: "-", for: panel)
    #expect(
      placed?.step == .expect([.state(.init(region: 1, state: 2), of: 1), .state(.init(region: 0, state: 1), of: 0)]))
    let bare = Fixture.problems { () throws(Problems) in
      _ = try StepLineReader.read("expect state=open", line: 1, file: "-", for: panel)
    }
    #expect(bare == ["1:14: there are 2 regions; name one: doors, lights"])
  }

  @Test("blank lines and comments are no steps", arguments: ["", "   ", "\t", "# press bell", "  # x", "\r"])
  func nothing(line: String) throws {
    let names = Names(try Fixture.doorbell())
    #expect(try StepLineReader.read(line, line: 1, file: "-", names: names) == nil)
  }

  @Test("the place of a step is that of its word") func position() throws {
    let names = Names(try Fixture.doorbell())
    let placed = try StepLineReader.read("  show", line: 7, file: "-", names: names)
    #expect(placed == .init(step: .show, position: .init(line: 7, column: 3)))
  }

  @Test(
    "a wrong line gets exactly this message",
    arguments: [
      ("pres bell", "9:1: unknown step \"pres\"; did you mean \"press\"?"),
      ("press: bell", "9:1: this is the form for scenario files; here write it as press bell"),
      ("- wait: 3s", "9:1: this is the form for scenario files; here write it as wait 3s"),
      ("{ switch: { mute: on } }", "9:1: this is the form for scenario files; here write it as switch mute=on"),
      ("prss: bell", "9:1: this is the form for scenario files; here write it as press bell"),
      ("press", "9:1: \"press\" needs a name or a value; write it as press bell"),
      ("press bel", "9:7: unknown input \"bel\"; did you mean \"bell\"?"),
      ("press bell now", "9:12: \"now\" is not expected; write it as press bell"),
      ("press mute", "9:7: \"mute\" is not a button; press takes a button"),
      ("hold bell", "9:6: \"bell\" has no =; write it as hold bell=1500ms"),
      ("hold bell=", "9:11: \"hold\" is \"\"; it takes a value, as in \"hold: { bell: 1500ms }\""),
      ("hold bell=3", "9:11: 3 has no unit; write 3ms, 3s or 3m"),
      ("hold =3s", "9:6: unknown input \"\"; inputs: bell, reset, mute, knob"),
      ("hold bell=1s reset=1s", "9:14: \"reset=1s\" is not expected; write it as hold bell=1500ms"),
      ("turn knob=0", "9:11: \"0\" is not a number of detents; write -1000...1000, clockwise positive, not 0"),
      ("turn bell=1", "9:6: \"bell\" is not an encoder; turn takes an encoder"),
      ("switch mute=maybe", "9:13: switch \"mute\" can't be \"maybe\"; it is on or off"),
      ("press bell,,key", "9:12: \"press\" can't contain \"\"; it takes a value, as in \"press: bell\""),
      ("press bell,mute", "9:12: \"mute\" is not a button; press takes a button"),
      ("wait until=\"state == idle\"", "9:1: missing key \"at-most\" of a wait until; it takes a duration: 4s"),
      (
        "wait until=state==idle at-most=1s at-least=2s",
        "9:44: \"at-least\" is 2s; it must not be longer than \"at-most\", 1s"
      ),
      ("wait for=3s while=\"level >\"", "9:26: \"while\" ends after \">\"; a constant must follow: level >= 10"),
      (
        "wait until=\"level > 3\" at-mots=3s at-most=1s",
        "9:24: unknown key \"at-mots\"; did you mean \"at-most\"?"
      ),
      ("expect \"level > 99\"", "9:17: 99 is outside the range of \"level\"; write 0...10"),
      ("expect \"level > 9", "9:8: the quotation marks are not closed; write it as expect lamp=off"),
      ("expect level=5..3", "9:14: 5..3 is in the wrong order; write 3..5"),
      ("expect level=5..", "9:14: \"level\" is \"5..\"; it takes a whole number, or a range: 1..3"),
      ("expect lamp.blnk=1s", "9:13: unknown key \"blnk\"; did you mean \"blink\"?"),
      ("expect bell=down", "9:13: button \"bell\" can't be \"down\"; it is pressed or released"),
      ("expect knob=on", "9:8: encoder \"knob\" has no position; name a button or a switch"),
      ("expect gpio=gone", "9:13: \"gpio\" can't be \"gone\"; it is lost or there"),
      ("expect audio.volume=2", "9:21: \"audio.volume\" is \"2\"; it takes a number 0...1"),
      ("expect ended=-1", "9:14: \"ended\" is \"-1\"; it takes an exit status 0...255, 0 while the panel works"),
      (
        "heard bell.held",
        "9:7: no transition of the panel reacts to bell.held; \"heard\" takes the events of the panel file"
      ),
      (
        "heard bell.prest",
        "9:7: button \"bell\" has no event \"prest\"; it has pressed, released, held, clicked, double-clicked, repeated, "
          + "triple-clicked, quadruple-clicked, quintuple-clicked"
      ),
      ("jam knob=on", "9:5: \"knob\" has no contact to move; name a button or a switch"),
      ("free knob", "9:6: \"knob\" has no contact to move; name a button or a switch"),
      (
        "busy chime", "9:6: \"chime\" is a sound, which has no lines; devices: bell, reset, mute, knob, lamp, bar, lock"
      ),
      ("busy lmap", "9:6: unknown device \"lmap\"; did you mean \"lamp\"?"),
      ("stutter 11s", "9:9: \"stutter\" is 11s; it takes 1ms...10s"),
      ("power-cut 0s", "9:11: \"power-cut\" is 0s; it takes 1ms...1000000m"),
      ("nothing", "9:1: \"nothing\" needs a name or a value; write it as nothing 1m"),
      ("repeat 3", "9:1: \"repeat\" is for scenario files; type its steps"),
      ("wait", "9:1: \"wait\" needs a name or a value; write it as wait 3s"),
      ("wait 3", "9:6: 3 has no unit; write 3ms, 3s or 3m"),
      ("wait 3 s", "9:8: \"s\" is not expected; write it as wait 3s"),
      ("unplug mains", "9:8: can't unplug \"mains\"; write audio or gpio"),
      ("seed x", "9:6: \"x\" is not a seed; write a whole number from 0 to 18446744073709551615"),
      ("show all", "9:6: \"all\" is not expected; write it as show"),
      ("expect", "9:1: \"expect\" needs a name or a value; write it as expect lamp=off"),
      ("expect lamp", "9:8: \"lamp\" has no =; write it as expect lamp=off"),
      ("expect lamp=on lamp=off", "9:16: \"lamp\" is written twice; write it as expect lamp=off"),
      ("expect state=idle state.x=idle", "9:19: \"state.x\" is written twice; write it as expect lamp=off"),
      ("expect lmap=on", "9:8: unknown name \"lmap\" in \"expect\"; did you mean \"lamp\"?"),
      ("expect bar=9", "9:12: \"bar\" is \"9\"; it takes a number of lamps 0...4"),
      ("expect state=idel", "9:14: unknown state \"idel\"; did you mean \"idle\"?"),
      (
        "expect playing=chime,,hum",
        "9:22: \"playing\" can't contain \"\"; it takes a list of sounds: [ chime ], [] for silence"
      ),
      ("expect playing=chime,hmu", "9:22: unknown sound \"hmu\"; did you mean \"hum\"?"),
      (
        "é press",
        "9:1: unknown step \"é\"; steps: press, release, click, type, hold, turn, switch, sense, draw, wait, nothing, heard, expect, "
          + "show, repeat, unplug, …"
      ),
    ])
  func wrong(line: String, expected: String) throws {
    let names = Names(try Fixture.doorbell())
    let found = Fixture.problems { () throws(Problems) in
      _ = try StepLineReader.read(line, line: 9, file: "-", names: names)
    }
    #expect(found == [expected])
  }

  @Test("a line without end is refused") func length() throws {
    let names = Names(try Fixture.doorbell())
    let found = Fixture.problems { () throws(Problems) in
      _ = try StepLineReader.read(String(repeating: "a=b ", count: 100_000), line: 1, file: "-", names: names)
    }
    #expect(found == ["1:1: longer than 4096 bytes; write one step per line"])
  }
}
