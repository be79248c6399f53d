import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A client on a simulated broker, in virtual time.
@Suite("A client of a broker")
struct MessagingDriverTests {
  @Test("each connection begins with all values, and says that the application is there when they have arrived")
  func begins() throws {
    let rig = try NetworkRig()
    #expect(rig.arrived == ["r v/a 0", "r v/b 0", "r online online"])
    #expect(rig.events == [.connected])
    rig.set(0, to: 7)
    try rig.advance(by: .seconds(1))
    #expect(rig.broker.retained == ["v/a": "7", "v/b": "0", "online": "online"])
    rig.broker.restart()
    try rig.advance(by: .seconds(3))
    #expect(rig.events == [.connected, .lost, .connected])
    #expect(rig.arrived.suffix(4) == ["r online offline", "r v/a 7", "r v/b 0", "r online online"])
    #expect(rig.publisher.reconnections == 1)
    rig.bench.stop()
    #expect(rig.arrived.last == "r online offline")
    #expect(rig.account.isBalanced && rig.account.pending == 0)
  }

  @Test("a message that is too long is left out and told once, and the connection goes on: the case of a big message")
  func leavesOut() throws {
    let rig = try NetworkRig { $0.publish(byteCount: 262_144_019, to: "set/a", isRetained: true) }
    func failures() -> [DriverError] {
      rig.troubles.compactMap { if case .failed(let error) = $0 { error } else { nil } }
    }
    #expect(failures().map(\.reason) == ["it has 262144019 bytes; at most 131072 are read"])
    #expect(failures()[0].operation == "read a message on set/a of broker.lan:1883")
    #expect(
      failures()[0].remedy
        == "Find the client that sends it. The broker keeps it; remove it: mosquitto_pub -r -n -t 'set/a'. message_size_limit in mosquitto.conf has the broker refuse such messages."
    )
    // The same one comes again with each connection; others are told every 30 s.
    rig.broker.restart()
    try rig.advance(by: .seconds(60))
    #expect(rig.events == [.connected, .lost, .connected] && failures().count == 1)
    for number in 0..<100 { rig.broker.publish(byteCount: 200_000 + number, to: "set/a") }
    try rig.advance(by: .seconds(1))
    #expect(failures().count == 2 && failures()[1].reason.hasPrefix("it has 200000 bytes"))
    #expect(rig.publisher.ignored == 100)
    rig.broker.publish("9", to: "set/a")
    rig.broker.publish(byteCount: 131_072, to: "set/b")
    try rig.advance(by: .seconds(1))
    #expect(rig.events.count == 5 && rig.events[3] == .asked("set/a=9 false"))
    #expect(rig.troubles.filter { $0 == .restored }.count == 1)
  }

  @Test("of a value that changes often the newest arrives, five times a second")
  func supersedes() throws {
    let rig = try NetworkRig()
    let before = rig.broker.messages.count
    for number in 1...1000 {
      rig.set(0, to: number)
      try rig.advance(by: .milliseconds(1))
    }
    try rig.advance(by: .seconds(1))
    let seen = rig.broker.messages.dropFirst(before)
    #expect(seen.count == 5 && seen.last?.payload == "1000")
    #expect(rig.account.superseded == 995 && rig.account.isBalanced)
  }

  @Test(
    "where a thread talks to the broker, what happens within a millisecond is sent together")
  func collects() throws {
    let rig = try NetworkRig(collects: true)
    try rig.advance(by: .milliseconds(50))
    #expect(rig.arrived == ["r v/a 0", "r v/b 0", "r online online"])
    #expect(rig.account.pending == 0)
    // The client's time is that of its last turn.
    rig.broker.publish("hello", to: "set/a")
    try rig.advance(by: .zero)
    rig.tell(1)
    try rig.advance(by: .microseconds(900))
    rig.tell(2)
    #expect(rig.arrived.count == 3)
    try rig.advance(by: .microseconds(100))
    #expect(rig.arrived.suffix(2) == ["e 1", "e 2"])
    #expect(rig.account.pending == 0 && rig.account.isBalanced)
  }

  @Test("what is said right before the end is sent")
  func endsWithAll() throws {
    let rig = try NetworkRig(collects: true)
    try rig.advance(by: .milliseconds(50))
    rig.broker.publish("hello", to: "set/a")
    try rig.advance(by: .zero)
    rig.tell(1)
    #expect(!rig.arrived.contains("e 1"))
    rig.bench.stop()
    #expect(rig.arrived.suffix(2) == ["e 1", "r online offline"])
    #expect(rig.account.isBalanced)
  }

  @Test("half a window of acknowledgements is told at once, so that what waits behind them is sent")
  func fillsTheWindow() throws {
    let rig = try NetworkRig(collects: true)
    try rig.advance(by: .seconds(10))
    for number in 1...100 { rig.tell(number) }
    try rig.advance(by: .milliseconds(2))
    #expect(rig.arrived.filter { $0.hasPrefix("e ") }.count == 100)
  }

  @Test("of 400 events without a broker 256 arrive late, and the first says how many are missing")
  func keepsEvents() throws {
    let rig = try NetworkRig()
    rig.broker.network = .refusing
    try rig.advance(by: .seconds(1))
    let offered = rig.account.offered
    let delivered = rig.account.delivered
    for number in 1...400 {
      rig.tell(number)
      try rig.advance(by: .milliseconds(150))
    }
    #expect(rig.account.lost == 144 && rig.account.pending >= 256)
    rig.broker.network = .up
    try rig.advance(by: .seconds(40))
    let events = rig.broker.messages.filter { $0.topic == "e" }
    #expect(events.count == 256 && events[0].payload == "145 missed 144" && events[1].payload == "146")
    // The values are offered anew when it is connected: two, and that it is there.
    #expect(rig.account.offered == offered + 400 + 3 && rig.account.delivered == delivered + 256 + 3)
    #expect(rig.account.isBalanced && rig.account.pending == 0)
  }

  private static func numbers(_ count: Int) -> [String] { (1...count).map { "\($0)" } }

  @Test("what was not acknowledged is sent again, and nothing else")
  func sendsAgain() throws {
    let rig = try NetworkRig()
    rig.broker.isStalled = true
    for number in 1...20 { rig.tell(number) }
    rig.set(0, to: 5)
    try rig.advance(by: .seconds(1))
    let first = rig.broker.messages.filter { $0.topic == "e" }
    #expect(first.map(\.payload) == Self.numbers(16))
    rig.broker.isStalled = false
    rig.broker.restart()
    try rig.advance(by: .seconds(5))
    let all = rig.broker.messages.filter { $0.topic == "e" }
    #expect(all.dropFirst(16).map(\.payload) == Self.numbers(20))
    #expect(rig.account.isBalanced && rig.account.pending == 0 && rig.account.lost == 0)
  }

  @Test("a broker without an address is tried once, and told")
  func hasNoAddress() throws {
    let bench = Bench()
    let broker = NowhereBroker()
    let publisher = MessagePublisher(
      .init(topics: [PublishedTopic("online", isRetained: true)], availability: .init(topic: 0)),
      writeValue: { _, _ in }, finishEvent: { _, _, _, _ in })
    let client = DriverBench(
      MessagingDriver<String>(
        broker, greeting: BrokerGreeting(client: "panel"), publisher: publisher, chance: SeededGenerator(seed: 1)
      ) { _ in nil }, on: bench)
    try client.start()
    try bench.advance(by: .seconds(3600))
    #expect(broker.tries == 1)
    #expect(client.troubles.count == 1)
  }

  @Test("no network is told once, and tried again after at most 60 s")
  func retries() throws {
    let rig = try NetworkRig { $0.network = .refusing }
    try rig.advance(by: .seconds(600))
    #expect(rig.events == [.lost])
    #expect(rig.troubles.count == 1)
    #expect((12...40).contains(rig.broker.attempts))
    rig.broker.network = .up
    try rig.advance(by: .seconds(61))
    #expect(rig.events == [.lost, .connected] && rig.troubles.last == .restored)
  }

  @Test("a dead connection is noticed after 1.5 keepalives; what was said meanwhile arrives later")
  func halfOpen() throws {
    let rig = try NetworkRig()
    rig.broker.network = .swallowing
    rig.tell(1)
    try rig.advance(by: .seconds(89))
    #expect(rig.events == [.connected])
    try rig.advance(by: .seconds(2))
    #expect(rig.events == [.connected, .lost])
    rig.broker.network = .up
    try rig.advance(by: .seconds(60))
    #expect(rig.broker.messages.filter { $0.topic == "e" }.map(\.payload) == ["1"])
  }

  @Test("a client that sends nothing and hears a message now and then sends its pings in time: the broker keeps it")
  func hearsOnly() throws {
    let rig = try NetworkRig()
    for _ in 0..<20 {
      try rig.advance(by: .seconds(45))
      rig.broker.publish("hello", to: "set/a")
    }
    try rig.advance(by: .seconds(120))
    #expect(rig.troubles == [] && rig.broker.connections == 1 && rig.broker.isConnected)
    #expect(rig.broker.retained["online"] == "online")
    #expect((13...18).contains(rig.broker.pings))
  }

  @Test("a broker that never answers is given up after 10 s, and tried again")
  func silent() throws {
    let rig = try NetworkRig { $0.network = .swallowing }
    try rig.advance(by: .seconds(9))
    #expect(rig.events == [])
    try rig.advance(by: .seconds(2))
    #expect(rig.events == [.lost])
    rig.broker.network = .up
    try rig.advance(by: .seconds(20))
    #expect(rig.events == [.lost, .connected])
  }

  @Test("three connections that end within 10 s mean another client, who is named; the wait is 60 s then")
  func takenOver() throws {
    let rig = try NetworkRig()
    for _ in 0..<3 {
      rig.broker.takeOver()
      let attempts = rig.broker.attempts
      while rig.broker.attempts == attempts { try rig.advance(by: .milliseconds(500)) }
    }
    #expect(rig.reasons.contains("another client uses the id panel-1"))
    let attempts = rig.broker.attempts
    rig.broker.takeOver()
    try rig.advance(by: .seconds(59))
    #expect(rig.broker.attempts == attempts)
    try rig.advance(by: .seconds(2))
    #expect(rig.broker.attempts == attempts + 1)
  }

  @Test("two clients with one identifier try it each 60 s, and say so once, until one connection lasts for 120 s")
  func takenOverForLong() throws {
    let rig = try NetworkRig()
    for _ in 0..<3 {
      rig.broker.takeOver()
      let attempts = rig.broker.attempts
      while rig.broker.attempts == attempts { try rig.advance(by: .milliseconds(500)) }
    }
    let (attempts, troubles) = (rig.broker.attempts, rig.troubles.count)
    // The other one comes back 59 s after each connection of this one.
    for _ in 0..<10 {
      try rig.advance(by: .seconds(59))
      rig.broker.takeOver()
      try rig.advance(by: .seconds(61))
    }
    #expect(rig.broker.attempts == attempts + 10)
    #expect(rig.troubles.count == troubles && rig.reasons.last == "another client uses the id panel-1")
    try rig.advance(by: .seconds(121))
    #expect(rig.troubles.count == troubles + 1 && rig.troubles.last == .restored)
  }

  @Test("after a long outage a connection that lasted 11 s is followed by a try within 2 s")
  func returnsAfterLongOutage() throws {
    let rig = try NetworkRig { $0.network = .refusing }
    try rig.advance(by: .seconds(600))
    rig.broker.network = .up
    try rig.advance(by: .seconds(120))
    #expect(rig.events == [.lost, .connected])
    for _ in 0..<5 {
      try rig.advance(by: .seconds(11))
      let attempts = rig.broker.attempts
      rig.broker.takeOver()
      try rig.advance(by: .seconds(3))
      #expect(rig.broker.attempts == attempts + 1)
    }
  }

  @Test("wrong credentials are tried again each 60 s")
  func refused() throws {
    let rig = try NetworkRig { $0.refusesCredentials = true }
    try rig.advance(by: .seconds(300))
    #expect((5...6).contains(rig.broker.attempts))
    #expect(rig.troubles.count == 1)
  }

  @Test("what others send is asked of the application, 40 at once and 20 a second")
  func hears() throws {
    let rig = try NetworkRig()
    rig.broker.publish("hello", to: "set/a")
    rig.broker.publish("no", to: "other")
    try rig.advance(by: .zero)
    #expect(rig.events.last == .asked("set/a=hello false"))
    try rig.advance(by: .seconds(10))
    for number in 1...100 { rig.broker.publish("\(number)", to: "set/a") }
    try rig.advance(by: .zero)
    #expect(rig.events.filter { if case .asked = $0 { true } else { false } }.count == 41)
    #expect(rig.publisher.ignored == 60)
  }

  @Test("a retained message of another is told as such")
  func retainedCommand() throws {
    let rig = try NetworkRig { $0.publish("9", to: "set/a", isRetained: true) }
    #expect(rig.events.last == .asked("set/a=9 true"))
  }

  @Test("text that doesn't fit into a payload is cut off")
  func long() throws {
    let rig = try NetworkRig()
    rig.publisher.tell(event: 2) { $0.write(String(repeating: "x", count: 600)) }
    try rig.advance(by: .zero)
    #expect(rig.broker.messages.last?.payload.count == 512)
  }

  @Test("numbers and quoted text are written as JSON has them")
  func writer() {
    let store = PayloadPool(slots: 1)
    store.write(0) {
      $0.write(-7)
      $0.write(5, width: 3)
      $0.write(Int.min)
      $0.write(quoted: "a\"\\\n")
    }
    #expect(String(decoding: store[0], as: UTF8.self) == #"-7005-9223372036854775808"a\"\\\u000a""#)
  }

  @Test(
    "filters of topics match as MQTT says",
    arguments: [
      ("a/b", "a/b", true), ("a/b", "a/+", true), ("a/b/c", "a/+", false), ("a/b/c", "a/#", true), ("a", "a/#", true),
      ("a/b", "a", false), ("a", "a/b", false), ("/a", "+/a", true), ("a/b/c", "a/+/c", true),
      ("a/b/d", "a/+/c", false),
      ("a/", "a/+", true), ("a", "a/+", false), ("a", "a/b/#", false), ("ab", "a/#", false), ("a", "#", true),
      ("a/bc", "a/b", false), ("a/b", "a/bc", false), ("", "+", true), ("$SYS/a", "#", false), ("$SYS/a", "+/a", false),
      ("$SYS/a", "$SYS/+", true),
    ])
  func filters(_ topic: String, _ filter: String, _ matches: Bool) {
    #expect(PublishedTopic.matches(topic, filter: filter) == matches)
  }
}

/// A broker without an address, which counts the tries to connect to it.
private final class NowhereBroker: Broker {
  private(set) var tries = 0
  var name: String { "nowhere" }
  var needsThread: Bool { false }
  var canBeReached: Bool { false }
  func wake(with waker: DriverWaker) {}
  func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError) {
    tries += 1
    throw DriverError(.misconfigured, of: name, cannot: "reach the broker", reason: "no address", remedy: "Write one.")
  }
  func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?
  ) throws(DriverError) {}
  func endReading() throws(DriverError) {}
  func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError) {}
  var deadline: Moment? { nil }
  var descriptors: [PolledDescriptor] { [] }
  var isFlushed: Bool { true }
  func disconnect() {}
  func close() {}
}
