internal import CLinux
import CycleCore
import Glibc

/// What of a monitor can be chosen.
public struct MonitorSettings: Sendable {
  public var address = ListenAddress.standard
  public var tokens: MonitorTokens
  /// Further names that a request's `Host` may have.
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
/// A turn does as much as takes about 1 ms. While nobody watches, nothing ever becomes ready. The library that serves is loaded,
/// on a thread of its own, when somebody connects for the first time: it takes 3 MB.
public final class Monitor {
  /// How long the cycle may wait for one turn: after that no further watcher is served in it.
  var turnLimit = Duration.milliseconds(1)
  static let batchPause = Duration.milliseconds(33)
  static let accountPause = Duration.seconds(1)
  static let commentPause = Duration.seconds(15)
  static let mostWatchers = 8
  /// How many bytes an answer may have that is copied whole.
  static let longestAtOnce = 16 << 10
  static let commandsPerSecond = 20

  /// The address with the port that it has.
  public let address: ListenAddress
  let tokens: MonitorTokens
  let rules: RequestRules
  let ring: FilmRing
  let bell: MonitorBell
  unowned let monitored: any MonitoredApplication
  /// Another one each time that the application is started.
  let run = String(MonitorTokens.randomHex().prefix(16))
  let worker: MonitorWorker
  private var service: Service
  private var timer: TurnTimer
  private let epoll: Int32

  var watchers: [HTTPExchange: EventStream] = [:]
  /// Watchers that the last batch has not come to yet: they are served in the next turns, so that none waits for the others.
  private var unserved: [HTTPExchange] = []
  /// Watchers that still take their last batch: they get the account behind it.
  var owed: Set<HTTPExchange> = []
  /// What the requests may do whose bodies are still to come.
  var admitted: [HTTPExchange: (route: Route, access: Access, lastEvent: Int?)] = [:]
  /// What is still to be sent of long answers.
  var bodies: [HTTPExchange: LongBody] = [:]
  /// Those that are answered later, by the numbers of their jobs.
  var waiting: [Int: HTTPExchange] = [:]
  var commands = CommandBudget()
  var takes = TakeShelf()
  var cost = MonitorCost()
  /// What of the application can be drawn, which stays the same; nil where nothing is known of it.
  let description: [UInt8]?

  /// When the next batch, account and comment are due; nil for none.
  private var batchDue: Moment?
  private var accountDue: Moment?
  private var lastBatch = Moment.zero
  private var lastAccount = Moment.zero

  private enum Service {
    /// Nobody has connected yet.
    case waiting(listener: Int32)
    /// The worker loads the library.
    case loading(listener: Int32)
    case serving(HTTPServer)
    case ended
  }

  /// Called once where the library can't be loaded although it is there; nobody is served then.
  public var onFailure: ((DriverError) -> Void)?

  /// Listens.
  ///
  /// - Parameters:
  ///   - monitored: what is watched; it has to live as long as the monitor.
  ///   - ring: a sink of its recorder.
  ///   - bell: another one.
  /// - Throws: kind `unsupported` where this was built without libmicrohttpd, `absent` where its library is missing;
  ///   `busy` if another program listens at the address.
  public init(
    _ settings: MonitorSettings, of monitored: any MonitoredApplication, showing ring: FilmRing, woken bell: MonitorBell
  ) throws(DriverError) {
    try HTTPServer.checkLibrary()
    (self.monitored, self.ring, self.bell, tokens) = (monitored, ring, bell, settings.tokens)
    var description = FilmWriter()
    self.description = monitored.describe(to: &description) ? Array(description.written) : nil
    worker = try MonitorWorker()
    timer = try TurnTimer()
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

  /// Checks that a monitor can be had, before anything else is opened.
  public static func check() throws(DriverError) { try HTTPServer.checkLibrary() }

  /// Readable when ``turn()`` has something to do.
  public var descriptor: Int32 { epoll }

  /// The addresses with their tokens, for whoever started the program.
  public var addresses: [(use: String, url: String)] {
    let prefix: String =
      switch address {
      case .unix(let path): "unix:\(path) \(address.url)"
      case .network: address.url
      }
    let control = tokens.control.map { [("control", "\(prefix)#token=\($0)")] } ?? []
    return [("watch", "\(prefix)#token=\(tokens.watch)")] + control
  }

  /// How many connections there are, watchers included.
  public var connections: Int { if case .serving(let server) = service { server.connections } else { 0 } }

  // MARK: - The service

  /// Loads the library where somebody has connected.
  private func loadOnDemand() {
    guard case .waiting(let listener) = service else { return }
    var connection = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&connection, 1, 0) > 0 else { return }
    service = .loading(listener: listener)
    // It stays readable, and a server watches it by itself.
    epoll_ctl(epoll, EPOLL_CTL_DEL, listener, nil)
    let number = worker.add {
      HTTPServer.load()
      Self.preparePage()
      return { monitor, _ in monitor.beginService() }
    }
    // Without a thread it is loaded here.
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

  /// Does what is due, between two turns of the cycle.
  public func turn() {
    let began = TurnTimer.now
    let processor = MonitorCost.processorTime
    timer.acknowledge()
    for (number, completion) in worker.takeResults() { completion(self, number) }
    loadOnDemand()
    guard case .serving(let server) = service else { return }
    server.run()
    if let due = batchDue, due <= TurnTimer.now { sendBatch(since: began) }
    if let due = accountDue, due <= TurnTimer.now { sendAccount() }
    sendComments()
    // What was resumed is written now rather than one turn later.
    server.run()
    arm(for: server)
    cost.note(turn: TurnTimer.now - began, processor: MonitorCost.processorTime - processor)
  }

  /// Tells watchers that the application has ended, and closes all connections.
  public func end() {
    bell.onLine = nil
    worker.stop()
    for exchange in waiting.values { exchange.answer(MonitorRefusal(409, "the application has ended").answer) }
    waiting = [:]
    for exchange in watchers.keys {
      watchers[exchange]?.gather(from: ring, at: TurnTimer.now)
      watchers[exchange]?.end()
      exchange.resume()
    }
    if case .serving(let server) = service { for _ in 0..<4 { server.run() } }
    stopService()
  }

  /// Gives watchers their next lines: one at least, and further ones until the turn has taken as long as it may. The others get
  /// theirs in the turns that follow at once.
  private func sendBatch(since began: Moment) {
    let now = TurnTimer.now
    if unserved.isEmpty {
      unserved = Array(watchers.keys)
      lastBatch = now
    }
    repeat {
      guard let exchange = unserved.popLast() else { break }
      watchers[exchange]?.gather(from: ring, at: now)
      if watchers[exchange]?.hasOutput == true { exchange.resume() }
    } while TurnTimer.now - began < turnLimit
    batchDue = unserved.isEmpty ? nil : now
    awaitNews()
  }

  /// Sends the next batch when it is due: soon if watchers are behind, or else when a line comes.
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
    let now = TurnTimer.now
    if batchDue == nil { batchDue = max(now, lastBatch + Self.batchPause) }
    if accountDue == nil { accountDue = max(now, lastAccount + Self.accountPause) }
  }

  private func sendAccount() {
    accountDue = nil
    lastAccount = TurnTimer.now
    cost.measure(at: lastAccount)
    var writer = FilmWriter()
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
    let now = TurnTimer.now
    for (exchange, stream) in watchers where !stream.hasOutput && stream.spoken + Self.commentPause <= now {
      watchers[exchange]?.addComment(at: now)
      exchange.resume()
    }
  }

  private func arm(for server: HTTPServer) {
    // Who doesn't take what it has gets no comment: the library closes its connection.
    let comment = watchers.values.filter { !$0.hasOutput }.map { $0.spoken + Self.commentPause }.min()
    let served = server.timeout.map { TurnTimer.now + .nanoseconds($0) }
    timer.set(to: [batchDue, accountDue, comment, served].compactMap { $0 }.min())
  }
}

/// How many commands may come now: 20 at once, and 20 more each second.
struct CommandBudget {
  private var left = Monitor.commandsPerSecond
  private var refilled = Moment.zero

  /// Whether another one may come; then it is counted.
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
