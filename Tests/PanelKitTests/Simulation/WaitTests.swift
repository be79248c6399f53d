import Testing

@testable import PanelRun

@Suite("What steps wait for and hear")
struct WaitTests {
  /// The lamp lights 900 ms after the key, for 2 s.
  static let states = """
    initial: a
    states:
      a: { on: { key.pressed: b } }
      b: { after: { 900ms: c } }
      c: { show: { lamp: on }, enter: { set: { level: 8 } }, after: { 2s: a } }
    """

  @Test("a wait for a condition ends at the very moment when it holds")
  func until() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("press key; wait until=state==c at-least=905ms at-most=905ms") == [])
    #expect(stage.session.elapsed == .milliseconds(905))
    #expect(try stage.take("wait until=\"level == 8\" at-most=1m") == [])
    #expect(stage.session.elapsed == .milliseconds(905))
  }

  @Test("a condition that comes too early, or not in time, is a failure")
  func wrongUntil() throws {
    let stage = try Stage(Self.states)
    #expect(
      try stage.take("press key; wait until=state==c at-least=1s at-most=4s") == [
        "expected state==c after 1s at least; it was so after 0.905s"
      ])
    #expect(stage.session.elapsed == .milliseconds(905))
    #expect(
      try stage.take("wait until=\"level > 8 and mute == on\" at-most=1500ms") == [
        "expected level > 8 and mute == on within 1500ms; level is 8, mute is off"
      ])
    #expect(stage.session.elapsed == .milliseconds(2405))
  }

  static let resting = """
    panel: R
    inputs: { key: { switch: GPIO5 } }
    outputs: { heater: { relay: GPIO24, rest: 3m } }
    initial: a
    states: { a: { show: { heater: { when: { key == on: on } } } } }
    """

  @Test("an output that changes at the last moment, without an event of the panel, ends a wait")
  func lastMoment() throws {
    let stage = try Stage(panel: Self.resting)
    let opened = "switch key=on; wait 1s; switch key=off; wait 5ms; switch key=on"
    #expect(try stage.take("\(opened); wait until=\"heater == on\" at-most=3m") == [])
    #expect(try stage.take("\(opened); wait until=\"heater == on\" at-most=179999ms").count == 1)
    let other = try Stage(panel: Self.resting)
    #expect(try other.take("\(opened); wait for=3m while=\"heater == off\"").count == 1)
  }

  @Test("a state that comes and goes in one moment ends a wait for it")
  func passing() throws {
    let stage = try Stage(
      "initial: a\nstates: { a: { after: { 1s: b } }, b: { after: { 0s: c } }, c: }")
    #expect(try stage.take("wait until=state==b at-most=4s; expect state=c") == [])
    #expect(stage.session.elapsed == .seconds(1))
  }

  @Test("a wait while a condition holds fails at the moment when it ends")
  func during() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("wait for=3s while=state==a") == [])
    #expect(
      try stage.take("press key; wait for=3s while=state==a") == [
        "expected state==a for 3s; after 0.005s state is b"
      ])
    #expect(stage.session.elapsed == .milliseconds(3005))
  }

  @Test("a condition that doesn't hold at first ends a wait at once")
  func duringFromTheStart() throws {
    let stage = try Stage(Self.states)
    #expect(try stage.take("wait for=3s while=state==b") == ["expected state==b for 3s; after 0.000s state is a"])
    #expect(stage.session.elapsed == .zero)
  }

  @Test("nothing happens while a lamp blinks on, an event without a reaction comes, and time passes")
  func nothing() throws {
    let stage = try Stage("initial: a\nstates: { a: { show: { lamp: { blink: 100ms } } } }")
    #expect(try stage.take("press key; nothing 1m") == [])
    #expect(stage.session.elapsed == .seconds(60))
  }

  @Test("a change of state or of a value that nothing shows is nothing")
  func nothingShown() throws {
    let stage = try Stage("initial: a\nstates: { a: { after: { 2s: b } }, b: { enter: { set: { level: 9 } } } }")
    #expect(try stage.take("nothing 5s; expect state=b level=9") == [])
  }

  @Test(
    "nothing ends with the first thing that is shown or told",
    arguments: [
      ("after: { 2s: b }", "expected nothing for 5s; after 2.000s lamp is on"),
      ("every: { 2s: { set: { level: 9 } } }, show: { bar: level }", "expected nothing for 5s; after 2.000s bar is 4"),
      ("on: { key.pressed: { go: b, if: level == 9 } }", "expected nothing for 5s; after 0.005s key.pressed came"),
      ("on: { key.pressed: { set: { level: 5 } } }", "expected nothing for 5s; after 0.005s key.pressed came"),
      ("on: { key.pressed: b }", "expected nothing for 5s; after 0.005s key.pressed came"),
      ("play: [ chime ]", "expected nothing for 5s; after 1.200s playing is nothing"),
    ])
  func notNothing(what: String, told: String) throws {
    let stage = try Stage(
      "initial: a\nstates: { a: { on: { bell.pressed: b }, \(what) }, b: { show: { lamp: on } } }"
        .replacing("on: { bell.pressed: b }, on: { ", with: "on: { bell.pressed: b, "))
    #expect(try stage.take("press key; nothing 5s") == [told])
  }

  @Test("exactly the events that the file names are heard, in their order, since the last time")
  func heard() throws {
    let stage = try Stage(
      "initial: a\nstates: { a: { on: { key.pressed: b, mute.on: b } }, b: { play: [ chime ], on: { chime.finished: a } } }"
    )
    #expect(try stage.take("heard; click key; click bell; heard key.pressed; heard") == [])
    #expect(try stage.take("switch mute=on; wait 3s; heard mute.on,chime.finished; heard") == [])
    #expect(try stage.take("click key; heard mute.on") == ["expected the events mute.on; the events were key.pressed"])
    #expect(try stage.take("heard key.pressed") == ["expected the events key.pressed; the events were nothing"])
    #expect(try stage.take("click key; heard") == ["expected the events nothing; the events were key.pressed"])
  }

  @Test("of very many events the first thousand are kept")
  func heardBound() throws {
    let stage = try Stage("initial: a\nstates: { a: { on: { knob.clockwise: b } }, b: { on: { knob.clockwise: a } } }")
    let failures = try stage.take("turn knob=700; turn knob=700; heard")
    #expect(stage.session.record?.heard.count == 0)
    #expect(failures.first?.hasSuffix("knob.clockwise, and 980 more") == true)
    #expect(stage.session.record?.heardCount == 1400)
  }

  @Test("loss and return of hardware are heard where the file names them")
  func heardLoss() throws {
    let stage = try Stage("initial: a\nstates: { a: { on: { gpio.lost: b } }, b: { on: { gpio.restored: a } } }")
    #expect(try stage.take("unplug gpio; wait 1s; plug gpio; wait 5s; heard gpio.lost,gpio.restored") == [])
  }
}
