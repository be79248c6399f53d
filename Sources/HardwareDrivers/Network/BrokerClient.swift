import CycleCore

/// A client of an MQTT broker: it publishes what the application passes to a ``MessagePublisher``, and emits the
/// requests of others.
///
/// **Timing.** The cycle's thread never waits for the network. Another thread does; the application hands over bytes in
/// memory that is reserved at the start. Messages that can't be sent are counted (``OutboxAccount``).
///
/// **Bounds.** One waiting value per topic, 256 waiting events, 16 messages that are not acknowledged. One event is
/// sent per 20 ms, up to 200 in a row; a value of one topic each 200 ms. 20 received messages per second are processed,
/// up to 40 in a row.
///
/// **Reconnecting.** After a random wait of 60 s at most. ``Event/lost`` is emitted when a connection has ended or the
/// first try to make one has failed, ``Event/connected`` when there is one. The reason is reported as the trouble
/// `lost`, and again whenever it changes. `restored` follows once. If another client uses the same identifier, it
/// follows after a connection has lasted for 120 s.
///
/// **Source.** MQTT Version 3.1.1, OASIS Standard (2014).
public struct BrokerClient<Command: Sendable & Codable & Equatable>: Driver {
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

  private let broker: any Broker
  private let greeting: BrokerGreeting
  private let publisher: MessagePublisher
  private let parse: (BrokerMessage) -> Command?
  private let read: ([UInt8]?) -> Void
  private let chance: any RandomNumberGenerator
  private var context: DriverContext<Event>!
  private var worker: Worker<BrokerWork>!
  /// Whether messages to and from the broker are collected for some milliseconds, so that the cycle and the network's
  /// thread wake each other less often. A broker in memory has no thread.
  var collects: Bool
  private var connection = 0
  /// The connection in which `read` was last called.
  private var readConnection = 0
  /// Whether there is a connection; nil until the first try to make one is over.
  private var isConnected: Bool?
  private var availability = Availability(reportsReasons: true)

  /// Opens nothing.
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
    read: @escaping ([UInt8]?) -> Void = { _ in }, parse: @escaping (BrokerMessage) -> Command?
  ) {
    self.broker = broker
    collects = broker.needsThread
    self.greeting = greeting
    self.publisher = publisher
    self.chance = chance
    self.read = read
    self.parse = parse
  }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    (connection, readConnection) = (0, 0)
    isConnected = nil
    availability.end()
    if !broker.needsThread { broker.wake(with: context.watcher.makeWaker()) }
    worker = try Worker(
      BrokerWork(
        broker, greeting, topics: publisher.topics, publisher.store, by: chance,
        collecting: collects ? .milliseconds(20) : .zero, at: context.now),
      for: "the connection to \(broker.name)", onThread: broker.needsThread, in: context)
    let worker = worker!
    publisher.start(
      collects: collects, send: { (try? worker.send($0)) != nil }, now: { context.now },
      setAlarm: { context.setAlarm($0) })
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    worker.wake(wake) { report, moment in
      switch report {
      case .began(let number): begin(number)
      case .delivered(let number): publisher.acknowledge(number)
      case .heard(let message):
        if let command = parse(message) { context.emit(.asked(command), at: moment) }
      case .ignored(let count): publisher.ignored += count
      case .leftOut(let message): context.report(once: message.error(of: broker))
      }
    }
    // The state may be newer than the reports; then messages are sent twice.
    note(worker.state)
    publisher.send()
  }

  /// Handles a connection that the broker has accepted.
  private mutating func begin(_ number: Int) {
    guard number > connection else { return }
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

  private mutating func note(_ state: BrokerState) {
    begin(state.connection)
    // The report of a newer connection arrived before its state.
    guard state.connection == connection else { return }
    if state.hasRead, readConnection != connection {
      readConnection = connection
      read(state.kept)
    }
    if !state.isConnected, state.error != nil, isConnected != false { lose() }
    // A method as a value would be allocated at each call.
    let context: DriverContext<Event> = context
    availability.note(state.error.map(Trouble.lost)) { context.report($0) }
  }

  public mutating func stop() {
    guard let worker else { return }
    publisher.end()
    context.setAlarm(nil)
    worker.stop(keeping: [publisher.store])
    publisher.disconnect()
  }
}
