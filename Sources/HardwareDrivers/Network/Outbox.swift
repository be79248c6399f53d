import CycleCore

/// The messages that wait for a broker: the newest value of each topic, and the last events.
///
/// Its size is bounded, whatever the network does, and every message is counted once. A value that changes while it
/// waits is replaced. If an event doesn't fit, the oldest one is dropped, and the next event that is sent contains the
/// number of dropped events. Messages that were sent but not acknowledged when a connection ended are sent again in the
/// next one. So a receiver may get a message twice, and every gap is reported.
///
/// It allocates nothing after its initialization.
struct Outbox {
  /// A message to be sent now.
  struct Outgoing: Equatable {
    enum Content: Equatable {
      /// The newest value of a topic. Its payload is requested now.
      case value
      /// The payload that was written when the event was offered.
      case event(slot: Int, missed: Int, offered: Moment)
    }

    /// Identifies the message until it is acknowledged; never used again.
    var number: Int
    var topic: Int
    var content: Content
  }

  /// The maximum number of waiting events.
  static let eventCapacity = 256
  /// The maximum number of messages that are sent before the first of them is acknowledged.
  static let window = 16

  private struct Value {
    /// Whether the value waits to be sent.
    var waits = false
    /// The earliest moment at which it may be sent again.
    var earliest = Moment.zero
  }

  private struct Event {
    var topic: Int
    var slot: Int
    var offered: Moment
    /// The number of events that were dropped directly before this one.
    var missed = 0
  }

  private struct Sent {
    var number: Int
    var topic: Int
    /// Nil for a value.
    var event: Event?
  }

  private(set) var account = OutboxCounts()
  private var values: [Value]
  /// The topics of waiting values, in the order in which they began to wait.
  private var queue: FixedQueue<Int>
  private var events: FixedQueue<Event>
  /// The messages that are not acknowledged, in the order of sending.
  private var sent: FixedQueue<Sent>
  private var freeSlots: FixedQueue<Int>
  private var number = 0
  private var eventLimiter = RateLimiter(each: .milliseconds(20), most: 200)
  /// The shortest time between two messages with the value of one topic.
  static let valuePause = Duration.milliseconds(200)

  /// The number of slots for payloads of events: waiting ones, and sent ones.
  static var slotCount: Int { eventCapacity + window }

  /// - Parameter topicCount: the number of topics; a topic is a number below this.
  init(topicCount: Int) {
    values = Array(repeating: Value(), count: topicCount)
    queue = FixedQueue(capacity: topicCount, empty: 0)
    events = FixedQueue(capacity: Self.eventCapacity, empty: Event(topic: 0, slot: 0, offered: .zero))
    sent = FixedQueue(capacity: Self.window, empty: Sent(number: 0, topic: 0))
    freeSlots = FixedQueue(capacity: Self.slotCount, empty: 0)
    for slot in 0..<Self.slotCount { freeSlots.append(slot) }
  }

  // MARK: - Offering

  /// Queues a topic whose value has changed.
  mutating func offer(value topic: Int) {
    account.offered += 1
    guard !values[topic].waits else {
      account.superseded += 1
      return
    }
    values[topic].waits = true
    queue.append(topic)
    account.pending += 1
  }

  /// Queues an event.
  ///
  /// - Returns: the slot to which its payload must be written now.
  mutating func offer(event topic: Int, at moment: Moment) -> Int {
    account.offered += 1
    account.pending += 1
    if events.isFull { dropOldestEvent() }
    // The number of slots is the number of events that can wait, plus the number of messages that can be sent.
    let slot = freeSlots.removeFirst()
    events.append(Event(topic: topic, slot: slot, offered: moment))
    return slot
  }

  private mutating func dropOldestEvent() {
    let dropped = events.removeFirst()
    freeSlots.append(dropped.slot)
    events[0].missed += dropped.missed + 1
    account.lost += 1
    account.pending -= 1
  }

  // MARK: - Sending

  /// Returns the next message to send at this moment; nil if none waits, or none may be sent yet.
  mutating func next(at now: Moment) -> Outgoing? {
    guard !sent.isFull else { return nil }
    if !events.isEmpty, eventLimiter.take(at: now) {
      let event = events.removeFirst()
      note(event.topic, event)
      return Outgoing(
        number: number, topic: event.topic,
        content: .event(slot: event.slot, missed: event.missed, offered: event.offered))
    }
    for _ in 0..<queue.count {
      let topic = queue.removeFirst()
      guard values[topic].earliest <= now else {
        queue.append(topic)
        continue
      }
      values[topic].waits = false
      values[topic].earliest = now + Self.valuePause
      note(topic, nil)
      return Outgoing(number: number, topic: topic, content: .value)
    }
    return nil
  }

  private mutating func note(_ topic: Int, _ event: Event?) {
    number += 1
    sent.append(Sent(number: number, topic: topic, event: event))
  }

  /// The moment at which ``next(at:)`` has a message, if it has none now; nil if only an acknowledgement or an offer
  /// leads to one.
  func nextMoment(after now: Moment) -> Moment? {
    guard !sent.isFull else { return nil }
    var next = events.isEmpty ? Moment.distantFuture : eventLimiter.nextMoment(after: now)
    for place in 0..<queue.count { next = min(next, values[queue[place]].earliest) }
    return next == .distantFuture ? nil : max(next, now)
  }

  /// Handles the acknowledgement of a message; does nothing for a number that is not waited for.
  mutating func acknowledge(_ number: Int) {
    guard let place = (0..<sent.count).first(where: { sent[$0].number == number }) else { return }
    let message = sent.remove(at: place)
    if let event = message.event { freeSlots.append(event.slot) }
    account.delivered += 1
    account.pending -= 1
  }

  /// Handles the end of the connection: messages that were not acknowledged wait again.
  mutating func disconnect() {
    while !sent.isEmpty {
      let message = sent.removeLast()
      if let event = message.event {
        takeBack(event)
      } else if values[message.topic].waits {
        account.superseded += 1
        account.pending -= 1
      } else {
        values[message.topic].waits = true
        queue.prepend(message.topic)
      }
    }
  }

  /// Queues a sent event again, before the later ones.
  private mutating func takeBack(_ event: Event) {
    guard events.isFull else { return events.prepend(event) }
    // The queue is full, and this event is the oldest.
    events[0].missed += event.missed + 1
    freeSlots.append(event.slot)
    account.lost += 1
    account.pending -= 1
  }

  /// Whether no message waits, for its sending or its acknowledgement.
  var isEmpty: Bool { account.pending == 0 }
}
