import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelNetwork
@testable import PanelRun

@Suite("A panel that speaks Open Sound Control")
struct OSCConnectionTests {
  @Test("all receivers get the same: first all values, then events, messages and what changes")
  func tells() throws {
    let stage = try OSCStage()
    #expect(
      stage.arrived() == [
        "/idle", "/state/main idle", "/value/level 7", "/value/wait 1s", "/value/code", "/input/bell 0",
        "/input/mute 0",
        // Nothing is sent of a sensor that has not been read.
        "/output/lamp 0 off", "/sound/chime 0", "/trouble",
      ])
    try stage.take("click bell; wait 300ms")
    let arrived = stage.arrived()
    #expect(
      arrived.filter { !$0.hasPrefix("/input") && !$0.hasPrefix("/sound") } == [
        "/event/bell pressed", "/cue/5/start", "/cue/6/start", "/event/bell released", "/state/main ringing",
        "/output/lamp 1 blink 250ms",
      ], "\(arrived)")
    try stage.take("wait 1s")
    #expect(
      stage.arrived() == ["/sound/chime 0", "/cue/5/stop", "/over", "/idle", "/state/main idle", "/output/lamp 0 off"])
    #expect(stage.receivers[1].arrivals.map(\.message) == stage.receivers[0].arrivals.map(\.message))
    #expect(stage.receivers.allSatisfy { $0.damagedCount == 0 })
  }

  @Test("only what publish names is published, and messages")
  func tellsSome() throws {
    let text = """
      panel: Show
      inputs: { bell: { button: GPIO1 } }
      outputs: { lamp: { led: GPIO2 } }
      osc: { send: [ "qlab.lan:53000" ], publish: [ bell, state ] }
      initial: off
      states:
        off: { on: { bell.pressed: { go: lit, send: { osc: /go } } } }
        lit: { show: { lamp: on } }

      """
    let stage = try OSCStage(text)
    try stage.take("click bell; wait 1s")
    #expect(
      stage.arrived() == [
        "/state/main off", "/input/bell 0", "/trouble", "/event/bell pressed", "/go", "/event/bell released",
        "/state/main lit", "/input/bell 0",
      ])
  }

  @Test("others set values, press buttons, turn knobs and ask for events as the file accepts it")
  func commands() throws {
    let stage = try OSCStage()
    try stage.send("/panel/show/set/level", .integer(9))
    try stage.take("expect level=9")
    try stage.send("/panel/show/set/level", .real(3))
    try stage.send("/panel/show/set/wait", .text("250ms"))
    try stage.take("expect level=3 wait=250ms")
    try stage.send("/panel/show/turn/knob", .integer(2))
    try stage.take("wait 20ms; expect level=5")
    try stage.send("/panel/show/press/bell")
    try stage.take("expect state=ringing bell=pressed; wait 100ms; expect bell=released; wait 1s; expect state=idle")
    for (on, off) in [(OSCArgument.real(1), OSCArgument.real(0)), (.text("press"), .text("release"))] {
      try stage.send("/panel/show/press/bell", on)
      try stage.take("wait 5s; expect bell=pressed")
      try stage.send("/panel/show/press/bell", off)
      try stage.take("expect bell=released; wait 2s")
    }
    try stage.send("/panel/show/press/bell", .text("hold 2s"))
    try stage.take("wait 1900ms; expect bell=pressed; wait 200ms; expect bell=released")
    _ = stage.arrived()
    try stage.send("/panel/show/do/light", .integer(1))
    #expect(stage.arrived() == ["/light"])
    #expect(stage.connection.refusals.count == 0)
  }

  @Test(
    "what can't be done is refused, counted and told in the log",
    arguments: [
      (OSCMessage("/panel/show/set/level", [.integer(99)]), "set/level 99: level is 0 to 10; 99 is outside"),
      (
        OSCMessage("/panel/show/set/code", [.integer(1)]),
        "set/code 1: refused: the panel file does not allow the value \"code\""
      ),
      (OSCMessage("/panel/show/press/mute"), "press/mute: mute is a switch, which press is not for"),
      (
        OSCMessage("/panel/show/set/level", [.text("9\n\u{1B}[2J")]),
        #"level is 0 to 10; "9 \u{1b}[2J" is not a number; write 9, +1, -1 or = -4"#
      ),
      (OSCMessage("/panel/show/press/bell", [.text("hold 1m")]), "bell is held for 1ms to 10s"),
      (
        OSCMessage("/panel/show/do/dark"),
        "do/dark: refused: the panel file does not allow the event \"dark\"; add accept: { event: [dark] }"
      ),
      (OSCMessage("/panel/show/turn/knob", [.integer(1000)]), "knob turns by 1 to 100 detents"),
      (
        OSCMessage("/panel/show/nothing"),
        "there is no such command; write set/NAME, press/NAME, turn/NAME or do/NAME"
      ),
    ])
  func refuses(_ message: OSCMessage, _ why: String) throws {
    let stage = try OSCStage()
    var lines: [String] = []
    stage.connection.refusals.write = { lines.append($0) }
    let before = stage.stage.session.frame
    stage.desk?.send(message)
    try stage.stage.session.bench.settle()
    #expect(lines.count == 1 && lines[0].hasPrefix("osc refused: ") && lines[0].contains(text: why), "\(lines)")
    let controls = lines.joined().utf8.filter { $0 < 0x20 }
    #expect(controls.isEmpty)
    #expect(stage.connection.refusals.count == 1 && stage.stage.session.frame == before)
  }

  @Test("whatever a datagram has, the panel goes on; what is for another panel is nothing")
  func hostile() throws {
    let stage = try OSCStage()
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      var datagram = OSCMessage("/panel/show/set/level", [.integer(9), .text("x")]).datagram
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        datagram[Int.random(in: datagram.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      stage.desk?.send(Array(datagram.prefix(Int.random(in: 0...datagram.count, using: &random))))
      try stage.take("wait 50ms")
    }
    let count = stage.connection.refusals.count
    #expect(count > 100)
    try stage.send("/panel/other/set/level", .integer(99))
    try stage.send("/", .integer(1))
    try stage.send("/panel", .integer(1))
    #expect(stage.connection.refusals.count == count)
    try stage.send("/panel/show/set/level", .integer(4))
    try stage.take("expect level=4")
  }

  @Test("refusals are told each 10 s at most, with how many there were")
  func quietLog() throws {
    let stage = try OSCStage()
    var lines: [String] = []
    stage.connection.refusals.write = { lines.append($0) }
    for _ in 0..<5 { try stage.send("/panel/show/set/level", .integer(99)) }
    try stage.take("wait 11s")
    try stage.send("/panel/show/set/level", .integer(98))
    #expect(
      lines == [
        "osc refused: set/level 99: level is 0 to 10; 99 is outside",
        "osc refused: set/level 98: level is 0 to 10; 98 is outside; 4 more before that",
      ])
  }

  @Test("of a flood 20 a second are looked at, and get has all told anew")
  func flood() throws {
    let stage = try OSCStage()
    _ = stage.arrived()
    try stage.send("/panel/show/get")
    try stage.take("wait 300ms")
    #expect(stage.arrived().count == 9)
    for _ in 0..<100 { stage.desk?.send(OSCMessage("/panel/show/set/level", [.text("+1")])) }
    try stage.take("wait 1s; expect level=10")
    #expect(stage.connection.heard.map(\.number) == [0, 60])
  }

  @Test("a receiver whose name is not known is trouble and is tried again; the others and the panel go on")
  func unknownReceiver() throws {
    let error = DriverError(
      .absent, of: "qlab.lan:53000", cannot: "send OSC to qlab.lan:53000", reason: "the name qlab.lan is not known",
      remedy: "")
    let stage = try OSCStage(OSCStage.show) { $0[0].fault = error }
    try stage.take("click bell; expect state=ringing; expect gpio=there")
    #expect(stage.receivers[0].arrivals.isEmpty && !stage.receivers[1].arrivals.isEmpty)
    let session = stage.stage.session
    #expect(session.frame.troubles.map(\.text).contains("osc to qlab.lan:53000 lost: \(error)"))
    #expect(PanelStatus(of: session).line([]).contains(text: #""trouble": {"osc to qlab.lan:53000": "lost"}"#))
    stage.receivers[0].fault = nil
    try stage.take("wait 3s")
    #expect(session.frame.troubles.last?.text == "osc to qlab.lan:53000 restored")
    #expect(PanelStatus(of: session).line([]).contains(text: #""trouble": {}"#))
    let arrived = stage.arrived()
    // What waited is late, and is there.
    #expect(arrived.contains("/cue/5/start") && arrived.contains("/value/level 7"), "\(arrived)")
  }

  @Test("the status and the numbers for Prometheus have each receiver, and what is heard")
  func status() throws {
    let stage = try OSCStage()
    try stage.send("/panel/show/set/level", .integer(99))
    let status = PanelStatus(of: stage.stage.session)
    let line = status.line([])
    #expect(
      line.contains(
        text:
          #""osc": {"qlab.lan:53000": {"connected": true, "offered": 10, "delivered": 10, "superseded": 0, "lost": 0, "#
          + #""pending": 0, "reconnects": 0, "ignored": 0}, "desk.lan:8000": {"#), "\(line)")
    #expect(line.contains(text: #""accept": {"connected": true, "refused": 1, "ignored": 0}"#), "\(line)")
    let numbers = status.prometheus("show", crashes: 0)
    #expect(numbers.contains(#"panel_osc_delivered_total{panel="show",to="desk.lan:8000"} 10"#), "\(numbers)")
    #expect(numbers.contains(#"panel_osc_refused_total{panel="show"} 1"#))
  }

  @Test("a broker and Open Sound Control go together")
  func besideBroker() throws {
    let text = OSCStage.show + "mqtt: { publish: all }\n"
    let stage = try Stage(panel: text)
    let broker = try #require(
      stage.session.platform.simulated(named: "network").compactMap { $0 as? SimulatedBroker }.first)
    try stage.session.bench.settle()
    broker.publish("", to: "panel/show/do/light")
    try stage.session.bench.settle()
    #expect(try stage.take("expect sent=/idle,/light; expect network=there") == [])
    broker.publish("hold 3s", to: "panel/show/press/bell")
    #expect(try stage.take("wait 2s; expect bell=pressed; wait 1010ms; expect bell=released") == [])
    #expect(broker.messages.contains { $0.topic == "panel/show/event/bell" })
  }
}
