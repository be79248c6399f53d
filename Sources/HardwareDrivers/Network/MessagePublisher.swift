import CycleCore

/// An application's interface to its ``MessagingDriver`` for messages to send; used on the cycle's thread.
///
/// A value is named only by its topic. Its payload is requested when it is sent, so that many changes cost one message.
/// All values are sent again with each connection. An event's payload is written when the event is offered. Messages
/// are sent after the drivers have rendered the frame: in the same turn of the cycle, or after the plan's pause.
public final class MessagePublisher {
  /// The topics that the client sends on, and the messages that it sends without a request of the application.
  public struct Plan {
    /// The topics. This type and ``MessagePublisher`` identify a topic by its index here.
    public var topics: [PublishedTopic]
    /// A topic whose value is sent at intervals while there is a connection; nil for none.
    public var repeated: Repeated?
    /// The topic that reports whether the application runs; nil for none. It is sent as the last of a connection's
    /// first messages, after all others have been acknowledged, and as the very last message.
    public var availability: Availability?
    /// Retained topics that are not sent at the beginning of a connection: the application sends them itself.
    public var held: [Int]
    /// The time for which messages are collected, from the first one since the last sending. An event's effects on the
    /// hardware therefore take place before the work for the network. 0 sends in the same turn; a broker in memory
    /// always does.
    public var pause: Duration

    /// A topic that reports whether the application runs.
    public struct Availability {
      /// Its index among the topics.
      public var topic: Int
      /// The payload while the application runs.
      public var online: String
      /// The payload at the end.
      public var offline: String

      public init(topic: Int, online: String = "online", offline: String = "offline") {
        (self.topic, self.online, self.offline) = (topic, online, offline)
      }
    }

    /// A topic that is sent at intervals.
    public struct Repeated {
      /// Its index among the topics.
      public var topic: Int
      /// The time from the beginning of a connection to the first message, and from each to the next.
      public var interval: Duration

      public init(topic: Int, each interval: Duration) {
        (self.topic, self.interval) = (topic, interval)
      }
    }

    /// - Parameters:
    ///   - topics: the topics that the client sends on, each name once.
    ///   - availability: the topic that reports whether the application runs.
    ///   - repeated: the topic that is sent at intervals.
    ///   - held: retained topics that are not sent at the beginning of a connection.
    ///   - pause: the time for which messages are collected.
    public init(
      topics: [PublishedTopic], availability: Availability? = nil, repeated: Repeated? = nil, held: [Int] = [],
      pause: Duration = .zero
    ) {
      self.held = held
      (self.topics, self.availability, self.repeated, self.pause) = (topics, availability, repeated, pause)
    }
  }

  /// The longest payload of an event, in bytes.
  public static let longestPayload = PayloadPool.longest
  /// The longest payload of a value that has no fixed one, in bytes.
  public static let longestValue = PayloadPool.longestValue

  let topics: [PublishedTopic]
  let store: PayloadPool
  /// The first slot for values, after the slots of events. A message's slot is its number modulo the window, counted
  /// from here. The message that used the slot before has been read, because a later one has been acknowledged.
  private let valueSlots: Int
  private let availability: Plan.Availability?
  private let repeated: Plan.Repeated?
  private let values: [Int]
  private let held: [Int]
  private let planned: Duration
  private var pause = Duration.zero
  /// The moment at which waiting messages are sent.
  private var due = Moment.distantFuture
  /// The moment at which each topic is offered, and the earliest of these moments.
  private var later: [Moment]
  private var nextLater = Moment.distantFuture
  private var outbox: Outbox
  /// The payloads that topics send once, in place of their own.
  private var exceptions: [Int: [UInt8]] = [:]
  private let writeValue: (_ topic: Int, inout PayloadWriter) -> Void
  private let prepare: () -> Void
  private let hasValue: (_ topic: Int) -> Bool
  private let disconnected: () -> Void
  private let finishEvent: (_ missed: Int, _ offered: Moment, _ now: Moment, inout PayloadWriter) -> Void
  private var connection: Int?
  /// Whether availability waits until all values of this connection are acknowledged.
  private var isArriving = false
  private var hasArrived = false
  private var trySend: ((NetworkWork.Sending) -> Bool)?
  private var now: () -> Moment = { .zero }
  private var setAlarm: (Moment?) -> Void = { _ in }
  /// The number of received messages that were not processed, because too many arrived together.
  public internal(set) var ignored = 0
  /// The number of connections after the first.
  public private(set) var reconnections = 0

  /// - Parameters:
  ///   - plan: the topics.
  ///   - prepare: offers the values that have changed; called before messages are sent.
  ///   - hasValue: whether a topic has a value now; a topic without one is not sent.
  ///   - disconnected: called when a connection has ended.
  ///   - writeValue: writes the current payload of a topic with values. Called when it is sent, except for the
  ///     availability topic and topics with a fixed payload.
  ///   - finishEvent: writes the end of an event's payload when it is sent. It gets the number of events lost before
  ///     it, the moment at which it was offered, and the current moment.
  public init(
    _ plan: Plan, prepare: @escaping () -> Void = {}, hasValue: @escaping (_ topic: Int) -> Bool = { _ in true },
    disconnected: @escaping () -> Void = {},
    writeValue: @escaping (_ topic: Int, inout PayloadWriter) -> Void,
    finishEvent: @escaping (_ missed: Int, _ offered: Moment, _ now: Moment, inout PayloadWriter) -> Void
  ) {
    topics = plan.topics
    (availability, repeated, planned) = (plan.availability, plan.repeated, plan.pause)
    later = plan.topics.map { _ in .distantFuture }
    (self.prepare, self.hasValue, self.disconnected) = (prepare, hasValue, disconnected)
    self.writeValue = writeValue
    self.finishEvent = finishEvent
    values = plan.topics.indices.filter { plan.topics[$0].isRetained && $0 != plan.availability?.topic }
    outbox = Outbox(topicCount: plan.topics.count)
    valueSlots = Outbox.slotCount
    held = plan.held
    store = PayloadPool(slots: Outbox.slotCount, values: Outbox.window + 1)
  }

  /// The counts of all messages so far. Retained topics are counted again with each connection.
  public var account: OutboxCounts { outbox.account }
  /// Whether there is a connection.
  public var isConnected: Bool { connection != nil }

  // MARK: - Offering

  /// Queues the value of a topic, which has changed.
  public func tell(value topic: Int) {
    // Each connection begins with all values, so none is queued without a connection.
    guard connection != nil, hasValue(topic) else { return }
    outbox.offer(value: topic)
    ring()
  }

  /// Sends a different payload once in place of the topic's own. The next sending of the value uses its own payload
  /// again.
  ///
  /// - Parameters:
  ///   - topic: one with a fixed payload.
  ///   - payload: of any length.
  public func tell(value topic: Int, saying payload: [UInt8]) {
    guard connection != nil else { return }
    exceptions[topic] = payload
    tell(value: topic)
  }

  /// Queues a value after a time, unless the connection has ended by then.
  public func tell(value topic: Int, after span: Duration) {
    guard connection != nil else { return }
    later[topic] = min(later[topic], now() + span)
    nextLater = min(nextLater, later[topic])
    ring()
  }

  /// Queues an event.
  ///
  /// - Parameters:
  ///   - topic: one that is not retained.
  ///   - write: writes the payload; `finishEvent` writes its end.
  public func tell(event topic: Int, _ write: (inout PayloadWriter) -> Void) {
    store.write(outbox.offer(event: topic, at: now()), write)
    ring()
  }

  /// Sends all values again.
  public func tellAll() {
    guard connection != nil else { return }
    for topic in values where hasValue(topic) { outbox.offer(value: topic) }
    ring()
  }

  /// Schedules the next sending, after the drivers have rendered. It asks the application for its changes, and sends
  /// all messages that may be sent.
  public func ring() {
    guard connection != nil else { return }
    let moment = now() + pause
    guard moment < due else { return }
    due = moment
    setAlarm(due)
  }

  // MARK: - The client's side

  /// - Parameter collects: whether the plan's pause applies.
  func start(
    collects: Bool, send: @escaping (NetworkWork.Sending) -> Bool, now: @escaping () -> Moment,
    setAlarm: @escaping (Moment?) -> Void
  ) {
    (trySend, self.now, self.setAlarm) = (send, now, setAlarm)
    pause = collects ? planned : .zero
  }

  func connect(_ number: Int) {
    if number > 1 { reconnections += 1 }
    // Changes from before the connection are part of the values that it begins with.
    prepare()
    connection = number
    isArriving = availability != nil
    hasArrived = false
    forgetLater()
    if let repeated { tell(value: repeated.topic, after: repeated.interval) }
    for topic in values where !held.contains(topic) && hasValue(topic) { outbox.offer(value: topic) }
  }

  func disconnect() {
    guard connection != nil else { return }
    connection = nil
    exceptions = [:]
    outbox.disconnect()
    disconnected()
  }

  private func forgetLater() {
    for topic in later.indices { later[topic] = .distantFuture }
    nextLater = .distantFuture
  }

  /// Queues the values whose moments have passed.
  private func offerLater(at now: Moment) {
    guard nextLater <= now else { return }
    nextLater = .distantFuture
    for topic in later.indices {
      if later[topic] <= now {
        outbox.offer(value: topic)
        later[topic] = topic == repeated?.topic ? now + repeated!.interval : .distantFuture
      }
      nextLater = min(nextLater, later[topic])
    }
  }

  func acknowledge(_ number: Int) { outbox.acknowledge(number) }

  /// Sends all messages that may be sent now.
  func send() {
    due = .distantFuture
    guard let connection, let trySend else { return setAlarm(nil) }
    prepare()
    let now = now()
    offerLater(at: now)
    if isArriving, outbox.isEmpty {
      isArriving = false
      hasArrived = true
      if let availability { outbox.offer(value: availability.topic) }
    }
    while let message = outbox.next(at: now) {
      let slot = write(message, at: now)
      let payload = message.content == .value ? exceptions.removeValue(forKey: message.topic) : nil
      // A window of commands fits: commands of earlier connections were received before this one could begin.
      _ = trySend(
        NetworkWork.Sending(
          connection: connection, number: message.number, topic: message.topic, slot: slot, payload: payload))
    }
    due = min(outbox.nextMoment(after: now) ?? .distantFuture, nextLater)
    setAlarm(due == .distantFuture ? nil : due)
  }

  private func write(_ message: Outbox.Outgoing, at now: Moment) -> Int {
    switch message.content {
    case .event(let slot, let missed, let offered):
      store.finish(slot) { finishEvent(missed, offered, now, &$0) }
      return slot
    case .value:
      let slot = valueSlots + message.number % Outbox.window
      guard topics[message.topic].payload == nil else { return slot }
      store.write(slot) { writer in
        if let availability, availability.topic == message.topic {
          writer.write(availability.online)
        } else {
          writeValue(message.topic, &writer)
        }
      }
      return slot
    }
  }

  /// Publishes at the end that the application is gone. If that can't be sent, the broker publishes the will.
  func end() {
    // Messages that were collected during the pause.
    if pause > .zero, due < .distantFuture { send() }
    if let connection, let availability, hasArrived {
      let slot = valueSlots + Outbox.window
      store.write(slot) { $0.write(availability.offline) }
      _ = trySend?(
        NetworkWork.Sending(connection: connection, number: nil, topic: availability.topic, slot: slot))
    }
    trySend = nil
    // These closures refer to the application, which may be deallocated before this object.
    (now, setAlarm) = ({ .zero }, { _ in })
  }
}
