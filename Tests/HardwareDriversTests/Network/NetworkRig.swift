import CycleCore

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A client with two values and one topic for events on a simulated broker.
final class NetworkRig {
  let bench = Bench()
  let broker: SimulatedBroker
  let publisher: MessagePublisher
  let client: DriverBench<MessagingDriver<String>>
  private let values: Values

  private final class Values {
    var numbers = [0, 0]
  }

  /// - Parameters:
  ///   - seed: decides how long the client waits before it connects again.
  ///   - collects: whether messages and acknowledgements are collected, as for a broker on the network.
  ///   - prepare: what is done to the broker before the client starts.
  init(seed: UInt64 = 1, collects: Bool = false, _ prepare: (SimulatedBroker) -> Void = { _ in }) throws {
    let broker = SimulatedBroker(bench)
    let values = Values()
    let publisher = MessagePublisher(
      .init(
        topics: [
          PublishedTopic("v/a", isRetained: true), PublishedTopic("v/b", isRetained: true),
          PublishedTopic("e", isRetained: false),
          PublishedTopic("online", isRetained: true),
        ], availability: .init(topic: 3), pause: .milliseconds(1)),
      writeValue: { topic, writer in writer.write(values.numbers[topic]) },
      finishEvent: { missed, _, _, writer in
        guard missed > 0 else { return }
        writer.write(" missed ")
        writer.write(missed)
      })
    let greeting = BrokerGreeting(
      client: "panel-1", will: .init(topic: "online", payload: "offline"), subscriptions: ["set/+"])
    prepare(broker)
    var driver = MessagingDriver<String>(
      broker, greeting: greeting, publisher: publisher, chance: SeededGenerator(seed: seed)
    ) { message in
      "\(message.topic)=\(String(decoding: message.payload, as: UTF8.self)) \(message.isRetained)"
    }
    driver.collects = collects
    client = DriverBench(driver, on: bench)
    self.broker = broker
    self.publisher = publisher
    self.values = values
    try client.start()
  }

  var account: OutboxCounts { publisher.account }
  var events: [MessagingDriver<String>.Event] { client.events.map(\.event) }
  var troubles: [Trouble] { client.troubles }

  /// Why the connection was lost, each time that this was told.
  var reasons: [String] {
    troubles.compactMap { if case .lost(let error) = $0 { error.reason } else { nil } }
  }

  /// What has arrived at the broker: `r` for a retained message, the topic, the payload.
  var arrived: [String] { broker.messages.map { "\($0.isRetained ? "r " : "")\($0.topic) \($0.payload)" } }

  func number(of value: Int) -> Int { values.numbers[value] }

  func set(_ value: Int, to number: Int) {
    values.numbers[value] = number
    publisher.tell(value: value)
  }

  func tell(_ event: Int) { publisher.tell(event: 2) { $0.write(event) } }

  func advance(by span: Duration) throws { try bench.advance(by: span) }
}
