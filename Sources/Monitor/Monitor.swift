internal import CLinux
import CycleCore
import Glibc

/// The settings of a monitor.
public struct MonitorSettings: Sendable {
  public var address = ListenAddress.standard
  public var tokens: MonitorTokens
  /// Additional names that a request's `Host` may have.
  public var hosts: [String] = []

  public init(tokens: MonitorTokens) {
    self.tokens = tokens
  }
}

/// Serves the page and the protocol of docs/internals/monitor-protocol.md, on the cycle's thread and in its loop.
///
///     let monitor = try Monitor(settings, of: monitored, showing: ring, woken: bell)
///     try loop.onReadable(monitor.descriptor) { isReady = true }
///     while running {
///       try bench.step(until: nil)
///       if isReady { monitor.turn() }
///     }
///     monitor.end()
///
/// A turn does as much work as fits into about 1 ms. Without watchers, the descriptor never becomes ready. The HTTP
/// library, which takes 3 MB, is loaded at the first connection, on a separate thread.
public final class Monitor {
  /// The time that one turn may take of the cycle. After it, the next turns serve the other watchers.
  var turnLimit = Duration.milliseconds(1)
  static let batchPause = Duration.milliseconds(33)
  static let accountPause = Duration.seconds(1)
  static let commentPause = Duration.seconds(15)
  static let mostWatchers = 8
  /// The maximum number of bytes of an answer that is copied as a whole.
  static let longestAtOnce = 16 << 10
  static let commandsPerSecond = 20

  /// The address with its actual port.
  public let address: ListenAddress
  let tokens: MonitorTokens
  let rules: RequestRules
  let ring: RecordingRing
  let bell: MonitorBell
  unowned let monitored: any MonitoredApplication
  /// The identifier of the run: it differs for each start of the application.
  let run = String(MonitorTokens.randomHex().prefix(16))
  let worker: MonitorJobQueue
  private var service: Service
  private var timer: TimerDescriptor
  private let epoll: Int32

  var watchers: [HTTPExchange: EventStream] = [:]
  /// Watchers not yet served in the current batch. The next turns serve them, so that no watcher waits for the others.
  private var unserved: [HTTPExchange] = []
  /// Watchers that are still reading their last batch. They get the account after it.
  var owed: Set<HTTPExchange> = []
  /// The permissions of requests whose bodies have not arrived yet.
  var admitted: [HTTPExchange: (route: Route, access: Access, lastEvent: Int?)] = [:]
  /// The remaining bodies of long answers.
  var bodies: [HTTPExchange: LongBody] = [:]
  /// Requests that are answered later, by the numbers of their jobs.
  var waiting: [Int: HTTPExchange] = [:]
  var commands = CommandBudget()
  var takes = EditedRecordings()
  var cost = MonitorCost()
  /// The description of the application for the page, which never changes; nil if the application has none.
  let description: [UInt8]?

  /// The moments of the next batch and the next account; nil for none.
  private var batchDue: Moment?
  private var accountDue: Moment?
  private var lastBatch = Moment.zero
  private var lastAccount = Moment.zero

  private enum Service {
    /// The monitor waits for the first connection.
    case waiting(listener: Int32)
    /// The worker loads the library.
    case loading(listener: Int32)
    case serving(HTTPServer)
    case ended
  }

  /// Called once if the library exists but can't be loaded. The monitor then serves no requests.
  public var onFailure: ((DriverError) -> Void)?

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - settings: its address, tokens and hosts.
  ///   - monitored: the application to watch; it must live as long as the monitor.
  ///   - ring: a sink of its recorder.
  ///   - bell: another sink of its recorder.
  /// - Throws: kind `unsupported` if the program was built without libmicrohttpd, `absent` if its library is missing;
  ///   `busy` if another program listens at the address.
  public init(
    _ settings: MonitorSettings, of monitored: any MonitoredApplication, showing ring: RecordingRing,
    woken bell: MonitorBell
  ) throws(DriverError) {
    try HTTPServer.checkLibrary()
    (self.monitored, self.ring, self.bell, tokens) = (monitored, ring, bell, settings.tokens)
    var description = JSONWriter()
    self.description = monitored.describe(to: &description) ? Array(description.written) : nil
    worker = try MonitorJobQueue()
    timer = try TimerDescriptor()
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    let listener = try settings.address.listen()
    address = listener.address
    rules = RequestRules(hosts: address.hosts.union(settings.hosts.map { $0.lowercased() }), tokens: settings.tokens)
    service = .waiting(listener: listener.socket)
    try watch(listener.socket)
    try watch(timer.descriptor)
    try watch(worker.doorbell)
  }

  deinit {
    stopService()
    close(epoll)
    if case .unix(let path) = address { unlink(path) }
  }

  private func watch(_ descriptor: Int32) throws(DriverError) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
      throw DriverError(
        .failed, cannot: "serve the monitor", reason: "the system refused to watch a descriptor",
        remedy: "Raise the limit of open files (`ulimit -n`, LimitNOFILE= of a service).")
    }
  }

  /// Checks that a monitor is possible, before anything else is opened.
  public static func check() throws(DriverError) { try HTTPServer.checkLibrary() }

  /// Readable when ``turn()`` has something to do.
  public var descriptor: Int32 { epoll }

  /// The addresses with their tokens, for the user who started the program.
  public var addresses: [(use: String, url: String)] {
    let prefix: String =
      switch address {
      case .unix(let path): "unix:\(path) \(address.url)"
      case .network: address.url
      }
    let control = tokens.control.map { [("control", "\(prefix)#token=\($0)")] } ?? []
    return [("watch", "\(prefix)#token=\(tokens.watch)")] + control
  }

  /// The number of connections, watchers included.
  public var connections: Int { if case .serving(let server) = service { server.connections } else { 0 } }

  // MARK: - The service

  /// Loads the library if a client has connected.
  private func loadOnDemand() {
    guard case .waiting(let listener) = service else { return }
    var connection = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&connection, 1, 0) > 0 else { return }
    service = .loading(listener: listener)
    // It stays readable, and the server watches it by itself.
    epoll_ctl(epoll, EPOLL_CTL_DEL, listener, nil)
    let number = worker.add {
      HTTPServer.load()
      Self.preparePage()
      return { monitor, _ in monitor.beginService() }
    }
    // Without a thread, the library is loaded here.
    if number == nil { beginService() }
  }

  private func beginService() {
    guard case .loading(let listener) = service else { return }
    service = .ended
    do throws(DriverError) {
      let server = try HTTPServer(listener: listener, HTTPServer.Limits(), self)
      try watch(server.descriptor)
      service = .serving(server)
    } catch {
      onFailure?(error)
    }
  }

  private func stopService() {
    switch service {
    case .waiting(let listener), .loading(let listener): close(listener)
    case .serving(let server): server.stop()
    case .ended: break
    }
    service = .ended
  }

  // MARK: - Turns

  /// Does the work that is due, between two turns of the cycle.
  public func turn() {
    let began = TimerDescriptor.now
    let processor = MonitorCost.processorTime
    timer.acknowledge()
    for (number, completion) in worker.takeResults() { completion(self, number) }
    loadOnDemand()
    guard case .serving(let server) = service else { return }
    server.run()
    if let due = batchDue, due <= TimerDescriptor.now { sendBatch(since: began) }
    if let due = accountDue, due <= TimerDescriptor.now { sendAccount() }
    sendComments()
    // Resumed streams are written now, instead of one turn later.
    server.run()
    arm(for: server)
    cost.note(turn: TimerDescriptor.now - began, processor: MonitorCost.processorTime - processor)
  }

  /// Reports the end of the application to watchers, and closes all connections.
  public func end() {
    bell.onLine = nil
    worker.stop()
    for exchange in waiting.values { exchange.answer(MonitorRefusal(409, "the application has ended").answer) }
    waiting = [:]
    for exchange in watchers.keys {
      watchers[exchange]?.gather(from: ring, at: TimerDescriptor.now)
      watchers[exchange]?.end()
      exchange.resume()
    }
    if case .serving(let server) = service { for _ in 0..<4 { server.run() } }
    stopService()
  }

  /// Sends watchers their next lines: to at least one, and to more until the turn has reached its time limit. The next
  /// turns, which follow immediately, serve the others.
  private func sendBatch(since began: Moment) {
    let now = TimerDescriptor.now
    if unserved.isEmpty {
      unserved = Array(watchers.keys)
      lastBatch = now
    }
    repeat {
      guard let exchange = unserved.popLast() else { break }
      watchers[exchange]?.gather(from: ring, at: now)
      if watchers[exchange]?.hasOutput == true { exchange.resume() }
    } while TimerDescriptor.now - began < turnLimit
    batchDue = unserved.isEmpty ? nil : now
    awaitNews()
  }

  /// Schedules the next batch: soon if watchers are behind the ring, or else at the next line.
  func awaitNews() {
    guard !watchers.isEmpty else {
      bell.onLine = nil
      (batchDue, accountDue, unserved) = (nil, nil, [])
      return
    }
    if watchers.values.contains(where: { $0.isBehind(ring) && !$0.hasOutput }) {
      hastenBatch()
    } else {
      bell.onLine = { [unowned self] in
        hastenBatch()
        timer.hasten(to: batchDue!)
      }
    }
  }

  private func hastenBatch() {
    let now = TimerDescriptor.now
    if batchDue == nil { batchDue = max(now, lastBatch + Self.batchPause) }
    if accountDue == nil { accountDue = max(now, lastAccount + Self.accountPause) }
  }

  private func sendAccount() {
    accountDue = nil
    lastAccount = TimerDescriptor.now
    cost.measure(at: lastAccount)
    var writer = JSONWriter()
    writeAccount(to: &writer)
    for exchange in watchers.keys {
      if watchers[exchange]?.hasOutput == true {
        owed.insert(exchange)
        continue
      }
      watchers[exchange]?.add("account", json: writer.written)
      exchange.resume()
    }
  }

  private func sendComments() {
    let now = TimerDescriptor.now
    for (exchange, stream) in watchers where !stream.hasOutput && stream.spoken + Self.commentPause <= now {
      watchers[exchange]?.addComment(at: now)
      exchange.resume()
    }
  }

  private func arm(for server: HTTPServer) {
    // A watcher that doesn't read its output gets no comment: the library closes its connection.
    let comment = watchers.values.filter { !$0.hasOutput }.map { $0.spoken + Self.commentPause }.min()
    let served = server.timeout.map { TimerDescriptor.now + .nanoseconds($0) }
    timer.set(to: [batchDue, accountDue, comment, served].compactMap { $0 }.min())
  }
}

/// The number of commands that are accepted now: 20 in a burst, and 20 more each second.
struct CommandBudget {
  private var left = Monitor.commandsPerSecond
  private var refilled = Moment.zero

  /// Returns whether another command is accepted, and counts it if so.
  mutating func take(at now: Moment) -> Bool {
    let pause = Duration.milliseconds(1_000 / Monitor.commandsPerSecond)
    let earned = (now - refilled).wholeNanoseconds / pause.wholeNanoseconds
    if earned > 0 {
      refilled = earned >= Monitor.commandsPerSecond ? now : refilled + .nanoseconds(earned * pause.wholeNanoseconds)
      left = min(Monitor.commandsPerSecond, left + Int(min(earned, 1_000)))
    }
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
