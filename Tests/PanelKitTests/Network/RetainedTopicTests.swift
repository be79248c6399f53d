import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelNetwork
@testable import PanelRun

/// What a broker keeps of an earlier file: a door that the panel does not have any more would be shut for ever.
@Suite("Retained: what a file no longer has leaves the broker")
struct RetainedTopicTests {
  private static let before = """
    panel: Shop
    inputs: { key: { button: GPIO5 }, door: { switch: GPIO6 } }
    outputs: { lamp: { led: GPIO23 } }
    values: { level: { initial: 3, min: 0, max: 9 } }
    accept: { set: [ level ] }
    mqtt: { publish: all, discovery: homeassistant }
    on: { key.pressed: { set: { level: +1 } } }
    initial: idle
    states: { idle: { show: { lamp: on }, when: { door == on: busy } }, busy: { when: { door == off: idle } } }

    """
  private static let after = """
    panel: Shop
    inputs: { key: { button: GPIO5 } }
    outputs: { lamp: { led: GPIO23 } }
    mqtt: { publish: all, discovery: homeassistant }
    initial: idle
    states: { idle: { show: { lamp: on }, on: { key.pressed: busy } }, busy: { on: { key.pressed: idle } } }

    """
  private static let discovery = "homeassistant/device/panel_shop/config"

  /// What the broker keeps when a panel has run there for 10 s.
  private func kept(by text: String, _ prepare: (SimulatedBroker) -> Void = { _ in }) throws -> [String: String] {
    let stage = try NetworkStage(text, prepare)
    try stage.take("wait 10s")
    return stage.broker.retained
  }

  private func keep(_ messages: [String: String], at broker: SimulatedBroker) {
    for (topic, payload) in messages { broker.publish(payload, to: topic, isRetained: true) }
  }

  /// The messages of discovery that have arrived, each as its entities: `door binary_sensor`, or with `-` before it
  /// where it is removed.
  private func discoveries(_ broker: SimulatedBroker) -> [[String]] {
    broker.messages.filter { $0.topic == Self.discovery }.map { message in
      let all = RetainedEntity.all(in: Array(message.payload.utf8)).map { "\($0.key) \($0.platform)" }
      let removed = ["binary_sensor", "number", "sensor"].flatMap { platform in
        message.payload.split(separator: ", \"").compactMap { part -> String? in
          let end = "\": {\"p\": \"\(platform)\"}"
          return part.contains(text: end) ? "-\(part.prefix { $0 != "\"" }) \(platform)" : nil
        }
      }
      return (all + removed).sorted()
    }
  }

  @Test("a file without the door leaves nothing of it retained, 2 s after the connection")
  func door() throws {
    let old = try kept(by: Self.before)
    #expect(old["panel/shop/input/door"] == "OFF" && old["panel/shop/value/level"] == "3")
    let stage = try NetworkStage(Self.after) { keep(old, at: $0) }
    try stage.take("wait 2s")
    #expect(try stage.broker.retained.keys.sorted() == kept(by: Self.after).keys.sorted())
    #expect(!stage.broker.retained.keys.contains { $0.contains(text: "door") || $0.contains(text: "level") })
    let cleared = stage.broker.messages.filter { $0.payload.isEmpty }
    #expect(cleared.map(\.topic).sorted() == ["panel/shop/input/door", "panel/shop/value/level"])
    #expect(cleared.allSatisfy { $0.isRetained })
    #expect(stage.account.isBalanced && stage.account.pending == 0)
  }

  @Test("Home Assistant is told of each entity that is gone, and 5 s later of what is left, which stays retained")
  func entities() throws {
    let old = try kept(by: Self.before)
    let stage = try NetworkStage(Self.after) { keep(old, at: $0) }
    let left = ["key event", "lamp binary_sensor", "panel_trouble binary_sensor", "state sensor"]
    try stage.take("wait 2s")
    #expect(discoveries(stage.broker) == [["-door binary_sensor", "-level number"] + left])
    try stage.take("wait 2990ms")
    #expect(discoveries(stage.broker).count == 1)
    try stage.take("wait 1s")
    #expect(discoveries(stage.broker) == [["-door binary_sensor", "-level number"] + left, left])
    #expect(try stage.broker.retained[Self.discovery] == kept(by: Self.after)[Self.discovery])
    // The next connection has nothing to remove.
    stage.broker.restart()
    try stage.take("wait 40s")
    #expect(discoveries(stage.broker).dropFirst(2) == [left])
  }

  @Test("an entity of the same name and another kind is removed before it is told")
  func kinds() throws {
    let old = try kept(by: Self.before)
    let text = Self.before.split(separator: "\n").filter { !$0.hasPrefix("accept") }.joined(separator: "\n")
    let stage = try NetworkStage(text) { keep(old, at: $0) }
    try stage.take("wait 10s")
    let told = discoveries(stage.broker)
    #expect(told.count == 2 && told[0].contains("-level number") && !told[0].contains("level sensor"))
    #expect(told[1].contains("level sensor") && !told[1].contains("-level number"))
  }

  @Test("a connection that ends between the two leads to the same")
  func interrupted() throws {
    let old = try kept(by: Self.before)
    let stage = try NetworkStage(Self.after) { keep(old, at: $0) }
    try stage.take("wait 2s")
    stage.broker.restart()
    try stage.take("wait 40s")
    #expect(try stage.broker.retained[Self.discovery] == kept(by: Self.after)[Self.discovery])
  }

  @Test("by a reload as well")
  func reload() throws {
    let stage = try ReloadStage(Self.before)
    let broker = try #require(stage.session.platform.simulated(named: "network").first as? SimulatedBroker)
    try stage.take("wait 2s")
    #expect(broker.retained["panel/shop/input/door"] == "OFF")
    try stage.reload(Self.after)
    try stage.take("wait 10s")
    #expect(!broker.retained.keys.contains { $0.contains(text: "door") || $0.contains(text: "level") })
    #expect(discoveries(broker).contains { $0.contains("-door binary_sensor") && $0.contains("-level number") })
    #expect(broker.retained["panel/shop/availability"] == "online")
  }

  @Test("a file that tells less, or nothing for discovery, leaves nothing of that either")
  func less() throws {
    let old = try kept(by: Self.before)
    let tell = "mqtt: { publish: all, discovery: homeassistant }"
    let parts = Self.before.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0 == tell ? "mqtt: { publish: [ key ] }" : String($0)
    }
    let left = try kept(by: parts.joined(separator: "\n")) { keep(old, at: $0) }
    #expect(
      left.keys.sorted() == [
        "panel/shop/availability", "panel/shop/info", "panel/shop/input/key", "panel/shop/trouble",
      ])
  }

  @Test("what belongs to others, or is deeper, or is a command, stays, and none of it moves the panel")
  func others() throws {
    let strange = [
      "panel/other/input/door": "ON", "panel/shop/set/level": "9", "panel/shop/note/x": "y",
      "panel/shop/value/a/b": "1", "homeassistant/device/panel_other/config": "{}", "panel/shopper/input/door": "ON",
    ]
    let stage = try NetworkStage(Self.before) { keep(strange, at: $0) }
    try stage.take("wait 10s; expect level=3")
    for (topic, payload) in strange { #expect(stage.broker.retained[topic] == payload) }
  }

  @Test("what is retained later is left alone, and what the panel tells while it reads is not heard as a command")
  func later() throws {
    let stage = try NetworkStage(Self.before)
    try stage.take("wait 2s")
    stage.broker.publish("1", to: "panel/shop/value/mine", isRetained: true)
    try stage.take("wait 10s")
    #expect(stage.broker.retained["panel/shop/value/mine"] == "1")
    #expect(stage.network.numbers.last?.number == 0)
    #expect(!stage.broker.messages.contains { $0.topic == "panel/shop/refused" })
  }

  @Test("of thousands of retained topics 1024 are cleared in a connection, the rest in the next ones")
  func flood() throws {
    let stage = try NetworkStage(Self.before) { broker in
      for number in 0..<1500 { broker.publish("x", to: "panel/shop/value/v\(number)", isRetained: true) }
    }
    try stage.take("wait 2s; expect level=3")
    #expect(stage.broker.retained.keys.filter { $0.hasPrefix("panel/shop/value/v") }.count == 1500 - 1024)
    #expect(stage.network.numbers.last?.number == 1500 - 1024)
    stage.broker.restart()
    try stage.take("wait 40s")
    #expect(!stage.broker.retained.keys.contains { $0.hasPrefix("panel/shop/value/v") })
    // Commands are heard all the same.
    try stage.publish("7", to: "panel/shop/set/level")
    try stage.take("expect level=7")
  }

  /// What somebody else may have kept on the broker under the panel's name.
  static let hostileMessages = [
    "", "x", "{", "[]", #"{"cmps": 1}"#, #"{"cmps": {"a": 1}}"#, #"{"cmps": {"a": {"p": 1, "x": 1}}}"#,
    #"{"cmps": {"door": {"p": "lock", "x": 1}}}"#, #"{"cmps": {"a/b": {"p": "sensor", "x": 1}}}"#,
    #"{"cmps": {"": {"p": "sensor", "x": 1}}}"#, #"{"cmps": {"door": {"p": "sensor"}}}"#,
    #"{"cmps": {"\#(String(repeating: "a", count: 129))": {"p": "sensor", "x": 1}}}"#,
    #"{"cmps": {"a": {"p": "sensor", "x": \#(String(repeating: "[", count: 200))"#,
    #"{"cmps": {"a": {"p": "sensor", "x": "\#(String(repeating: "x", count: 70_000))"}}}"#,
  ]

  @Test(
    "a discovery message that somebody else has made leads to nothing that a panel never says",
    arguments: hostileMessages)
  func hostile(_ payload: String) throws {
    let stage = try NetworkStage(Self.after) { $0.publish(payload, to: Self.discovery, isRetained: true) }
    try stage.take("wait 10s")
    let own = HomeAssistantDiscovery(of: stage.stage.session.panel, id: "shop").payload
    let told = stage.broker.messages.filter { $0.topic == Self.discovery }.map(\.payload)
    #expect(told == [String(decoding: own, as: UTF8.self)])
  }

  @Test("of a discovery message 1024 entities are looked at")
  func manyEntities() {
    let entities = (0..<2000).map { #""e\#($0)": {"p": "sensor", "x": 1}"# }.joined(separator: ", ")
    #expect(RetainedEntity.all(in: Array(#"{"dev": {}, "cmps": {\#(entities)}}"#.utf8)).count == 1024)
    #expect(
      RetainedEntity.all(in: Array(#"{"components": {"a": {"platform": "number", "min": 1}}}"#.utf8))
        == [RetainedEntity(key: "a", platform: "number")])
  }

  @Test("a reading that was interrupted by the end of the connection is made anew")
  func cut() throws {
    let old = try kept(by: Self.before)
    let stage = try NetworkStage(Self.after) { broker in
      keep(old, at: broker)
      broker.delay = .milliseconds(300)
    }
    stage.broker.network = .refusing
    try stage.take("wait 1s")
    stage.broker.network = .up
    try stage.take("wait 40s")
    #expect(!stage.broker.retained.keys.contains { $0.contains(text: "door") })
    #expect(try stage.broker.retained[Self.discovery] == kept(by: Self.after)[Self.discovery])
  }
}
