import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelNetwork
@testable import PanelRun

/// What controllers of shows send: a momentary button 1.0 and then 0.0, a pad how hard it is pressed, a fader
/// fractions.
@Suite("Controllers by Open Sound Control, by a broker and at the socket")
struct OSCButtonTests {
  private static let stagePanel = """
    panel: Show
    inputs:
      go: { button: GPIO5 }
      knob: { encoder: [ GPIO16, GPIO20 ] }
    outputs: { lamp: { led: GPIO23 } }
    values:
      level: { initial: 3, min: -10, max: 10 }
      time:  { initial: 30s, min: 0s, max: 5m }
      n: { initial: 0, min: 0, max: 99 }
      rel: { initial: 0, min: 0, max: 99 }
      cues: { initial: 0, min: 0, max: 99 }
    accept: { set: [ level, time ], press: [ go ], turn: [ knob ], event: [ house ] }
    osc: { send: [ "qlab.lan:53000" ], publish: [ ], accept: "127.0.0.1:19000" }
    mqtt: { publish: [ ] }
    on:
      go.pressed: { set: { n: +1 } }
      go.released: { set: { rel: +1 } }
      network.house: { set: { cues: +1 } }
      knob.clockwise: { set: { level: +1 } }
    show: { lamp: on }
    initial: a
    states: { a: }

    """

  private func stage() throws -> OSCStage { try OSCStage(Self.stagePanel) }

  /// Arguments that a controller sends when its button goes up.
  private static let zeros: [OSCArgument] = [
    .integer(0), .real(0), .real(-0.0), .longInteger(0), .longReal(0), .truth(false), .nothing, .text("0"),
    .text("0.0"), .text("OFF"), .text("off"), .text("false"), .text("F"), .text("N"),
  ]

  @Test("osc event twice: one tap of a controller's button does an event once, whatever it sends when it goes up")
  func eventTwice() throws {
    let stage = try stage()
    var count = 0
    for zero in Self.zeros {
      try stage.send("/panel/show/do/house", .real(1))
      try stage.send("/panel/show/do/house", zero)
      count += 1
      try stage.take("wait 100ms; expect cues=\(count)")
    }
    #expect(stage.connection.refusals.count == 0)
  }

  @Test("osc event twice: a button that has all values sent again has them sent once")
  func getTwice() throws {
    let stage = try stage()
    for zero in Self.zeros {
      try stage.send("/panel/show/get", .real(1))
      try stage.send("/panel/show/get", zero)
      try stage.take("wait 11s")
    }
    #expect(stage.connection.refusals.count == 0)
  }

  @Test(
    "osc event twice: anything else asks, and so does nothing",
    arguments: [
      [], [.integer(1)], [.integer(127)], [.real(0.5)], [.real(-1)], [.truth(true)], [.impulse], [.text("ON")],
      [.text("go")], [.text("")], [.bytes([0])], [.time(1)], [.real(1), .real(0)],
    ] as [[OSCArgument]])
  func asks(_ arguments: [OSCArgument]) throws {
    let stage = try stage()
    stage.desk?.send(OSCMessage("/panel/show/do/house", arguments))
    try stage.take("wait 10ms; expect cues=1")
  }

  @Test("osc event twice: over a broker and at the socket as well")
  func eventElsewhere() throws {
    let stage = try NetworkStage(Self.stagePanel)
    for payload in ["ON", "OFF", "1", "0", "true", "false", "", "0.0", "whatever it is", "off"] {
      try stage.publish(payload, to: "panel/show/do/house")
    }
    try stage.take("expect cues=5")
    let session = stage.stage.session
    for request in ["do house 1", "do house 0", "do house", "do house OFF"] {
      let command = try RemoteCommand(request.split(separator: " ").map(String.init), for: session.panel)
      try session.application.remote.perform(command, by: .init(number: 4))
      try session.bench.settle()
    }
    try stage.take(
      "expect cues=7; remote house=0; expect cues=7; remote house=do; expect cues=8; remote house=1; expect cues=9")
    #expect(!stage.arrived().contains { $0.hasPrefix("panel/show/refused") })
  }

  @Test(
    "osc fader: fractions set a value to the nearest whole number, and what is outside is refused with what was sent")
  func fader() throws {
    let stage = try stage()
    var lines: [String] = []
    stage.connection.refusals.write = { lines.append($0) }
    for (argument, level) in [
      (.real(6.4), 6), (.real(6.9999995), 7), (.real(0.3), 0), (.real(5), 5), (.longReal(9.5), 10), (.integer(9), 9),
      (.real(-4), -4), (.integer(-3), -3), (.real(1e-6), 0), (.real(-0.4), 0), (.text("8"), 8), (.text("-1"), 7),
      (.text("+2"), 9), (.text("= -4"), -4), (.longInteger(1), 1),
    ] as [(OSCArgument, Int)] {
      try stage.send("/panel/show/set/level", argument)
      try stage.take("wait 50ms; expect level=\(level)")
    }
    #expect(stage.connection.refusals.count == 0)
    for argument in [OSCArgument.real(10.6), .real(.infinity), .bytes([1, 2]), .longReal(1e300)] {
      try stage.send("/panel/show/set/level", argument)
      try stage.take("wait 11s; expect level=1")
    }
    #expect(
      lines == [
        "osc refused: set/level 10.6: level is -10 to 10; 10.6 is outside",
        #"osc refused: set/level inf: level is -10 to 10; "inf" is not a number; write 9, +1, -1 or = -4"#,
        "osc refused: set/level: it needs a number: 9, +1, -1 or = -4",
        "osc refused: set/level 1e+300: level is -10 to 10; 1e+300 is outside",
      ])
    try stage.send("/panel/show/set/time", .text("45s"))
    try stage.take("expect time=45s")
    try stage.send("/panel/show/set/time", .integer(45))
    #expect(lines.last == "osc refused: set/time 45: time is 0s to 5m; 45 has no unit; write 45ms, 45s or 45m")
  }

  @Test("a pad that sends how hard it is pressed is one press, and zero ends it, also without a press")
  func pad() throws {
    let stage = try stage()
    var presses = 0
    for zero in Self.zeros {
      for hardness: Float in [0.2, 0.9, 0.5] {
        try stage.send("/panel/show/press/go", .real(hardness))
        try stage.take("wait 20ms; expect go=pressed")
      }
      try stage.send("/panel/show/press/go", zero)
      try stage.send("/panel/show/press/go", zero)
      presses += 1
      try stage.take("wait 100ms; expect go=released n=\(presses) rel=\(presses)")
    }
    for argument in [OSCArgument.integer(127), .impulse, .truth(true), .text("ON"), .text("1"), .text("push")] {
      try stage.send("/panel/show/press/go", argument)
      try stage.take("wait 20ms; expect go=pressed")
      try stage.send("/panel/show/press/go", .text("release"))
      try stage.take("wait 20ms; expect go=released")
    }
    #expect(stage.connection.refusals.count == 0)
  }

  @Test("a press that is sent again and again ends 10 s after the first one")
  func longPad() throws {
    let stage = try stage()
    for _ in 0..<99 {
      try stage.send("/panel/show/press/go", .real(0.7))
      try stage.take("wait 100ms")
    }
    try stage.take("expect go=pressed n=1; wait 101ms; expect go=released")
  }

  @Test(
    "a word that is nearly one that ends or limits a press does not press",
    arguments: ["relase", "released", "clik", "hold", "hold 1m", "bold"])
  func nearly(_ word: String) throws {
    let stage = try stage()
    try stage.send("/panel/show/press/go", .text(word))
    try stage.take("wait 20ms; expect go=released n=0")
    #expect(stage.connection.refusals.count == 1)
  }

  @Test("more arguments than are wanted are dropped")
  func more() throws {
    let stage = try stage()
    try stage.send("/panel/show/set/level", .real(4), .real(0.25))
    try stage.send("/panel/show/press/go", .real(1), .text("page1"))
    try stage.take("wait 20ms; expect level=4 go=pressed")
    try stage.send("/panel/show/press/go", .integer(0), .integer(7))
    try stage.send("/panel/show/turn/knob", .integer(2), .text("x"))
    try stage.take("wait 20ms; expect go=released level=6")
    try stage.send("/panel/show/do/house", .integer(0), .integer(1))
    try stage.take("wait 20ms; expect cues=0")
    try stage.send("/panel/show/press/go", .text("hold"), .text("2s"), .text("more"))
    try stage.take("wait 1900ms; expect go=pressed; wait 200ms; expect go=released")
    try stage.send("/panel/show/set/level", .text("="), .text("-7"))
    try stage.take("expect level=-7")
    #expect(stage.connection.refusals.count == 0)
  }

  @Test("a press by hand is not ended by a controller's zero, and a press from elsewhere is refused")
  func hands() throws {
    let stage = try stage()
    try stage.take("press go; wait 20ms; expect n=1")
    try stage.send("/panel/show/press/go", .integer(0))
    try stage.take("wait 20ms; expect go=pressed")
    #expect(stage.connection.refusals.count == 0)
    try stage.send("/panel/show/press/go", .integer(1))
    #expect(stage.connection.refusals.count == 1)
  }

  @Test("a step of a scenario takes the same for a button, and nothing that may be misspelt")
  func steps() throws {
    let stage = try Stage(panel: Self.stagePanel)
    #expect(
      try stage.take("remote go=1; wait 50ms; expect go=pressed; remote go=1; remote go=0; expect go=released n=1")
        == [])
    #expect(try stage.take("remote go=0; remote go=ON; expect go=pressed n=2; remote go=OFF; expect go=released") == [])
    for (word, text) in [
      ("push", "go takes press, release, click or hold 2s, 1 or 0"),
      ("hold", "write hold NAME DURATION"),
    ] {
      #expect(thrown(Problems.self) { _ = try stage.take("remote go=\(word)") }?.list.map(\.text) == [text])
    }
  }
}
