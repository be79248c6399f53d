import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKit
@testable import PanelLanguage
@testable import PanelRun

@Suite("A panel on a broker")
struct PanelNetworkTests {
  @Test("d13, simulated: a connection begins with all values, then the panel is online; then changes and events follow")
  func conversation() throws {
    let stage = try NetworkStage()
    let first = stage.arrived()
    #expect(
      first.filter { !$0.hasPrefix("r homeassistant") } == [
        #"r info {"name": "Doorbell", "version": "\#(PanelInstallation.version)", "host": "simulated", "#
          + #""file": "00000000", "started": "2026-01-01T00:00:00Z", "topics": 1}"#,
        "r state/main idle", "r value/level 7", "r value/rings 0", "r value/wait 1s", "r value/code []",
        "r input/bell OFF",
        "r input/mute OFF", "r input/warm None", #"r output/lamp {"state":"OFF","show":"off"}"#,
        #"r output/bar {"state":"ON","show":"level 7"}"#, #"r output/lock {"state":"OFF","show":"off"}"#,
        "r sound/chime idle", "r trouble {}", "r availability/warm online", "r availability online",
      ])
    #expect(first.count == 16)
    // What there is is told when it is known what was told before.
    try stage.take("wait 999ms")
    #expect(stage.arrived() == [])
    try stage.take("wait 1ms")
    let discovery = stage.arrived()
    #expect(discovery.count == 1 && discovery[0].hasPrefix("r homeassistant/device/panel_doorbell/config {"))

    // A value of a topic is told each 200 ms at most.
    try stage.take("wait 1s; click bell")
    #expect(
      stage.arrived() == [
        #"event/bell {"event_type":"pressed","seq":1,"at":"2026-01-01T00:00:02.005Z"}"#, "r state/main ringing",
        "r value/rings 1", "r input/bell ON", #"r output/lamp {"state":"ON","show":"blink 250ms"}"#,
        "r sound/chime playing",
        #"event/bell {"event_type":"released","seq":2,"at":"2026-01-01T00:00:02.055Z"}"#,
      ])
    try stage.take("wait 200ms")
    #expect(stage.arrived() == ["r input/bell OFF"])
    try stage.take("wait 2s")
    #expect(
      stage.arrived() == [
        "r sound/chime idle", "r state/main idle", #"r output/lamp {"state":"OFF","show":"off"}"#,
      ])
    try stage.take("turn knob=2; switch mute=on; sense warm=21.5; wait 1s")
    let rest = stage.arrived()
    #expect(rest.contains("r value/level 9") && rest.contains("r value/code [3,3]") && rest.contains("r input/mute ON"))
    #expect(rest.contains("r input/warm 21.5") && !rest.contains { $0.hasPrefix("r availability") })
    #expect(rest.contains(#"r output/bar {"state":"ON","show":"level 9"}"#))
    #expect(rest.filter { $0.hasPrefix("event/knob") }.count == 2)
    // Nothing happens, and nothing is said but the numbers of each minute, which nobody acknowledges.
    try stage.take("wait 50s")
    #expect(stage.arrived().isEmpty)
    try stage.take("wait 60s")
    let stats = stage.arrived()
    #expect(stats.count == 1 && stats[0].hasPrefix(#"stats {"up":60,"offered":"#), "\(stats)")
    #expect(stage.account.pending == 0 && stage.account.lost == 0)
  }

  @Test("losing the network changes nothing on a panel that doesn't ask; one that does has events and a condition")
  func losing() throws {
    let stage = try NetworkStage()
    let frame = stage.stage.session.frame
    try stage.take("unplug network; wait 2m")
    var lost = stage.stage.session.frame
    #expect(lost.isMissing(.network) && !frame.isMissing(.network))
    #expect(stage.stage.state == "idle")
    try stage.take("click bell; expect lamp=blinking; expect network=lost")
    try stage.take("plug network; wait 31s; expect network=there")
    lost = stage.stage.session.frame
    #expect(!lost.isMissing(.network))

    let asking = try Stage(
      panel: """
        panel: Doorbell
        inputs: { bell: { button: GPIO17 } }
        outputs: { lamp: { led: GPIO23 } }
        mqtt: { publish: [ bell ] }
        never: { alone: "network == lost and lamp == on" }
        initial: idle
        states:
          idle: { on: { bell.pressed: { go: lit, if: network == there }, network.lost: alone } }
          lit: { show: { lamp: on }, on: { network.lost: alone } }
          alone: { on: { network.restored: idle } }
        """)
    #expect(try asking.take("press bell; wait 10ms; expect lamp=on; unplug network; wait 91s") == [])
    #expect(try asking.take("expect lamp=off; expect state=alone; plug network; wait 31s; expect state=idle") == [])
  }

  @Test(
    "d15, simulated: of 400 events without a broker 256 arrive late, the first with the number of those lost; of values the last"
  )
  func outage() throws {
    let stage = try NetworkStage()
    stage.broker.network = .refusing
    try stage.take("wait 100ms")
    _ = stage.arrived()
    let before = stage.account
    // 200 presses and their releases.
    for _ in 0..<200 { try stage.take("click bell; wait 60ms") }
    try stage.take("turn knob=7; wait 30s")
    #expect(stage.arrived().isEmpty)
    #expect(stage.account.pending == 256)
    // The knob's 7 are events, too.
    #expect(stage.account.lost - before.lost == 400 + 7 - 256)
    stage.broker.network = .up
    try stage.take("wait 61s")
    let messages = stage.arrived()
    let events = messages.filter { $0.hasPrefix("event/") }
    try #require(events.count == 256)
    #expect(events[0].hasSuffix(#","late":true,"missed":151}"#), "\(events[0])")
    #expect(events[1].hasSuffix(#","late":true}"#))
    #expect(messages.filter { $0.hasPrefix("r value/level") } == ["r value/level 10"])
    #expect(messages.last == "r availability online")
    #expect(stage.account.pending == 0)
  }

  @Test("trouble is told with its reason, the network's own is not")
  func trouble() throws {
    let stage = try NetworkStage()
    _ = stage.arrived()
    try stage.take("unplug gpio; wait 1s")
    let messages = stage.arrived().filter { $0.hasPrefix("r trouble") }
    #expect(messages.count == 1 && messages[0].hasPrefix(#"r trouble {"gpio": "lost: "#), "\(messages)")
    try stage.take("plug gpio; wait 3s")
    #expect(stage.arrived().filter { $0.hasPrefix("r trouble") } == ["r trouble {}"])
    try stage.take("unplug network; wait 2m; plug network; wait 31s")
    #expect(stage.arrived().filter { $0.hasPrefix("r trouble") } == ["r trouble {}"])
  }

  @Test("a panel whose power is cut leaves its will, and begins anew with its power")
  func powerCut() throws {
    let stage = try NetworkStage()
    try stage.take("click bell; power-cut 1s; wait 3s")
    #expect(stage.broker.retained["panel/doorbell/availability"] == "online")
    #expect(stage.broker.retained["panel/doorbell/value/rings"] == "0")
  }

  @Test("what is told fits into a payload, and is JSON where it is cut")
  func long() throws {
    let name = String(repeating: "n", count: 64)
    let stage = try NetworkStage(
      """
      panel: Doorbell
      inputs: { \(name): { button: GPIO17 } }
      outputs: { screen: { display: { i2c: 0x27 }, size: 20x4 } }
      accept: { press: [ \(name) ] }
      mqtt: { publish: all, discovery: homeassistant }
      show: { screen: [ '\(String(repeating: "a\"", count: 10))', '\(String(repeating: "\\", count: 20))', b, c ] }
      initial: \(name)
      states: { \(name): }
      """)
    #expect(stage.broker.messages.allSatisfy { !$0.payload.isEmpty })
    for message in stage.broker.messages where message.payload.first == "{" {
      #expect(message.payload.last == "}")
    }
    try stage.publish(String(repeating: "\u{1}", count: 1100), to: "panel/doorbell/press/\(name)")
    let refused = stage.broker.messages.last
    #expect(refused?.topic == "panel/doorbell/refused" && refused?.payload.utf8.count ?? 0 <= 512)
    #expect(refused?.payload.hasSuffix(#","why":"it has more than 1024 bytes"}"#) == true, "\(refused?.payload ?? "")")
  }
}
