import Testing

@testable import PanelKit

@Suite struct StepLineTests {
  @Test(
    "each word of a line is a step",
    arguments: [
      ("press bell", .press(input: 0)),
      ("release bell", .release(input: 0)),
      ("  click   reset  ", .click(input: 1)),
      ("hold bell=1500ms", .hold(input: 0, .milliseconds(1500))),
      ("turn knob=-3", .turn(input: 3, detents: -3)),
      ("turn knob=+2", .turn(input: 3, detents: 2)),
      ("switch mute=on", .switch(input: 2, on: true)),
      ("switch mute=off # quiet", .switch(input: 2, on: false)),
      ("unplug audio", .unplug(.audio)),
      ("plug gpio", .plug(.gpio)),
      ("wait 3s", .wait(.seconds(3))),
      ("bounce bell=2ms", .bounce(input: 0, .milliseconds(2))),
      ("seed 42", .seed(42)),
      ("seed 18446744073709551615", .seed(.max)),
      ("show", .show),
      ("show\r", .show),
      ("expect lamp=off", .expect([.output(0, .off)])),
      ("expect lamp=blinking bar=3 lock=on", .expect([.output(0, .blinking), .output(1, .count(3)), .output(2, .on)])),
      ("expect lamp=0.3", .expect([.output(0, .level(0.3))])),
      ("expect lamp=pulsing level=7", .expect([.output(0, .pulsing), .value(0, 7)])),
      (
        "expect state=idle lamp=off playing=chime,hum",
        .expect([.state(.init(region: 0, state: 1), of: nil), .output(0, .off), .playing([0, 1])])
      ),
      ("expect playing=", .expect([.playing([])])),
    ] as [(String, Step)])
  func step(line: String, expected: Step) throws {
    let names = Names(try Fixture.doorbell())
    #expect(try StepLine.read(line, line: 1, file: "-", names: names)?.step == expected)
  }

  @Test("a region's state is expected by its name") func regions() throws {
    let text = """
      panel: P
      regions:
        doors: { initial: open, states: { open: } }
        lights: { initial: dark, states: { dark: } }
      """
    let panel = try PanelFile.read(Array(text.utf8), file: "test")
    let placed = try StepLine.read("expect state.lights=dark state.doors=open", line: 1, file: "-", for: panel)
    #expect(
      placed?.step == .expect([.state(.init(region: 1, state: 2), of: 1), .state(.init(region: 0, state: 1), of: 0)]))
    let bare = Fixture.problems { () throws(Problems) in
      _ = try StepLine.read("expect state=open", line: 1, file: "-", for: panel)
    }
    #expect(bare == ["1:14: there are 2 regions; say which: doors, lights"])
  }

  @Test("blank lines and comments are no steps", arguments: ["", "   ", "\t", "# press bell", "  # x", "\r"])
  func nothing(line: String) throws {
    let names = Names(try Fixture.doorbell())
    #expect(try StepLine.read(line, line: 1, file: "-", names: names) == nil)
  }

  @Test("the place of a step is that of its word") func position() throws {
    let names = Names(try Fixture.doorbell())
    let placed = try StepLine.read("  show", line: 7, file: "-", names: names)
    #expect(placed == .init(step: .show, position: .init(line: 7, column: 3)))
  }

  @Test(
    "a wrong line gets exactly this message",
    arguments: [
      ("pres bell", "9:1: unknown step \"pres\"; did you mean \"press\"?"),
      ("press", "9:1: \"press\" of what; write it as press bell"),
      ("press bel", "9:7: unknown input \"bel\"; did you mean \"bell\"?"),
      ("press bell now", "9:12: \"now\" is too much; write it as press bell"),
      ("press mute", "9:7: \"mute\" is no button; press takes a button"),
      ("hold bell", "9:6: \"bell\" has no =; write it as hold bell=1500ms"),
      ("hold bell=", "9:11: \"hold\" is \"\"; it takes what \"hold: { bell: 1500ms }\" shows"),
      ("hold bell=3", "9:11: 3 has no unit; write 3ms, 3s or 3m"),
      ("hold =3s", "9:6: unknown input \"\"; inputs: bell, reset, mute, knob"),
      ("hold bell=1s reset=1s", "9:14: \"reset=1s\" is too much; write it as hold bell=1500ms"),
      ("turn knob=0", "9:11: \"0\" detents; write -1000...1000, clockwise positive, not 0"),
      ("turn bell=1", "9:6: \"bell\" is no encoder; turn takes an encoder"),
      ("switch mute=maybe", "9:13: a switch is \"maybe\"; write on or off"),
      ("wait", "9:1: \"wait\" of what; write it as wait 3s"),
      ("wait 3", "9:6: 3 has no unit; write 3ms, 3s or 3m"),
      ("wait 3 s", "9:8: \"s\" is too much; write it as wait 3s"),
      ("unplug mains", "9:8: can't unplug \"mains\"; write audio or gpio"),
      ("seed x", "9:6: seed \"x\"; write a whole number from 0 to 18446744073709551615"),
      ("show all", "9:6: \"all\" is too much; write it as show"),
      ("expect", "9:1: \"expect\" of what; write it as expect lamp=off"),
      ("expect lamp", "9:8: \"lamp\" has no =; write it as expect lamp=off"),
      ("expect lamp=on lamp=off", "9:16: \"lamp\" twice; write it as expect lamp=off"),
      ("expect state=idle state.x=idle", "9:19: \"state.x\" twice; write it as expect lamp=off"),
      ("expect lmap=on", "9:8: nothing called \"lmap\" to expect; did you mean \"lamp\"?"),
      ("expect bar=9", "9:12: \"bar\" is \"9\"; it takes a number of lamps 0...4"),
      ("expect state=idel", "9:14: unknown state \"idel\"; did you mean \"idle\"?"),
      ("expect playing=chime,,hum", "9:22: \"\" in \"playing\"; it takes a list of sounds: [ chime ], [] for silence"),
      ("expect playing=chime,hmu", "9:22: unknown sound \"hmu\"; did you mean \"hum\"?"),
      (
        "é press",
        "9:1: unknown step \"é\"; steps: press, release, click, hold, turn, switch, wait, expect, show, unplug, plug, "
          + "bounce, seed"
      ),
    ])
  func wrong(line: String, expected: String) throws {
    let names = Names(try Fixture.doorbell())
    let found = Fixture.problems { () throws(Problems) in
      _ = try StepLine.read(line, line: 9, file: "-", names: names)
    }
    #expect(found == [expected])
  }

  @Test("a line without end is refused") func length() throws {
    let names = Names(try Fixture.doorbell())
    let found = Fixture.problems { () throws(Problems) in
      _ = try StepLine.read(String(repeating: "a=b ", count: 100_000), line: 1, file: "-", names: names)
    }
    #expect(found == ["1:1: longer than 4096 bytes; write one step a line"])
  }
}
