import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("What a broker keeps of a client's earlier version")
struct KeptTopicTests {
  /// A client with one value and one topic with a fixed payload that is held until it is known what the broker keeps of
  /// it.
  private final class Rig {
    let bench = Bench()
    let broker: SimulatedBroker
    let publisher: MessagePublisher
    let client: DriverBench<MessagingDriver<String>>
    private let inbox = Inbox()

    private final class Inbox {
      var read: [(moment: Moment, text: String?)] = []
    }

    init(_ prepare: (SimulatedBroker) -> Void = { _ in }) throws {
      let broker = SimulatedBroker(bench)
      let publisher = MessagePublisher(
        .init(
          topics: [
            PublishedTopic("v/a", isRetained: true),
            PublishedTopic("about", isRetained: true, payload: Array("new".utf8)),
            PublishedTopic("online", isRetained: true),
          ], availability: .init(topic: 2), held: [1]),
        writeValue: { _, writer in writer.write(7) }, finishEvent: { _, _, _, _ in })
      prepare(broker)
      let (inbox, bench) = (inbox, bench)
      client = DriverBench(
        MessagingDriver<String>(
          broker,
          greeting: BrokerGreeting(
            client: "panel-1", subscriptions: ["set/+"], kept: .init(filters: ["v/+", "about"], read: "about")),
          publisher: publisher, chance: SeededGenerator(seed: 1),
          read: { bytes in
            inbox.read.append((bench.now, bytes.map { String(decoding: $0, as: UTF8.self) }))
            publisher.tell(value: 1)
          }, parse: { "\($0.topic)=\(String(decoding: $0.payload, as: UTF8.self))" }), on: bench)
      (self.broker, self.publisher) = (broker, publisher)
      try client.start()
    }

    var read: [(moment: Moment, text: String?)] { inbox.read }
    var arrived: [String] { broker.messages.map { "\($0.isRetained ? "r " : "")\($0.topic) \($0.payload)" } }
    var asked: [String] {
      client.events.compactMap { if case .asked(let text) = $0.event { text } else { nil } }
    }
  }

  @Test("what it kept is read, what the client does not send on is forgotten, and what was held is sent then")
  func forgets() throws {
    let rig = try Rig {
      $0.publish("1", to: "v/a", isRetained: true)
      $0.publish("2", to: "v/gone", isRetained: true)
      $0.publish("old", to: "about", isRetained: true)
      $0.publish("x", to: "other/b", isRetained: true)
    }
    try rig.bench.advance(by: .milliseconds(1))
    #expect(rig.read.map(\.text) == ["old"])
    #expect(rig.arrived == ["r v/gone ", "r v/a 7", "r about new", "r online online"])
    #expect(rig.broker.retained == ["v/a": "7", "about": "new", "online": "online", "other/b": "x"])
    try rig.bench.advance(by: .seconds(5))
    #expect(rig.read.count == 1 && rig.arrived.count == 4 && rig.asked == [])
    #expect(rig.publisher.account.isBalanced && rig.publisher.account.pending == 0 && rig.publisher.ignored == 0)
  }

  @Test("where it kept nothing that is known after 1 s, in each connection")
  func nothing() throws {
    let rig = try Rig()
    try rig.bench.advance(by: .milliseconds(999))
    #expect(rig.read.isEmpty && rig.arrived == ["r v/a 7", "r online online"])
    try rig.bench.advance(by: .milliseconds(1))
    #expect(rig.read.map(\.text) == [nil] && rig.read[0].moment == Moment.zero + .seconds(1))
    #expect(rig.arrived.last == "r about new")
    rig.broker.restart()
    try rig.bench.advance(by: .seconds(10))
    #expect(rig.read.map(\.text) == [nil, "new"])
  }

  @Test("a connection that ends before that leaves nothing of it to the next one")
  func ends() throws {
    let rig = try Rig()
    try rig.bench.advance(by: .milliseconds(500))
    rig.broker.restart()
    try rig.bench.advance(by: .seconds(20))
    #expect(rig.read.map(\.text) == [nil])
    #expect(rig.broker.connections == 2 && rig.arrived.filter { $0 == "r about new" }.count == 1)
  }

  @Test("what the client sends comes back to it while it reads, and is no message of another")
  func echo() throws {
    let rig = try Rig()
    for _ in 0..<100 {
      rig.publisher.tell(value: 0)
      try rig.bench.advance(by: .milliseconds(5))
    }
    rig.broker.publish("9", to: "set/a")
    try rig.bench.advance(by: .seconds(2))
    #expect(rig.asked == ["set/a=9"] && rig.publisher.ignored == 0)
    // After that nothing comes back.
    rig.broker.publish("9", to: "v/x", isRetained: true)
    try rig.bench.advance(by: .seconds(2))
    #expect(rig.asked == ["set/a=9"] && rig.broker.retained["v/x"] == "9")
  }

  @Test("1024 topics are forgotten in a connection, the others are counted, and commands are heard beside them")
  func bound() throws {
    let rig = try Rig { broker in
      for number in 0..<2000 { broker.publish("x", to: "v/\(number)", isRetained: true) }
      broker.publish("1", to: "set/a", isRetained: true)
    }
    try rig.bench.advance(by: .seconds(2))
    #expect(rig.broker.messages.filter { $0.payload.isEmpty }.count == 1024)
    #expect(rig.publisher.ignored == 976 && rig.asked == ["set/a=1"])
  }

  @Test("a payload that is too long is not given to the application", arguments: [65_536, 65_537])
  func long(_ count: Int) throws {
    let text = String(repeating: "x", count: count)
    let rig = try Rig { $0.publish(text, to: "about", isRetained: true) }
    try rig.bench.advance(by: .seconds(2))
    #expect(rig.read.map(\.text) == [count == 65_536 ? text : nil])
    #expect(rig.arrived.last == "r online online" && rig.arrived.contains("r about new"))
  }

  @Test("a value may say something else once, of any length")
  func once() throws {
    let rig = try Rig()
    try rig.bench.advance(by: .seconds(2))
    let text = String(repeating: "y", count: 1500)
    rig.publisher.tell(value: 1, saying: Array(text.utf8))
    rig.publisher.tell(value: 1, after: .seconds(5))
    // The 5 s begin with the client's last turn.
    try rig.bench.advance(by: .seconds(3))
    #expect(rig.arrived.last == "r about \(text)")
    try rig.bench.advance(by: .seconds(3))
    #expect(rig.arrived.last == "r about new" && rig.publisher.account.isBalanced)
    // Not in another connection.
    rig.broker.isStalled = true
    rig.publisher.tell(value: 1, saying: Array(text.utf8))
    rig.broker.network = .refusing
    try rig.bench.advance(by: .seconds(1))
    (rig.broker.network, rig.broker.isStalled) = (.up, false)
    try rig.bench.advance(by: .seconds(20))
    #expect(rig.arrived.filter { $0 == "r about \(text)" }.count <= 2 && rig.broker.retained["about"] == "new")
  }
}
