import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelNetwork
@testable import PanelRun

@Suite("What others ask of a panel through its broker")
struct NetworkCommandTests {
  @Test("values are set, buttons pressed and knobs turned as the file accepts it")
  func commands() throws {
    let stage = try NetworkStage()
    try stage.publish("9", to: "panel/doorbell/set/level")
    try stage.take("expect level=9")
    try stage.publish("+1", to: "panel/doorbell/set/level")
    try stage.publish("250ms", to: "panel/doorbell/set/wait")
    try stage.take("expect level=10")
    try stage.publish("-3", to: "panel/doorbell/turn/knob")
    _ = stage.arrived()
    try stage.publish("click", to: "panel/doorbell/press/bell")
    try stage.take("expect state=ringing; wait 100ms")
    let events = stage.arrived().filter { $0.hasPrefix("event/bell") }
    #expect(events.count == 2 && events[0].contains(#""pressed""#) && events[1].contains(#""released""#), "\(events)")
    try stage.take("wait 300ms; expect state=idle")
    #expect(!stage.arrived().contains { $0.hasPrefix("refused") })
  }

  @Test(
    "what can't be done is refused with its reason",
    arguments: [
      ("set/level", "99", "level is 0 to 10; 99 is outside"),
      ("set/rings", "1", "refused: the panel file does not allow the value "),
      ("set/nothing", "1", "nothing"),
      ("press/mute", "press", "mute is a switch, which press is not for"),
      ("press/bell", "relese", "use press, release, click or hold 2s"),
      ("press/bell", "release", "bell is not pressed from here"),
      ("set/level", "", "it needs a number: 9, +1, -1 or = -4"), ("turn/knob", "", "it needs a number: 3 or -3"),
      ("turn/knob", "1 2", "it needs a number: 3 or -3"), ("set/level", "1 2", "is not a number"),
      ("turn/knob", "1000", "knob turns by 1 to 100 detents"),
    ])
  func refuses(_ topic: String, _ payload: String, _ why: String) throws {
    let stage = try NetworkStage()
    _ = stage.arrived()
    let before = stage.stage.session.frame
    try stage.publish(payload, to: "panel/doorbell/\(topic)")
    let refused = stage.arrived()
    #expect(refused.count == 1)
    #expect(
      refused.first?.hasPrefix(#"refused {"topic":"\#(topic)","payload":"\#(payload)","why":""#) == true, "\(refused)")
    #expect(refused.first?.contains(text: why) == true, "\(refused)")
    #expect(stage.stage.session.frame[value: 0] == before[value: 0])
    try stage.take("expect state=idle")
  }

  @Test("d16, simulated: a command that is retained moves nothing, now and after a start, and is refused")
  func retained() throws {
    let stage = try NetworkStage(NetworkStage.doorbell) {
      $0.publish("9", to: "panel/doorbell/set/level", isRetained: true)
      $0.publish("press", to: "panel/doorbell/press/bell", isRetained: true)
    }
    try stage.take("expect level=7; expect state=idle")
    let refused = stage.arrived().filter { $0.hasPrefix("refused") }
    #expect(refused.count == 2)
    #expect(
      refused.allSatisfy { $0.contains(text: "it is retained, and so may be old; publish it without the retain flag") },
      "\(refused)")
    try stage.take("power-cut 1s; wait 3s; expect level=7; expect state=idle")
  }

  @Test("a press that nobody releases ends with the connection, or after 10 s")
  func pressEnds() throws {
    let stage = try NetworkStage()
    try stage.publish("press", to: "panel/doorbell/press/bell")
    try stage.take("expect bell=pressed; wait 9s; expect bell=pressed")
    stage.broker.network = .refusing
    try stage.take("wait 10ms; expect bell=released")
    stage.broker.network = .up
    try stage.take("wait 31s")
    try stage.publish("press", to: "panel/doorbell/press/bell")
    try stage.take("wait 9s; expect bell=pressed; wait 2s; expect bell=released")
  }

  @Test("of too many messages at once most are not looked at, and counted")
  func flood() throws {
    let stage = try NetworkStage()
    for _ in 0..<100 { stage.broker.publish("+1", to: "panel/doorbell/set/level") }
    try stage.take("wait 1s; expect level=10")
    #expect(stage.network.numbers.last?.number == 60)
    #expect(stage.network.numbers.last?.name == "ignored")
  }

  @Test("get has everything told anew, each 10 s at most")
  func get() throws {
    let stage = try NetworkStage()
    try stage.take("wait 1s")
    let first = stage.arrived().filter { $0 != "r availability online" }.sorted()
    try stage.publish("", to: "panel/doorbell/get")
    try stage.take("wait 300ms")
    #expect(stage.arrived().sorted() == first)
    try stage.publish("", to: "panel/doorbell/get")
    try stage.take("wait 300ms")
    #expect(stage.arrived().first?.contains(text: "everything was published less than 10s ago") == true)
    try stage.take("wait 10s")
    try stage.publish("", to: "panel/doorbell/get")
    try stage.take("wait 300ms")
    #expect(stage.arrived().sorted() == first)
  }

  @Test("when Home Assistant has started it is told of the panel within 5 s, once")
  func homeAssistant() throws {
    let stage = try NetworkStage()
    try stage.take("wait 1s")
    _ = stage.arrived()
    try stage.publish("online", to: "homeassistant/status")
    try stage.take("wait 5s")
    let told = stage.arrived()
    #expect(told.count == 1 && told.first?.hasPrefix("r homeassistant/device/panel_doorbell/config {") == true)
    try stage.publish("offline", to: "homeassistant/status")
    try stage.take("wait 6s")
    #expect(stage.arrived().isEmpty)
  }

  @Test(
    "d18, simulated: another client with the panel's id is named after three connections, and the panel works meanwhile"
  )
  func takeover() throws {
    let stage = try NetworkStage()
    for _ in 0..<4 {
      stage.broker.takeOver()
      try stage.take("click bell; wait 3s")
    }
    let troubles = stage.stage.session.frame.troubles.map(\.text)
    #expect(troubles.contains { $0.contains(text: "another client uses the id panel-doorbell") }, "\(troubles)")
    try stage.take("click bell; expect state=ringing")
  }

  @Test("the status has the connection, and so have the numbers for Prometheus")
  func status() throws {
    let stage = try NetworkStage()
    let line = PanelStatus(of: stage.stage.session).line([])
    #expect(
      line.contains(
        text: #""mqtt": {"connected": true, "offered": 16, "delivered": 16, "superseded": 0, "lost": 0, "pending": 0, "#
          + #""reconnects": 0, "ignored": 0}"#), "\(line)")
    let numbers = PanelStatus(of: stage.stage.session).prometheus("bell", crashes: 0)
    #expect(numbers.contains(#"panel_mqtt_connected{panel="bell"} 1"#), "\(numbers)")
    #expect(numbers.contains(#"panel_mqtt_delivered_total{panel="bell"} 16"#))
    #expect(numbers.contains(#"panel_mqtt_pending{panel="bell"} 0"#))
  }
}
