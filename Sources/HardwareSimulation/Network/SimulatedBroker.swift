import CycleCore
import HardwareDrivers

/// An MQTT broker in memory and the network before it, for one client. It keeps retained messages and the will,
/// acknowledges messages, and fails in the ways of networks and brokers.
///
/// It checks the duties of the client: a client that sends nothing for 1.5 keepalives is disconnected, and its will is
/// published (MQTT 3.1.1, section 3.1.2.10). As with libmosquitto, a ping is sent only while ``exchange(on:_:)`` is
/// called, and only when nothing was sent or nothing was received for one keepalive.
public final class SimulatedBroker: Broker, SimulatedHardware {
  /// The state of the network.
  public enum Network: Equatable, Sendable {
    /// All bytes arrive.
    case up
    /// The network is unreachable: a connection fails immediately, and an open one ends after 1.5 keepalives of
    /// silence.
    case unplugged
    /// The port is closed: a connection is refused, an open one is reset.
    case refusing
    /// Sent bytes disappear: a connection is never accepted. An open one is dead; the client detects it as if
    /// unplugged.
    case swallowing
    /// The name server does not answer: each connection takes this time, and then fails.
    case nameless(after: Duration)
  }

  /// A message that the broker has received.
  public struct Message: Equatable, Sendable {
    public var moment: Moment
    public var topic: String
    public var payload: String
    public var isRetained: Bool
  }

  private let bench: Bench
  private var waker: DriverWaker?
  private var greeting: BrokerGreeting?
  /// The events that were not passed to the client yet, each with the moment from which it is available.
  private var news: [(moment: Moment, news: BrokerNews)] = []
  private var failure: (moment: Moment, error: DriverError)?
  private var clock: WorkClock?
  private var isAccepted = false
  /// Whether the client gets the messages on its own topics.
  private var isReading = false
  private var keepAlive = KeepAlive(.seconds(60), at: .zero)
  /// The moments at which the client has last sent and last received something.
  private var lastSent = Moment.zero
  private var lastReceived = Moment.zero
  /// The moment at which the broker has last received something on this connection.
  private var lastHeard = Moment.zero
  /// Whether the broker has closed the connection, because the client sent nothing for too long.
  private var isClosed = false
  private var arrived: [Message] = []
  private var kept: [String: String] = [:]
  /// Whether a message of this connection was lost. The bytes of a connection arrive in order, so all later ones are
  /// lost, too.
  private var hasGap = false

  public let name: String

  /// - Parameters:
  ///   - bench: the bench whose clock it uses.
  ///   - name: its name in errors.
  public init(_ bench: Bench, name: String = "broker.lan:1883") {
    (self.bench, self.name) = (bench, name)
  }

  // MARK: The world's side

  /// The network; a change takes effect immediately.
  public var network = Network.up {
    didSet { if network != oldValue { networkChanged() } }
  }
  /// The time that the broker takes to answer.
  public var delay = Duration.zero
  /// Whether the broker refuses the client's user or password.
  public var refusesCredentials = false
  /// Whether the broker stops acknowledging messages, although it still accepts them.
  public var isStalled = false
  /// Whether each message arrives twice, as after a lost acknowledgement.
  public var duplicates = false
  /// All messages that have arrived, the oldest first.
  public var messages: [Message] {
    closeIfSilent(at: bench.now)
    return arrived
  }
  /// The newest retained message of each topic.
  public var retained: [String: String] {
    closeIfSilent(at: bench.now)
    return kept
  }
  /// The number of pings that the client has sent.
  public private(set) var pings = 0
  /// The length of each retained message that is too long for the client.
  private var oversized: [String: Int] = [:]
  /// The number of connections that were begun, and of those that were accepted.
  public private(set) var attempts = 0
  public private(set) var connections = 0
  /// Whether a client is connected.
  public var isConnected: Bool {
    closeIfSilent(at: bench.now)
    return isAccepted && !isClosed
  }

  public var isPlugged: Bool { network == .up }
  public func unplug() { network = .unplugged }
  public func plug() { network = .up }

  /// Restarts the broker's program: connections are reset, retained messages stay.
  public func restart() {
    guard greeting != nil else { return }
    publishWill(at: bench.now)
    fail(at: bench.now, reset)
  }

  /// Connects another client with the same identifier: the broker ends this client's connection.
  public func takeOver() { restart() }

  /// Sends a message to the client, if it has subscribed to the topic; a retained one is kept for its next connection,
  /// too. The message has quality of service 0: the client sends nothing back.
  public func publish(_ payload: String, to topic: String, isRetained: Bool = false) {
    if isRetained {
      keep(payload, of: topic)
      oversized[topic] = nil
    }
    guard isConnected, reaches, isSubscribed(topic) else { return }
    add(.heard(ReceivedMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)))
  }

  /// Sends a message of this length, including its topic, to the client, like ``publish(_:to:isRetained:)``. The client
  /// drops a message that is longer than ``HardwareDrivers/ReceivedMessage/longestPacket``, and reports it.
  public func publish(byteCount: Int, to topic: String, isRetained: Bool = false) {
    guard byteCount > ReceivedMessage.longestPacket else {
      let count = max(0, byteCount - 2 - topic.utf8.count)
      return publish(String(repeating: "x", count: count), to: topic, isRetained: isRetained)
    }
    if isRetained { oversized[topic] = byteCount }
    guard isConnected, reaches, isSubscribed(topic) else { return }
    add(.leftOut(OversizedMessage(topic: topic, byteCount: byteCount, isRetained: false)))
  }

  // MARK: The client's side

  public var needsThread: Bool { false }
  public func wake(with waker: DriverWaker) { self.waker = waker }

  public func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError) {
    self.clock = clock
    drop()
    attempts += 1
    switch network {
    case .unplugged: throw error(.absent, "the network is unreachable", "Check the network connection.")
    case .refusing: throw error(.absent, "the connection is refused", "Check that the broker runs and uses this port.")
    case .nameless(let span):
      clock.sleep(for: span)
      throw error(.absent, "its name is not known", "Check the name server.")
    case .swallowing: self.greeting = greeting
    case .up:
      self.greeting = greeting
      guard !refusesCredentials else {
        fail(at: clock.now + delay, error(.notPermitted, "it refuses the user or the password", "Check both."))
        return
      }
      add(.accepted, at: clock.now + delay)
    }
  }

  public func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?
  ) throws(DriverError) {
    guard let clock, greeting != nil else { throw error(.lost, "there is no connection", "It is retried.") }
    keepAlive.sent(at: clock.now)
    guard send(at: clock.now) else { return }
    let message = Message(
      moment: clock.now, topic: topic, payload: String(decoding: payload, as: UTF8.self), isRetained: isRetained)
    for _ in 0..<(duplicates ? 2 : 1) { arrived.append(message) }
    if isRetained { keep(message.payload, of: topic) }
    // A client that has subscribed to a topic receives its own messages.
    if isSubscribed(topic) {
      add(.heard(ReceivedMessage(topic: topic, payload: Array(payload))), at: clock.now + delay)
    }
    if let number, !isStalled { add(.delivered(number), at: clock.now + delay) }
  }

  public func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError) {
    self.clock = clock
    closeIfSilent(at: clock.now)
    while let first = news.first, first.moment <= clock.now {
      news.removeFirst()
      lastReceived = clock.now
      if first.news == .accepted { accept(at: clock.now) }
      take(first.news)
    }
    guard let failure, failure.moment <= clock.now else {
      pingIfDue(at: clock.now)
      keepAlive.called(at: clock.now)
      return
    }
    drop()
    throw failure.error
  }

  public var deadline: Moment? {
    var next = min(news.first?.moment ?? .distantFuture, failure?.moment ?? .distantFuture)
    if isAccepted { next = min(next, keepAlive.deadline) }
    // The end of the connection arrives, unless the network is down.
    if let silenceEnd, reaches { next = min(next, silenceEnd) }
    return next == .distantFuture ? nil : next
  }

  public func endReading() { isReading = false }

  public var descriptors: [PolledDescriptor] { [] }
  public var isFlushed: Bool { true }
  public func disconnect() { drop() }
  public func close() { drop() }

  // MARK: -

  private var reaches: Bool { network == .up }

  private func accept(at now: Moment) {
    isAccepted = true
    isReading = greeting?.kept != nil
    connections += 1
    keepAlive = KeepAlive(greeting?.keepAlive ?? .seconds(60), at: now)
    (lastSent, lastReceived, lastHeard) = (now, now, now)
    for (topic, payload) in kept.sorted(by: { $0.key < $1.key }) where isSubscribed(topic) {
      add(.heard(ReceivedMessage(topic: topic, payload: Array(payload.utf8), isRetained: true)))
    }
    addOversized()
  }

  private func addOversized() {
    for (topic, count) in oversized.sorted(by: { $0.key < $1.key }) where isSubscribed(topic) {
      add(.leftOut(OversizedMessage(topic: topic, byteCount: count, isRetained: true)))
    }
  }

  /// Records that the client sends something. Returns false if it does not arrive.
  private func send(at now: Moment) -> Bool {
    closeIfSilent(at: now)
    lastSent = now
    if network != .up || isClosed { hasGap = true }
    guard !hasGap else { return false }
    lastHeard = now
    return true
  }

  /// Counts whole seconds, as libmosquitto does.
  private func pingIfDue(at now: Moment) {
    guard isAccepted, let span = greeting?.keepAlive.components.seconds else { return }
    let seconds = (now - .zero).components.seconds
    guard [lastSent, lastReceived].contains(where: { seconds - ($0 - .zero).components.seconds >= span }) else {
      return
    }
    pings += 1
    lastReceived = now
    _ = send(at: now)
  }

  /// The moment at which the broker closes the connection unless it receives something; nil without a connection that
  /// it has accepted and not closed.
  private var silenceEnd: Moment? {
    guard isAccepted, !isClosed, let greeting else { return nil }
    return lastHeard + greeting.keepAlive * 1.5
  }

  private func closeIfSilent(at now: Moment) {
    guard let silenceEnd, silenceEnd <= now else { return }
    publishWill(at: silenceEnd)
    isClosed = true
    guard reaches else { return }
    fail(at: silenceEnd, error(.lost, "the broker has closed the connection", "Check that the client sends something."))
  }

  private func isSubscribed(_ topic: String) -> Bool {
    guard let greeting else { return false }
    return greeting.subscriptions.contains { PublishedTopic.matches(topic, filter: $0) }
      || isReading && greeting.kept?.contains(topic) == true
  }

  /// Keeps a message in place of the previous one; an empty one deletes it.
  private func keep(_ payload: String, of topic: String) { kept[topic] = payload.isEmpty ? nil : payload }

  private func add(_ piece: BrokerNews, at moment: Moment? = nil) {
    news.append((max(moment ?? bench.now, news.last?.moment ?? .zero), piece))
    waker?.wake()
  }

  private func networkChanged() {
    guard let greeting else { return }
    closeIfSilent(at: bench.now)
    switch network {
    case .up: if isClosed { fail(at: bench.now, reset) }
    case .refusing:
      publishWill(at: bench.now)
      fail(at: bench.now, reset)
    case .unplugged, .swallowing, .nameless:
      // The client can't detect this before the keepalive; messages on their way are lost.
      news = []
      let silence = greeting.keepAlive * 1.5
      fail(at: bench.now + silence, error(.lost, "it has been silent for \(silence)", "Check the network connection."))
    }
  }

  private func publishWill(at moment: Moment) {
    guard isAccepted, !isClosed, let will = greeting?.will else { return }
    arrived.append(Message(moment: moment, topic: will.topic, payload: will.payload, isRetained: true))
    keep(will.payload, of: will.topic)
  }

  private func fail(at moment: Moment, _ error: DriverError) {
    if let failure, failure.moment <= moment { return }
    failure = (moment, error)
    waker?.wake()
  }

  private func drop() {
    (greeting, failure, isAccepted, isReading, hasGap, isClosed) = (nil, nil, false, false, false, false)
    news = []
  }

  private var reset: DriverError { error(.lost, "the connection was reset", "Check that the broker still runs.") }

  private func error(_ kind: DriverError.Kind, _ reason: String, _ remedy: String) -> DriverError {
    DriverError(kind, of: name, cannot: "reach \(name)", reason: reason, remedy: "\(remedy) It is retried.")
  }
}
