import CycleCore

/// Keeps one connection to a broker, and sends the client's messages.
struct BrokerWork: Work {
  /// A message to be sent in one connection.
  struct Sending: Sendable {
    /// The number of the connection, as in ``BrokerState/connection``; the message is dropped in a different one.
    var connection: Int
    /// Identifies the message; nil if its acknowledgement is not needed.
    var number: Int?
    var topic: Int
    /// The slot of the store that contains the payload.
    var slot: Int
    /// The payload for this time only, in place of the slot's and the topic's; nil to use those.
    var payload: [UInt8]?
  }

  enum Report: Sendable {
    /// The broker has accepted the connection with this number; reports after this one are of that connection.
    case began(connection: Int)
    case delivered(Int)
    case heard(BrokerMessage)
    /// More messages arrived than are processed.
    case ignored(count: Int)
    /// A message that was too long to be read.
    case leftOut(OversizedMessage)
  }

  typealias Command = Sending

  /// The pause between two reports of a message that is too long; others during the pause are counted as ignored.
  static let oversizedPause = Duration.seconds(30)
  /// The rate of received messages that are processed: 20 each second, up to 40 in a row.
  static let heardPause = Duration.milliseconds(50)
  static let heardAtOnce = 40

  private(set) var state = BrokerState()
  private let broker: any Broker
  private let greeting: BrokerGreeting
  private let topics: [BrokerTopic]
  private let names: Set<String>
  private let store: PayloadStore
  private var recovery: Recovery
  /// The random numbers that spread the retries: many clients lose a broker at the same moment.
  private var chance: any RandomNumberGenerator
  /// Whether there is a connection or one is being made.
  private var hasLink = false
  /// When the broker accepted the connection; nil while it has accepted none.
  private var accepted: Moment?
  /// The number of connections in a row that were short.
  private var shortConnections = 0
  /// The moment at which a connection that the broker has not accepted is given up.
  private var patience: Moment?
  /// The moment at which the connection will have lasted long enough to show that no other client uses the identifier;
  /// nil if no other client seems to use it.
  private var settled: Moment?
  /// The end of the time in which the broker's kept messages are read; nil while none are read.
  private var readEnd: Moment?
  /// The number of topics that the broker was asked to delete in this connection.
  private var forgotten = 0
  /// The time within which the broker must accept a connection.
  static let longestGreeting = Duration.seconds(10)
  /// A connection that ends earlier is a short one.
  static let short = Duration.seconds(10)
  /// The same while another client seems to use the identifier. Both clients wait for up to 60 s, so each connection of
  /// this one may last as long.
  static let shortIfTakenOver = Duration.seconds(120)
  /// This number of short connections in a row means that another client uses the identifier.
  static let takeoverCount = 3
  private var limiter = RateLimiter(each: heardPause, most: heardAtOnce)
  private var ignored = 0
  private var oversized = RateLimiter(each: oversizedPause, most: 1)
  /// The message that was reported last as too long.
  private var lastOversized: OversizedMessage?
  /// Acknowledged messages that were not reported to the driver yet; at most one window of them.
  private var undelivered: [Int] = []
  /// The moment at which they are reported; nil while there are none.
  private var telling: Moment?
  /// The number of messages of this connection that the broker has not acknowledged.
  private var unacknowledged = 0
  /// The time for which acknowledgements are collected while others are missing, so that the cycle wakes once for
  /// messages that were sent together.
  private let collecting: Duration

  init(
    _ broker: any Broker, _ greeting: BrokerGreeting, topics: [BrokerTopic], _ store: PayloadStore,
    by chance: any RandomNumberGenerator, collecting: Duration, at now: Moment
  ) {
    self.collecting = collecting
    self.broker = broker
    self.greeting = greeting
    self.topics = topics
    names = Set(topics.map(\.name))
    self.store = store
    self.chance = chance
    // The first connection needs no wait: after a power cut the clients of a site start at moments that differ by more
    // than that.
    recovery = Recovery(in: .opening, at: now)
    undelivered.reserveCapacity(Outbox.window)
  }

  var descriptors: [PolledDescriptor] { broker.descriptors }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    if !hasLink, recovery.isDue(at: context.now) { connect(on: context) }
    settle(at: context.now)
    while let sending = context.receive() { send(sending, in: context) }
    exchange(in: context)
    endReading(in: context)
    report(to: context, at: context.now)
    return WorkWait(until: next(after: context.now), pollsDescriptors: hasLink)
  }

  mutating func finish(in context: WorkContext<Self>) -> Moment? {
    guard hasLink, state.isConnected else { return nil }
    while let sending = context.receive() { send(sending, in: context) }
    exchange(in: context)
    report(to: context, at: .distantFuture)
    guard hasLink else { return nil }
    // The driver sends its last messages before it stops the worker, so they have been published here.
    broker.disconnect()
    return broker.isFlushed ? nil : context.now + .milliseconds(5)
  }

  mutating func close(in context: WorkContext<Self>) {
    broker.disconnect()
    broker.close()
  }

  // MARK: - The connection

  private mutating func connect(on context: WorkContext<Self>) {
    hasLink = true
    do throws(DriverError) {
      try broker.connect(greeting, on: context.clock)
      patience = context.now + Self.longestGreeting
    } catch {
      end(error, in: context)
    }
  }

  private mutating func exchange(in context: WorkContext<Self>) {
    guard hasLink else { return }
    var isAccepted = false
    var stale: [String] = []
    do throws(DriverError) {
      try broker.exchange(on: context.clock) { news in
        switch news {
        case .accepted:
          isAccepted = true
          // If this report doesn't fit, the driver finds the number in the state.
          context.report(.began(connection: state.connection + 1))
        case .delivered(let number):
          unacknowledged -= 1
          if undelivered.count < Outbox.window { undelivered.append(number) }
        case .heard(let message):
          if greeting.kept?.contains(message.topic) == true {
            if let topic = read(message) { stale.append(topic) }
          } else {
            receive(message, in: context)
          }
        case .leftOut(let message): leaveOut(message, in: context)
        }
      }
      if isAccepted { accept(at: context.now) }
      for topic in stale {
        try broker.publish(UnsafeRawBufferPointer(start: nil, count: 0), to: topic, isRetained: true, number: nil)
      }
      guard let patience, patience <= context.now else { return }
      throw DriverError(
        .absent, of: broker.name, cannot: "connect to \(broker.name)", reason: "it does not answer",
        remedy: "Check that an MQTT broker listens on this port. It is retried.")
    } catch {
      if isAccepted { accept(at: context.now) }
      end(error, in: context)
    }
  }

  private mutating func accept(at now: Moment) {
    guard !state.isConnected else { return }
    patience = nil
    accepted = now
    recovery.note(.succeed, at: now)
    state.connection += 1
    state.isConnected = true
    if greeting.kept != nil { readEnd = now + BrokerGreeting.Kept.time }
    // While another client will probably end this connection soon, the error stays.
    if isTakenOver { settled = now + Self.shortIfTakenOver } else { state.error = nil }
  }

  private mutating func settle(at now: Moment) {
    guard let settled, settled <= now else { return }
    self.settled = nil
    state.error = nil
  }

  private mutating func end(_ error: DriverError, in context: WorkContext<Self>) {
    // Reported first, so that acknowledged messages are not sent again in the next connection.
    report(to: context, at: .distantFuture)
    broker.disconnect()
    (patience, settled, readEnd, forgotten) = (nil, nil, nil, 0)
    (state.isConnected, state.hasRead, state.kept) = (false, false, nil)
    hasLink = false
    scheduleRetry(isRefused: error.kind == .notPermitted || error.kind == .misconfigured, at: context.now)
    undelivered.removeAll(keepingCapacity: true)
    (telling, unacknowledged) = (nil, 0)
    state.error = isTakenOver && broker.identifiesClients ? takeover : error
  }

  /// Whether another client seems to use the identifier.
  private var isTakenOver: Bool { shortConnections >= Self.takeoverCount }

  private mutating func scheduleRetry(isRefused: Bool, at now: Moment) {
    if let accepted {
      shortConnections = now - accepted < (isTakenOver ? Self.shortIfTakenOver : Self.short) ? shortConnections + 1 : 0
    }
    accepted = nil
    if !broker.canBeReached {
      recovery.note(.end, at: now)
    } else if isRefused || isTakenOver {
      recovery.note(.refuse, at: now)
    } else {
      // A client whose connection was not short returns soon, so that another one with its identifier has short ones.
      recovery.note(.lose, at: now, stableTime: Self.short)
      recovery.spread(from: now, by: &chance)
    }
  }

  private var takeover: DriverError {
    DriverError(
      .busy, of: broker.name, cannot: "stay connected to \(broker.name)",
      reason: "another client uses the id \(greeting.client)",
      remedy: "Give each panel an id of its own; a copied card has that of the first. It is retried every 60 s.")
  }

  // MARK: - What the broker keeps

  /// Reads a message on one of the client's own topics: one that it has sent itself, or one that the broker keeps.
  ///
  /// - Returns: the topic, if the broker must delete its message.
  private mutating func read(_ message: BrokerMessage) -> String? {
    guard message.isRetained, !message.payload.isEmpty, !state.isConnected || readEnd != nil else { return nil }
    if message.topic == greeting.kept?.read {
      if message.payload.count <= BrokerGreeting.Kept.longestPayload { state.kept = message.payload }
      // The application waits only for this message.
      state.hasRead = true
    }
    guard !names.contains(message.topic) else { return nil }
    guard forgotten < BrokerGreeting.Kept.mostForgotten else {
      ignored += 1
      return nil
    }
    forgotten += 1
    return message.topic
  }

  private mutating func endReading(in context: WorkContext<Self>) {
    guard let readEnd, readEnd <= context.now else { return }
    self.readEnd = nil
    state.hasRead = true
    do throws(DriverError) {
      try broker.endReading()
    } catch {
      end(error, in: context)
    }
  }

  // MARK: - Messages

  private mutating func send(_ sending: Sending, in context: WorkContext<Self>) {
    guard state.isConnected, sending.connection == state.connection else { return }
    let topic = topics[sending.topic]
    do throws(DriverError) {
      try publish(topic, sending, number: topic.isAcknowledged ? sending.number : nil)
      // A message without an acknowledgement counts as delivered now.
      guard let number = sending.number else { return }
      if topic.isAcknowledged { unacknowledged += 1 } else { undelivered.append(number) }
    } catch {
      end(error, in: context)
    }
  }

  private func publish(_ topic: BrokerTopic, _ sending: Sending, number: Int?) throws(DriverError) {
    guard let payload = sending.payload ?? topic.payload else {
      return try broker.publish(store[sending.slot], to: topic.name, isRetained: topic.isRetained, number: number)
    }
    var failure: DriverError?
    payload.withUnsafeBytes { bytes in
      do throws(DriverError) {
        try broker.publish(bytes, to: topic.name, isRetained: topic.isRetained, number: number)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private mutating func receive(_ message: BrokerMessage, in context: WorkContext<Self>) {
    guard limiter.take(at: context.now), context.report(.heard(message)) else {
      ignored += 1
      return
    }
  }

  /// Reports a message that is too long, unless it equals the last reported one or the pause after that has not ended.
  private mutating func leaveOut(_ message: OversizedMessage, in context: WorkContext<Self>) {
    guard message != lastOversized, oversized.take(at: context.now), context.report(.leftOut(message)) else {
      ignored += 1
      return
    }
    lastOversized = message
  }

  /// Reports acknowledged and ignored messages to the driver while there is room.
  private mutating func report(to context: WorkContext<Self>, at now: Moment) {
    let moment = telling ?? now + collecting
    if unacknowledged <= 0 || undelivered.count >= Outbox.window / 2 || moment <= now {
      while let number = undelivered.first, context.report(.delivered(number)) { undelivered.removeFirst() }
    }
    // Reports that did not fit are tried again.
    telling = undelivered.isEmpty ? nil : moment > now ? moment : now + .milliseconds(10)
    if ignored > 0, context.report(.ignored(count: ignored)) { ignored = 0 }
  }

  private func next(after now: Moment) -> Moment? {
    guard hasLink else { return recovery.due }
    var next = min(broker.deadline ?? .distantFuture, patience ?? .distantFuture)
    next = min(next, settled ?? .distantFuture, readEnd ?? .distantFuture)
    if let telling { next = min(next, telling) }
    if ignored > 0 { next = min(next, now + .milliseconds(10)) }
    return next == .distantFuture ? nil : next
  }
}

/// Whether there is a connection to a broker.
struct BrokerState: Equatable, Sendable {
  /// The number of connections so far, including this one.
  var connection = 0
  var isConnected = false
  /// Why the connection is missing or doesn't last; nil before the first try, and while the connection works.
  var error: DriverError?
  /// Whether it is known in this connection what the broker keeps on the topic that the application waits for.
  var hasRead = false
  /// The payload that the broker keeps there; nil for none.
  var kept: [UInt8]?
}

/// A topic on which a client sends.
public struct BrokerTopic: Equatable, Sendable {
  /// Whether a filter matches a topic. `+` matches one level, `#` the rest. Neither matches a first level that begins
  /// with `$`, which brokers use for their own topics.
  ///
  /// **Source.** MQTT Version 3.1.1, sections 4.7.1 and 4.7.2.
  package static func matches(_ topic: String, filter: String) -> Bool {
    // Compares bytes, because a simulated broker calls this for each message and each filter.
    let (slash, one, all) = (UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "#"))
    var (rest, wanted) = (topic.utf8.makeIterator(), filter.utf8.makeIterator())
    var byte = rest.next()
    if byte == UInt8(ascii: "$"), let first = filter.utf8.first, first == one || first == all { return false }
    var isLevelStart = true
    while let next = wanted.next() {
      if isLevelStart, next == all { return true }
      if isLevelStart, next == one {
        while byte != nil, byte != slash { byte = rest.next() }
        isLevelStart = false
        continue
      }
      // `a/#` is a filter of `a`, too.
      guard let own = byte else { return next == slash && wanted.next() == all }
      guard own == next else { return false }
      isLevelStart = next == slash
      byte = rest.next()
    }
    return byte == nil
  }

  /// `panel/bell/value/level`.
  public var name: String
  /// Whether it is a value, of which the broker keeps the newest for later subscribers; if false, it is a stream of
  /// events.
  public var isRetained: Bool
  /// Whether it has quality of service 1; if false, 0. With 0 a message that is lost on its way is not sent again, and
  /// counts as delivered when the network has it.
  public var isAcknowledged: Bool
  /// The fixed payload, of any length; nil if it is computed for each message, with 512 bytes at most.
  public var payload: [UInt8]?

  /// - Parameters:
  ///   - name: `panel/bell/value/level`.
  ///   - isRetained: whether it is a value that the broker keeps.
  ///   - isAcknowledged: whether it has quality of service 1.
  ///   - payload: the fixed payload; nil if it is computed for each message.
  public init(_ name: String, isRetained: Bool, isAcknowledged: Bool = true, payload: [UInt8]? = nil) {
    (self.name, self.isRetained, self.isAcknowledged, self.payload) = (name, isRetained, isAcknowledged, payload)
  }
}
