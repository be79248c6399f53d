import CycleCore

/// A peer that is an MQTT 3.1.1 broker, with one connection at a time.
///
/// `MosquittoBroker` is a real one through libmosquitto, `SimulatedBroker` one in memory.
///
/// **Source.** MQTT Version 3.1.1, OASIS Standard (2014).
public protocol Broker: PolledPeer {
  /// Begins a connection; an event reports that the broker has accepted it. The rest of an earlier connection is
  /// dropped.
  ///
  /// - Parameters:
  ///   - greeting: the client's name and its requests to the broker.
  ///   - clock: a broker in memory sleeps on it for the time of its name server.
  func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError)

  /// Sends a message with quality of service 1, whose acknowledgement is an event, or with 0, which has none.
  ///
  /// - Parameters:
  ///   - topic: the topic of the message.
  ///   - payload: its bytes; they may change after the call.
  ///   - isRetained: whether the broker keeps the message for later subscribers.
  ///   - number: identifies the message in ``BrokerNews/delivered(_:)``; nil for quality of service 0.
  func publish(_ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?) throws(DriverError)

  /// Reads received bytes and writes waiting ones, without blocking; calls `take` with each event.
  ///
  /// - Parameter clock: the source of the current time, for the keepalive.
  /// - Parameter take: gets the events in their order.
  func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError)

  /// Ends the subscription that ``BrokerGreeting/kept`` requested. Does nothing without a connection.
  func endReading() throws(DriverError)

  /// Whether all messages, and the end of the connection, have been written to the network. Called while the
  /// application ends.
  var isFlushed: Bool { get }

  /// Ends the connection regularly: the broker drops the client's will. Does nothing without a connection.
  func disconnect()
}

/// The data that a client sends at the beginning of a connection.
public struct BrokerGreeting: Equatable, Sendable {
  /// A message that the broker publishes when the connection ends without a DISCONNECT, with quality of service 1,
  /// retained.
  public struct Will: Equatable, Sendable {
    public var topic: String
    public var payload: String

    public init(topic: String, payload: String) {
      self.topic = topic
      self.payload = payload
    }
  }

  /// The client's identifier. It must be unique at the broker, which ends the older of two connections with the same
  /// one.
  public var client: String
  public var will: Will?
  /// Topics and filters of topics (`panel/bell/set/+`) whose messages the client requests, with quality of service 1.
  public var subscriptions: [String]
  /// The keepalive: 60 s by default. The client sends a ping when it has sent nothing, or received nothing, for this
  /// time. The broker closes the connection, and publishes the will, when the client has sent nothing for 1.5
  /// keepalives.
  public var keepAlive: Duration
  /// The topics that the client had the broker keep in earlier connections; nil to leave them unchanged.
  public var kept: Kept?

  public init(
    client: String, will: Will? = nil, subscriptions: [String] = [], keepAlive: Duration = .seconds(60),
    kept: Kept? = nil
  ) {
    (self.client, self.will, self.subscriptions, self.keepAlive) = (client, will, subscriptions, keepAlive)
    self.kept = kept
  }

  /// The client's own topics. At the beginning of each connection the client reads for ``time`` what the broker keeps
  /// there, with quality of service 0. It deletes kept messages on topics that it does not send on, because they are
  /// from an earlier version of the application.
  public struct Kept: Equatable, Sendable {
    /// The time for which kept messages are read: 1 s.
    public static let time = Duration.seconds(1)
    /// The maximum number of topics that are deleted in one connection; the rest is counted as ignored, and deleted in
    /// the next connection.
    public static let mostForgotten = 1024
    /// The longest payload that the application gets: 64 KiB. A longer one is cut to one byte more, and not passed to
    /// it.
    public static let longestPayload = 65_536

    /// Topics, and filters of topics (`panel/bell/value/+`). None of them is one of ``BrokerGreeting/subscriptions``.
    public var filters: [String]
    /// The topic whose payload the application gets, one of the filters; nil for none.
    public var read: String?

    public init(filters: [String], read: String? = nil) {
      (self.filters, self.read) = (filters, read)
    }

    /// Whether a topic is one of the client's own.
    package func contains(_ topic: String) -> Bool { filters.contains { PublishedTopic.matches(topic, filter: $0) } }
  }

  /// The longest payload that is processed on a topic; a longer one is cut to one byte more.
  package func longestPayload(on topic: String) -> Int {
    topic == kept?.read ? Kept.longestPayload : ReceivedMessage.longestPayload
  }
}

/// An event of a broker's connection.
public enum BrokerNews: Equatable, Sendable {
  /// The broker has accepted the connection and the subscriptions.
  case accepted
  /// The broker has accepted the message with this number.
  case delivered(Int)
  /// A message has arrived.
  case heard(ReceivedMessage)
  /// A message that is longer than ``ReceivedMessage/longestPacket`` has arrived. It was dropped.
  case leftOut(OversizedMessage)
}
