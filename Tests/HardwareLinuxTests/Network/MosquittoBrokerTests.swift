import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation
import Synchronization
import TestSupport
import Testing

@testable import HardwareLinux

/// The client on a real broker: a process of mosquitto that the test starts, on a port of its own. `make network`
/// installs the program and sets REAL_BROKER, so that these tests run: they need real time.
@Suite("A real broker", .serialized, .enabled(if: getenv("REAL_BROKER") != nil))
struct MosquittoBrokerTests {
  @Test("values, events, commands, a restart of the broker, and the goodbye arrive")
  func talks() throws {
    let mosquitto = try Mosquitto()
    let panel = try Client(mosquitto, id: "panel")
    let other = try Client(mosquitto, id: "other", listens: "#")
    try run([panel, other], until: { panel.publisher.isConnected && panel.isDelivered && other.heard.count >= 2 })
    #expect(other.heard.contains { $0.topic == "panel/value" && $0.payload == Array("7".utf8) })
    #expect(other.heard.contains { $0.topic == "panel/availability" && $0.payload == Array("online".utf8) })
    panel.publisher.tell(event: 1) { $0.write("rang") }
    other.publisher.tell(event: 3) { $0.write("9") }
    try run([panel, other], until: { panel.heard.count == 1 && other.heard.contains { $0.topic == "panel/event" } })
    #expect(panel.heard == [ReceivedMessage(topic: "set/panel", payload: Array("9".utf8))])

    mosquitto.end()
    try run([panel, other], until: { !panel.publisher.isConnected && !other.publisher.isConnected })
    panel.publisher.tell(event: 1) { $0.write("again") }
    try mosquitto.start()
    // Who subscribes too late does not hear of an event.
    try run([other], until: { other.publisher.isConnected })
    try run([panel, other], until: { other.heard.contains { $0.payload == Array("again".utf8) } && panel.isDelivered })
    #expect(panel.publisher.reconnections >= 1 && panel.publisher.account.isBalanced)

    panel.client.stop()
    let goodbye = ReceivedMessage(topic: "panel/availability", payload: Array("offline".utf8))
    try run([other], until: { other.heard.last == goodbye })
    other.client.stop()
  }

  @Test("a client that is gone without a goodbye leaves its will")
  func will() throws {
    let mosquitto = try Mosquitto()
    let other = try Client(mosquitto, id: "other", listens: "#")
    let broker = MosquittoBroker(mosquitto.address)
    let clock = WorkClock(at: .zero)
    try broker.connect(
      BrokerGreeting(client: "panel", will: .init(topic: "panel/availability", payload: "offline")), on: clock)
    var isAccepted = false
    try run(
      [other],
      until: {
        try? broker.exchange(on: clock) { if $0 == .accepted { isAccepted = true } }
        return isAccepted && other.publisher.isConnected
      })
    broker.close()
    try run([other], until: { !other.heard.isEmpty })
    #expect(other.heard.last?.payload == Array("offline".utf8))
    other.client.stop()
  }

  /// For how many seconds clients with a keepalive of 20 s say little or nothing: `QUIET_SECONDS`, at least 70. Without
  /// it they have the shortest keepalive, 5 s, and 20 s are enough.
  private static let quietSeconds = getenv("QUIET_SECONDS").map { Int(String(cString: $0)) ?? 0 }

  @Test("a client that is silent, only hears or only speaks is never thrown off its broker")
  func quiet() throws {
    let seconds = Self.quietSeconds ?? 20
    try #require(Self.quietSeconds == nil || seconds >= 70, "QUIET_SECONDS is a number from 70 on")
    // On a machine that lets a thread wait for seconds no ping comes in time. Then another run tells.
    for _ in 0..<3 {
      let clients = try listen(keepAlive: .seconds(Self.quietSeconds == nil ? 5 : 20), for: .seconds(seconds))
      for client in clients.all { client.client.stop() }
      guard clients.longestGap < .seconds(1) else { continue }
      for client in clients.all {
        #expect(client.publisher.reconnections == 0 && client.client.troubles.isEmpty, "\(client.client.troubles)")
      }
      break
    }
  }

  /// Runs clients of which one is silent, one speaks to others, and six only hear. Returns all of them, and for how
  /// long the test stood still at most.
  private func listen(keepAlive: Duration, for span: Duration) throws -> (all: [Client], longestGap: Duration) {
    let mosquitto = try Mosquitto()
    let begin = ConditionVariable.now
    let silent = try Client(mosquitto, id: "silent", keepAlive: keepAlive)
    // What is heard shortly before a ping must not put the ping off. The library counts whole seconds: later than this
    // it sends the ping anyway.
    let lastHeard = keepAlive - .milliseconds(1_250)
    // Mosquitto looks each 6 s for clients that are silent too long. With a keepalive of 5 s it has 1.25 s to see one
    // of these listeners.
    let phases = (0..<6).map { begin + .seconds($0) }
    let speaker = try Client(
      mosquitto, id: "speaker", keepAlive: keepAlive, unacknowledged: phases.indices.map { "set/listener\($0)" })
    var all = [silent, speaker]
    var listeners: [(client: Client, next: Moment)] = []
    var (longestGap, last) = (Duration.zero, begin)
    while ConditionVariable.now < begin + span {
      if listeners.count < phases.count, ConditionVariable.now >= phases[listeners.count] {
        let moment = phases[listeners.count]
        let listener = try Client(mosquitto, id: "listener\(listeners.count)", keepAlive: keepAlive)
        all.append(listener)
        try run(all, until: { all.allSatisfy(\.isDelivered) })
        listeners.append((listener, moment + lastHeard))
      }
      for index in listeners.indices where ConditionVariable.now >= listeners[index].next {
        listeners[index].next = listeners[index].next + keepAlive + lastHeard
        speaker.publisher.tell(event: 4 + index) { $0.write("1") }
      }
      let moment = ConditionVariable.now + .milliseconds(50)
      try run(all, until: { ConditionVariable.now >= moment })
      longestGap = max(longestGap, ConditionVariable.now - last)
      last = ConditionVariable.now
    }
    #expect(listeners.count == phases.count && listeners.allSatisfy { $0.client.heard.count > 1 })
    return (all, longestGap)
  }

  @Test("what it kept of an earlier client is read and forgotten, and nothing that the client says comes back to it")
  func forgets() throws {
    let mosquitto = try Mosquitto()
    let long = String(repeating: "x", count: 30_000)
    let before = MosquittoBroker(mosquitto.address)
    let clock = WorkClock(at: .zero)
    try before.connect(BrokerGreeting(client: "before"), on: clock)
    var delivered = 0
    let messages = [("panel/gone", "1"), ("panel/value", "2"), ("about/panel", long), ("other/value", "3")]
    func exchange(until isOver: () -> Bool) throws {
      let end = ConditionVariable.now + .seconds(60)
      while !isOver() {
        try #require(ConditionVariable.now < end)
        try before.exchange(on: clock) { news in
          if case .delivered = news { delivered += 1 }
          guard news == .accepted else { return }
          for (number, message) in messages.enumerated() {
            Array(message.1.utf8).withUnsafeBytes {
              try? before.publish($0, to: message.0, isRetained: true, number: number)
            }
          }
        }
        sched_yield()
      }
    }
    try exchange { delivered == messages.count }
    before.close()

    let panel = try Client(
      mosquitto, id: "panel", listens: "set/+", keeping: .init(filters: ["panel/+", "about/+"], read: "about/panel"))
    try run([panel], until: { panel.read.count == 1 && panel.isDelivered })
    #expect(panel.read == [Array(long.utf8)])
    // Longer than it reads.
    let end = ConditionVariable.now + .milliseconds(1500)
    try run([panel], until: { ConditionVariable.now > end })
    panel.publisher.tell(value: 0)
    try run([panel], until: { panel.isDelivered })
    #expect(panel.messages == [])
    let other = try Client(mosquitto, id: "other", listens: "#")
    try run([other], until: { other.messages.contains { $0.topic == "other/value" } })
    let kept = other.messages.filter(\.isRetained).map(\.topic).sorted()
    #expect(kept == ["other/value", "panel/availability", "panel/value"])
    panel.client.stop()
    other.client.stop()
  }

  @Test("a wrong password is refused with what to look at, and no broker with where none is")
  func refused() throws {
    let mosquitto = try Mosquitto(settings: "allow_anonymous false\n")
    let panel = try Client(mosquitto, id: "panel")
    try run([panel], until: { !panel.client.troubles.isEmpty })
    let error = try #require(
      panel.client.troubles.first.flatMap { if case .lost(let error) = $0 { error } else { nil } })
    #expect(error.kind == .notPermitted && error.reason.contains("refuses the client (5"))
    panel.client.stop()
    mosquitto.end()
    let lonely = try Client(mosquitto, id: "lonely")
    try run([lonely], until: { !lonely.client.troubles.isEmpty })
    let absent = try #require(
      lonely.client.troubles.first.flatMap { if case .lost(let error) = $0 { error } else { nil } })
    #expect(absent.reason == "connection refused" && absent.cause?.name == "ECONNREFUSED")
    lonely.client.stop()
  }

  @Test("a password in a file is used; a file that is missing is named")
  func password() throws {
    try withFiles(["password": "secret\n"]) { folder in
      let users = "\(folder)/users"
      // mosquitto_passwd's form 7: PBKDF2 with SHA-512. The program makes it.
      try perform("/usr/bin/mosquitto_passwd", ["-b", "-c", users, "bell", "secret"])
      try #require(chmod(users, 0o644) == 0)
      let mosquitto = try Mosquitto(settings: "allow_anonymous false\npassword_file \(users)\n")
      var address = mosquitto.address
      address.user = "bell"
      address.passwordFile = "\(folder)/password"
      let panel = try Client(mosquitto, id: "panel", at: address)
      try run([panel], until: { panel.publisher.isConnected })
      panel.client.stop()
      address.passwordFile = "\(folder)/nothing"
      let broker = MosquittoBroker(address)
      let error = driverError { try broker.connect(BrokerGreeting(client: "x"), on: WorkClock(at: .zero)) }
      #expect(error?.kind == .notPermitted && error?.reason == "not there")
    }
  }

  @Test("a certificate of nobody known is refused with the reason, whether authorities are named or not")
  func certificate() throws {
    try withFiles([:]) { folder in
      let request = [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "2", "-keyout",
        "\(folder)/key", "-out", "\(folder)/certificate",
      ]
      try perform("/usr/bin/openssl", request)
      let mosquitto = try Mosquitto(
        settings: "allow_anonymous true\ncertfile \(folder)/certificate\nkeyfile \(folder)/key\n")
      var address = mosquitto.address
      address.hasTLS = true
      let stranger = try Client(mosquitto, id: "stranger", at: address)
      try run([stranger], until: { !stranger.client.troubles.isEmpty })
      let error = try #require(
        stranger.client.troubles.first.flatMap { if case .lost(let error) = $0 { error } else { nil } })
      #expect(error.reason == "its certificate can't be trusted: self-signed certificate", "\(error)")
      stranger.client.stop()
      address.authorities = "\(folder)/certificate"
      let panel = try Client(mosquitto, id: "panel", at: address)
      try run([panel], until: { panel.publisher.isConnected || !panel.client.troubles.isEmpty })
      #expect(panel.publisher.isConnected, "\(panel.client.troubles)")
      panel.client.stop()
    }
  }

  @Test(
    "a peer that resets the connection, at once or later, has ended it; with TLS it can't encrypt",
    arguments: [false, true], [false, true])
  func reset(hasTLS: Bool, isLate: Bool) throws {
    let peer = try ResettingPeer()
    let address = try BrokerConnectionSettings("\(hasTLS ? "mqtts" : "mqtt")://127.0.0.1:\(peer.port)")
    let broker = MosquittoBroker(address)
    defer { broker.close() }
    let clock = WorkClock(at: .zero)
    var error = driverError {
      try broker.connect(BrokerGreeting(client: "x"), on: clock)
      if isLate { try broker.exchange(on: clock) { _ in } }
    }
    try #require(error == nil)
    peer.reset()
    let end = ConditionVariable.now + .seconds(60)
    while error == nil, ConditionVariable.now < end {
      error = driverError { try broker.exchange(on: clock) { _ in } }
    }
    #expect(error?.reason == (hasTLS ? "the connection can't be encrypted" : "the broker ended the connection"))
  }

  @Test(
    "a message of 30 MB takes no memory, with TLS and without, retained and not, and the connection goes on",
    arguments: [false, true])
  func bigMessages(_ hasTLS: Bool) throws {
    try withFiles(["big": String(repeating: "9", count: 30 << 20)]) { folder in
      var settings = "allow_anonymous true\n"
      if hasTLS {
        let request = [
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "2", "-keyout",
          "\(folder)/key", "-out", "\(folder)/certificate",
        ]
        try perform("/usr/bin/openssl", request)
        settings += "certfile \(folder)/certificate\nkeyfile \(folder)/key\n"
      }
      let mosquitto = try Mosquitto(settings: settings)
      var address = mosquitto.address
      address.hasTLS = hasTLS
      if hasTLS { address.authorities = "\(folder)/certificate" }
      let security = hasTLS ? ["--cafile", "\(folder)/certificate"] : []
      func publish(_ words: String...) throws {
        let place = ["-h", "127.0.0.1", "-p", "\(address.port)"] + security
        try perform("/usr/bin/mosquitto_pub", place + words)
      }
      try publish("-r", "-q", "1", "-t", "set/panel", "-f", "\(folder)/big")
      let panel = try Client(mosquitto, id: "panel", listens: "set/+", at: address)
      let before = Self.peak
      func isTold(_ topic: String) -> Bool {
        panel.client.troubles.contains {
          if case .failed(let error) = $0 { error.operation.contains(topic) } else { false }
        }
      }
      try run([panel], until: { panel.publisher.isConnected && isTold("set/panel") })
      #expect(
        panel.client.troubles.first.map { "\($0)" }?.contains("it has 31457293 bytes; at most 131072 are read") == true)
      // More than the 20 that a broker sends before they are acknowledged.
      for number in 0..<25 { try publish("-q", "1", "-t", "set/\(number)", "-f", "\(folder)/big") }
      try publish("-q", "1", "-t", "set/small", "-m", "7")
      try run([panel], until: { panel.heard.contains { $0.topic == "set/small" } })
      #expect(panel.publisher.reconnections == 0 && panel.heard.count == 1)
      #expect(Self.peak - before < 8_000, "it took \(Self.peak - before) kB")
      panel.client.stop()
    }
  }

  /// The most memory that this process has had, in kB.
  private static var peak: Int {
    let status = bytes(of: "/proc/self/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
  }

  /// Runs the clients' loops by turns until something is so; fails after 60 s, whose reason is the broker's or a fault
  /// of ours.
  private func run(_ clients: [Client], until isOver: () -> Bool) throws {
    let end = ConditionVariable.now + .seconds(60)
    while !isOver() {
      try #require(ConditionVariable.now < end, "\(clients.map { "\($0.publisher.account) \($0.client.troubles)" })")
      for client in clients { try client.bench.step(until: client.bench.now + .milliseconds(5)) }
    }
  }

  /// A client with one value, one topic for events and one for commands to others.
  private final class Client {
    let bench: Bench
    let publisher: MessagePublisher
    let client: DriverBench<MessagingDriver<ReceivedMessage>>
    private let inbox = Inbox()

    private final class Inbox {
      var heard: [ReceivedMessage] = []
      var messages: [ReceivedMessage] = []
      var read: [[UInt8]?] = []
    }

    init(
      _ mosquitto: Mosquitto, id: String, listens filter: String? = nil, at address: BrokerConnectionSettings? = nil,
      keeping kept: BrokerGreeting.Kept? = nil, keepAlive: Duration = .seconds(60), unacknowledged topics: [String] = []
    ) throws {
      bench = Bench(loop: try LinuxLoop())
      publisher = MessagePublisher(
        .init(
          topics: [
            PublishedTopic("\(id)/value", isRetained: true), PublishedTopic("\(id)/event", isRetained: false),
            PublishedTopic("\(id)/availability", isRetained: true), PublishedTopic("set/panel", isRetained: false),
          ] + topics.map { PublishedTopic($0, isRetained: false, isAcknowledged: false) }, availability: .init(topic: 2)
        ),
        writeValue: { _, writer in writer.write(7) }, finishEvent: { _, _, _, _ in })
      let inbox = inbox
      client = DriverBench(
        MessagingDriver(
          MosquittoBroker(address ?? mosquitto.address),
          greeting: BrokerGreeting(
            client: id, will: .init(topic: "\(id)/availability", payload: "offline"),
            subscriptions: [filter ?? "set/\(id)"], keepAlive: keepAlive, kept: kept),
          publisher: publisher, chance: Impatient(), read: { inbox.read.append($0) }
        ) { message in
          inbox.messages.append(message)
          if !message.topic.hasPrefix("\(id)/") { inbox.heard.append(message) }
          return message
        }, on: bench)
      try client.start()
    }

    var heard: [ReceivedMessage] { inbox.heard }
    /// What has come, also of its own.
    var messages: [ReceivedMessage] { inbox.messages }
    /// What the broker kept, in each connection.
    var read: [[UInt8]?] { inbox.read }
    var isDelivered: Bool { publisher.account.pending == 0 && publisher.account.delivered > 0 }
  }

  /// Has every wait be the shortest.
  private struct Impatient: RandomNumberGenerator {
    func next() -> UInt64 { 0 }
  }
}

/// A peer that is no broker: it accepts one connection, reads nothing and resets it.
private final class ResettingPeer {
  let port: UInt16
  private let listener: Int32

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    try #require(isOpen)
  }

  deinit { close(listener) }

  func reset() {
    let connection = accept(listener, nil, nil)
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    close(connection)
  }
}

/// A broker in a process of its own; it ends with the object.
final class Mosquitto {
  static let program = "/usr/sbin/mosquitto"
  private let settings: String
  private let path: String
  private let port: UInt16
  private var process: pid_t?

  init(settings: String = "allow_anonymous true\n") throws {
    port = try #require(Self.freePort())
    path = "/tmp/panel-mosquitto-\(getpid())-\(port).conf"
    self.settings = settings
    try start()
  }

  deinit {
    end()
    unlink(path)
  }

  var address: BrokerConnectionSettings { try! BrokerConnectionSettings("mqtt://127.0.0.1:\(port)") }

  func start() throws {
    // As root it would become the user mosquitto, who can't read the files of a test.
    save(Array("listener \(port) 127.0.0.1\nuser root\n\(settings)".utf8), at: path)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    var words = [Self.program, "-c", path].map { (word: String) in strdup(word) }
    words.append(nil)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      for word in words { free(word) }
    }
    var process = pid_t()
    let code = PanelProcess.whileNoPipeIsMade { posix_spawn(&process, Self.program, &actions, nil, words, environ) }
    try #require(code == 0)
    self.process = process
    var status: Int32 = 0
    // It takes connections a while after it has begun.
    let end = ConditionVariable.now + .seconds(60)
    while !isListening {
      try #require(
        ConditionVariable.now < end && waitpid(process, &status, WNOHANG) == 0, "mosquitto does not listen")
      sched_yield()
    }
  }

  private var isListening: Bool {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  func end() {
    guard let process else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    self.process = nil
  }

  private static func freePort() -> UInt16? {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    return isBound ? UInt16(bigEndian: address.sin_port) : nil
  }
}

/// Runs a program to its end, for a minute at most.
private func perform(_ program: String, _ arguments: [String]) throws {
  _ = try ChildProcess.run([program] + arguments, reading: "", within: .seconds(60), isQuiet: true)
}
