import CycleCore

/// Keeps one connection to a broker, or one socket for Open Sound Control, and sends the client's messages.
struct NetworkWork: Work {
  /// A message to be sent in one connection.
  struct Sending: Sendable {
    /// The number of the connection, as in ``NetworkState/connection``; the message is dropped in a different one.
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
    case heard(ReceivedMessage)
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

  private(set) var state = NetworkState()
  private let link: NetworkLink
  private let topics: [PublishedTopic]
  private let names: Set<String>
  private let store: PayloadPool
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
    _ link: NetworkLink, topics: [PublishedTopic], _ store: PayloadPool, by chance: any RandomNumberGenerator,
    collecting: Duration, at now: Moment
  ) {
    self.collecting = collecting
    self.link = link
    self.topics = topics
    names = Set(topics.map(\.name))
    self.store = store
    self.chance = chance
    // The first connection needs no wait: after a power cut the clients of a site start at moments that differ by more
    // than that.
    recovery = Recovery(in: .opening, at: now)
    undelivered.reserveCapacity(Outbox.window)
  }

  var descriptors: [PolledDescriptor] { link.peer.descriptors }

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
    link.disconnect()
    return link.isFlushed ? nil : context.now + .milliseconds(5)
  }

  mutating func close(in context: WorkContext<Self>) {
    link.disconnect()
    link.peer.close()
  }

  // MARK: - The connection

  private mutating func connect(on context: WorkContext<Self>) {
    hasLink = true
    do throws(DriverError) {
      switch link {
      case .broker(let broker, let greeting):
        try broker.connect(greeting, on: context.clock)
        patience = context.now + Self.longestGreeting
      case .osc(let peer):
        try peer.open(on: context.clock)
        accept(in: context)
      }
    } catch {
      end(error, in: context)
    }
  }

  private mutating func exchange(in context: WorkContext<Self>) {
    guard hasLink else { return }
    do throws(DriverError) {
      switch link {
      case .broker(let broker, let greeting): try exchange(with: broker, greeting, in: context)
      case .osc(let peer): try peer.receive(on: context.clock) { receive($0, in: context) }
      }
    } catch {
      end(error, in: context)
    }
  }

  private mutating func exchange(
    with broker: any Broker, _ greeting: BrokerGreeting, in context: WorkContext<Self>
  ) throws(DriverError) {
    var stale: [String] = []
    try broker.exchange(on: context.clock) { news in
      switch news {
      case .accepted: accept(in: context)
      case .delivered(let number):
        unacknowledged -= 1
        if undelivered.count < Outbox.window { undelivered.append(number) }
      case .heard(let message):
        if greeting.kept?.contains(message.topic) == true {
          if let topic = read(message, as: greeting) { stale.append(topic) }
        } else {
          receive(message, in: context)
        }
      case .leftOut(let message): leaveOut(message, in: context)
      }
    }
    for topic in stale {
      try broker.publish(UnsafeRawBufferPointer(start: nil, count: 0), to: topic, isRetained: true, number: nil)
    }
    guard let patience, patience <= context.now else { return }
    throw DriverError(
      .absent, of: broker.name, cannot: "connect to \(broker.name)", reason: "it does not answer",
      remedy: "Check that an MQTT broker listens on this port. It is retried.")
  }

  /// Handles a connection that works: a broker has accepted it, or a socket is open.
  private mutating func accept(in context: WorkContext<Self>) {
    // If this report doesn't fit, the driver finds the number in the state.
    context.report(.began(connection: state.connection + 1))
    guard !state.isConnected else { return }
    let now = context.now
    patience = nil
    accepted = now
    recovery.note(.succeed, at: now)
    state.connection += 1
    state.isConnected = true
    if link.greeting?.kept != nil { readEnd = now + BrokerGreeting.Kept.time }
    // While another client will probably end this connection soon, the error stays.
    if connectionsAreShort { settled = now + Self.shortIfTakenOver } else { state.error = nil }
  }

  private mutating func settle(at now: Moment) {
    guard let settled, settled <= now else { return }
    self.settled = nil
    state.error = nil
  }

  private mutating func end(_ error: DriverError, in context: WorkContext<Self>) {
    // Reported first, so that acknowledged messages are not sent again in the next connection.
    report(to: context, at: .distantFuture)
    link.disconnect()
    (patience, settled, readEnd, forgotten) = (nil, nil, nil, 0)
    (state.isConnected, state.hasRead, state.kept) = (false, false, nil)
    hasLink = false
    scheduleRetry(isRefused: error.kind == .notPermitted || error.kind == .misconfigured, at: context.now)
    undelivered.removeAll(keepingCapacity: true)
    (telling, unacknowledged) = (nil, 0)
    state.error = connectionsAreShort ? takeover ?? error : error
  }

  /// Whether connections end soon after their beginning: another client seems to use the identifier at the broker, or
  /// the network refuses each message.
  private var connectionsAreShort: Bool { shortConnections >= Self.takeoverCount }

  private mutating func scheduleRetry(isRefused: Bool, at now: Moment) {
    if let accepted {
      shortConnections =
        now - accepted < (connectionsAreShort ? Self.shortIfTakenOver : Self.short) ? shortConnections + 1 : 0
    }
    accepted = nil
    if !link.peer.canBeReached {
      recovery.note(.end, at: now)
    } else if isRefused || connectionsAreShort {
      recovery.note(.refuse, at: now)
    } else {
      // A client whose connection was not short returns soon, so that another one with its identifier has short ones.
      recovery.note(.lose, at: now, stableTime: Self.short)
      recovery.spread(from: now, by: &chance)
    }
  }

  /// Another client with the same identifier; nil for a peer without identifiers.
  private var takeover: DriverError? {
    guard let client = link.greeting?.client else { return nil }
    return DriverError(
      .busy, of: link.peer.name, cannot: "stay connected to \(link.peer.name)",
      reason: "another client uses the id \(client)",
      remedy: "Give each panel an id of its own; a copied card has that of the first. It is retried every 60 s.")
  }

  // MARK: - What the broker keeps

  /// Reads a message on one of the client's own topics: one that it has sent itself, or one that the broker keeps.
  ///
  /// - Returns: the topic, if the broker must delete its message.
  private mutating func read(_ message: ReceivedMessage, as greeting: BrokerGreeting) -> String? {
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
    guard case .broker(let broker, _) = link else { return }
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
      let isAcknowledged = topic.isAcknowledged && link.greeting != nil
      try publish(topic, sending, number: isAcknowledged ? sending.number : nil)
      // A message without an acknowledgement counts as delivered now.
      guard let number = sending.number else { return }
      if isAcknowledged { unacknowledged += 1 } else { undelivered.append(number) }
    } catch {
      end(error, in: context)
    }
  }

  private func publish(_ topic: PublishedTopic, _ sending: Sending, number: Int?) throws(DriverError) {
    guard let payload = sending.payload ?? topic.payload else {
      return try link.send(store[sending.slot], to: topic, number: number)
    }
    var failure: DriverError?
    payload.withUnsafeBytes { bytes in
      do throws(DriverError) {
        try link.send(bytes, to: topic, number: number)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private mutating func receive(_ message: ReceivedMessage, in context: WorkContext<Self>) {
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
    var next = min(link.peer.deadline ?? .distantFuture, patience ?? .distantFuture)
    next = min(next, settled ?? .distantFuture, readEnd ?? .distantFuture)
    if let telling { next = min(next, telling) }
    if ignored > 0 { next = min(next, now + .milliseconds(10)) }
    return next == .distantFuture ? nil : next
  }
}

/// The peer of a client.
enum NetworkLink {
  case broker(any Broker, BrokerGreeting)
  case osc(any OSCPeer)

  var peer: any PolledPeer {
    switch self {
    case .broker(let broker, _): broker
    case .osc(let peer): peer
    }
  }

  /// The beginning of each connection to a broker; nil for other peers.
  var greeting: BrokerGreeting? {
    switch self {
    case .broker(_, let greeting): greeting
    case .osc: nil
    }
  }

  func send(_ payload: UnsafeRawBufferPointer, to topic: PublishedTopic, number: Int?) throws(DriverError) {
    switch self {
    case .broker(let broker, _):
      try broker.publish(payload, to: topic.name, isRetained: topic.isRetained, number: number)
    case .osc(let peer): try peer.send(payload, to: topic.name)
    }
  }

  /// Whether all messages, and the end of the connection, have been written to the network.
  var isFlushed: Bool {
    switch self {
    case .broker(let broker, _): broker.isFlushed
    case .osc: true
    }
  }

  func disconnect() {
    switch self {
    case .broker(let broker, _): broker.disconnect()
    case .osc(let peer): peer.close()
    }
  }
}

/// Whether there is a connection.
struct NetworkState: Equatable, Sendable {
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
