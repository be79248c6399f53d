import CycleCore

/// A client of an MQTT broker, or of programs that use Open Sound Control: it sends what the application passes to a
/// ``MessagePublisher``, and emits the requests of others.
///
/// **Timing.** The cycle's thread never waits for the network. Another thread does; the application hands over bytes in
/// memory that is reserved at the start. Messages that can't be sent are counted (``OutboxCounts``).
///
/// **Bounds.** One waiting value per topic, 256 waiting events, 16 messages that are not acknowledged. One event is
/// sent per 20 ms, up to 200 in a row; a value of one topic each 200 ms. 20 received messages per second are processed,
/// up to 40 in a row.
///
/// **Reconnecting.** After a random wait of 60 s at most. ``Event/lost`` is emitted when a connection has ended or the
/// first try to make one has failed, ``Event/connected`` when there is one. The reason is reported as the trouble
/// `lost`, and again whenever it changes. `restored` follows once. If another client uses the same identifier, it
/// follows after a connection has lasted for 120 s. For Open Sound Control a connection is an open socket.
///
/// **Source.** MQTT Version 3.1.1, OASIS Standard (2014); the Open Sound Control 1.0 Specification (2002).
public struct MessagingDriver<Command: Sendable & Codable & Equatable>: Driver {
  public typealias Model = NoModel

  /// False: it publishes the first frame, so it can't start before there is one.
  public static var isInput: Bool { false }

  /// An event on the network.
  public enum Event: Equatable, Sendable, Codable {
    case connected
    case lost
    /// Another client requests something.
    case asked(Command)
  }

  private let link: NetworkLink
  private let publisher: MessagePublisher
  private let parse: (ReceivedMessage) -> Command?
  private let read: ([UInt8]?) -> Void
  private let chance: any RandomNumberGenerator
  private var context: DriverContext<Event>!
  private var worker: Worker<NetworkWork>!
  /// Whether messages to and from the broker are collected for some milliseconds, so that the cycle and the network's
  /// thread wake each other less often. A broker in memory has no thread.
  var collects: Bool
  private var connection = 0
  /// The connection in which `read` was last called.
  private var readConnection = 0
  /// Whether there is a connection; nil until the first try to make one is over.
  private var isConnected: Bool?
  private var reporter = TroubleReporter(reportsReasons: true)

  /// Makes the client of a broker. Opens nothing.
  ///
  /// - Parameters:
  ///   - broker: used by the driver alone from its start on.
  ///   - greeting: the beginning of each connection.
  ///   - publisher: the application's interface for messages to send.
  ///   - chance: the random numbers that decide the wait before a connection is tried again.
  ///   - read: called once in each connection if the greeting names topics that the broker keeps. Its argument is the
  ///     kept payload of the topic that was read; nil if there is none. Called on the cycle's thread.
  ///   - parse: returns the request in a message; nil if it has none, or is refused. Called on the cycle's thread.
  public init(
    _ broker: any Broker, greeting: BrokerGreeting, publisher: MessagePublisher, chance: any RandomNumberGenerator,
    read: @escaping ([UInt8]?) -> Void = { _ in }, parse: @escaping (ReceivedMessage) -> Command?
  ) {
    self.init(.broker(broker, greeting), publisher, chance, read, parse)
  }

  /// Makes a client that uses Open Sound Control. Opens nothing. It ignores which topics are retained and acknowledged:
  /// a message is delivered when the system has accepted it.
  ///
  /// - Parameters:
  ///   - peer: used by the driver alone from its start on.
  ///   - publisher: the application's interface for messages to send.
  ///   - chance: the random numbers that decide the wait before a socket is opened again.
  ///   - parse: returns the request in a message; nil if it has none, or is refused. Called on the cycle's thread.
  public init(
    _ peer: any OSCPeer, publisher: MessagePublisher, chance: any RandomNumberGenerator,
    parse: @escaping (ReceivedMessage) -> Command?
  ) {
    self.init(.osc(peer), publisher, chance, { _ in }, parse)
  }

  private init(
    _ link: NetworkLink, _ publisher: MessagePublisher, _ chance: any RandomNumberGenerator,
    _ read: @escaping ([UInt8]?) -> Void, _ parse: @escaping (ReceivedMessage) -> Command?
  ) {
    (self.link, self.publisher, self.chance) = (link, publisher, chance)
    (self.read, self.parse) = (read, parse)
    collects = link.peer.needsThread
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    (connection, readConnection) = (0, 0)
    isConnected = nil
    reporter.end()
    let peer = link.peer
    if !peer.needsThread { peer.wake(with: context.watcher.makeWaker()) }
    worker = try Worker(
      NetworkWork(
        link, topics: publisher.topics, publisher.store, by: chance,
        collecting: collects ? .milliseconds(20) : .zero, at: context.now),
      for: "the connection to \(peer.name)", onThread: peer.needsThread, in: context)
    let (worker, timing) = (worker!, context.timing)
    publisher.start(
      collects: collects, send: { (try? worker.send($0)) != nil }, now: { timing.now },
      setAlarm: { timing.setAlarm($0) })
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { report, moment in
      switch report {
      case .began(let number): if number > connection { begin(number) }
      case .delivered(let number): publisher.acknowledge(number)
      case .heard(let message):
        if let command = parse(message) { context.emit(.asked(command), at: moment) }
      case .ignored(let count): publisher.ignored += count
      case .leftOut(let message): context.report(once: message.error(of: link.peer.name))
      }
    }
    // The state may be newer than the reports; then messages are sent twice.
    note(worker.state)
    publisher.send()
  }

  /// Handles a connection that the broker has accepted: one that is newer than ``connection``.
  private mutating func begin(_ number: Int) {
    if isConnected == true { lose() }
    connection = number
    isConnected = true
    context.emit(.connected)
    publisher.connect(number)
  }

  /// Handles the end of a connection, or the failure of the first try to make one.
  private mutating func lose() {
    if isConnected == true { publisher.disconnect() }
    isConnected = false
    context.emit(.lost)
  }

  private mutating func note(_ state: NetworkState) {
    if state.connection > connection { begin(state.connection) }
    // The report of a newer connection arrived before its state.
    guard state.connection == connection else { return }
    if state.hasRead, readConnection != connection {
      readConnection = connection
      read(state.kept)
    }
    if !state.isConnected, state.error != nil, isConnected != false { lose() }
    // A method as a value would be allocated at each call.
    let context: DriverContext<Event> = context
    reporter.note(state.error.map(Trouble.lost)) { context.report($0) }
  }

  public mutating func stop() {
    guard let worker else { return }
    publisher.end()
    context.setAlarm(nil)
    worker.stop(keeping: [publisher.store])
    publisher.disconnect()
  }
}
