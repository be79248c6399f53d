import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@testable import HardwarePlatform

@Suite("Who is at the other end")
struct ControlPeerTests {
  @Test(
    "the user itself and root may do what that user may",
    arguments: [
      (1000, 1000, true), (0, 1000, true), (1001, 1000, false), (0, 0, true), (1000, 0, false), (.max, 0, false),
    ])
  func owner(user: UInt32, owner: UInt32, may: Bool) {
    #expect(ControlPeer(user: user, process: 1).mayAct(as: owner) == may)
  }
}

/// The other end of a connection, in memory.
private final class Caller: ControlLink {
  let peer: ControlPeer
  /// Pieces that arrive one after the other.
  var pieces: [[UInt8]] = []
  var hasHungUp = false
  /// How many bytes fit into the way to the reader, who reads nothing.
  var room = 100_000
  /// Whether the loop watches the socket.
  private(set) var isReading = true
  /// Whether the socket is readable, which the loop tells again and again while it watches it.
  var isReadable: Bool { !pieces.isEmpty || hasHungUp }
  private(set) var heard = ""
  private(set) var isClosed = false

  init(_ process: Int32 = 7) {
    peer = ControlPeer(user: 1000, process: process)
  }

  func say(_ text: String) { pieces.append(Array(text.utf8)) }

  func receive() -> [UInt8]? { pieces.isEmpty ? (hasHungUp ? nil : []) : pieces.removeFirst() }

  func send(_ bytes: [UInt8]) -> Bool {
    guard !isClosed, bytes.count <= room else { return false }
    room -= bytes.count
    heard += String(decoding: bytes, as: UTF8.self)
    return true
  }

  func setReading(_ isReading: Bool) { self.isReading = isReading }
  func close() { isClosed = true }
}

/// Answers `echo WORDS`, `watch` and refuses everything else.
private final class Echo: ControlService {
  var watchers: [ControlConnection] = []
  private(set) var waiting: [ControlConnection] = []
  private(set) var ended: [Int] = []
  private(set) var requests: [String] = []

  func answer(_ request: String, on connection: ControlConnection) -> ControlAnswer {
    requests.append(request)
    switch request.split(separator: " ").first {
    case "later":
      waiting.append(connection)
      return .later
    case "echo": return .done([request, "from \(connection.peer.user)/\(connection.peer.process)"])
    case "watch":
      watchers.append(connection)
      return .watching(["all"])
    default: return .refused(code: 64, "what?")
    }
  }

  func ended(_ connection: ControlConnection) { ended.append(connection.number) }
}

@Suite("The server behind a control socket")
struct ControlServerTests {
  private final class Rig {
    let echo = Echo()
    let server: ControlServer
    var now = Moment(nanoseconds: 1_000_000_000)
    var notices: [String] = []

    init() {
      server = ControlServer(echo)
      server.onNotice = { [unowned self] in notices.append($0) }
    }

    private var callers: [Caller] = []

    func call(_ process: Int32 = 7) -> Caller {
      let caller = Caller(process)
      callers.append(caller)
      server.open(caller, at: now)
      return caller
    }

    /// Lets a caller say something, and has it answered.
    func say(_ text: String, _ caller: Caller) {
      caller.say(text)
      server.arrived(on: caller)
      turn()
    }

    /// Turns until nothing is due at once any more.
    func turn() {
      for _ in 0..<10_000 {
        for caller in callers where caller.isReading && caller.isReadable && !caller.isClosed {
          server.arrived(on: caller)
        }
        server.turn(at: now)
        guard let next = server.nextMoment, next <= now else { return }
      }
      Issue.record("there is always something to do")
    }

    func wait(_ span: Duration) {
      now = now + span
      turn()
    }
  }

  @Test("a request is a line, and its answer are lines, the last of them ok or error")
  func answers() {
    let rig = Rig()
    let caller = rig.call()
    rig.say("echo  a\tb\r\n".replacing("\t", with: " "), caller)
    rig.say("nonsense\n\n", caller)
    #expect(caller.heard == "echo a b\nfrom 1000/7\nok\nerror 64 what?\n")
    #expect(!caller.isClosed)
  }

  @Test("a line may come in pieces, and a piece may have several lines")
  func pieces() {
    let rig = Rig()
    let caller = rig.call()
    for byte in "echo x\necho y\n" { rig.say(String(byte), caller) }
    rig.say("echo 1\necho 2\necho 3", caller)
    #expect(rig.echo.requests == ["echo x", "echo y", "echo 1", "echo 2"])
    rig.say("\n", caller)
    #expect(rig.echo.requests.count == 5)
  }

  @Test("a peer that half-closes while its answer is being made gets it, and costs no turn until then")
  func halfClosed() {
    let rig = Rig()
    let caller = rig.call()
    caller.hasHungUp = true
    rig.say("later\n", caller)
    #expect(rig.server.nextMoment == nil && !caller.isReading && !caller.isClosed)
    rig.wait(.seconds(30))
    rig.server.finish(rig.echo.waiting[0], with: .done(["here"]), at: rig.now)
    rig.turn()
    #expect(caller.heard == "here\nok\n" && caller.isClosed && rig.echo.ended == [1])
  }

  @Test("a peer that goes on asking while its answer is being made costs no turn, and is answered behind it")
  func asksOn() {
    let rig = Rig()
    let caller = rig.call()
    rig.say("later\necho 1\n", caller)
    rig.say("echo 2\n", caller)
    rig.say(String(repeating: "z", count: 3_000), caller)
    #expect(rig.server.nextMoment == nil && !caller.isReading && caller.pieces.count == 2)
    rig.server.finish(rig.echo.waiting[0], with: .done(), at: rig.now)
    rig.turn()
    #expect(rig.echo.requests == ["later", "echo 1", "echo 2"] && caller.isReading && !caller.isClosed)
  }

  @Test("one request of each connection is answered in a turn, so that whoever asks much holds nothing up")
  func fairness() {
    let rig = Rig()
    let (greedy, modest) = (rig.call(1), rig.call(2))
    greedy.say(String(repeating: "echo g\n", count: 500))
    modest.say("echo m\n")
    rig.server.arrived(on: greedy)
    rig.server.arrived(on: modest)
    rig.server.turn(at: rig.now)
    #expect(rig.echo.requests == ["echo g", "echo m"])
    #expect(rig.server.nextMoment == .zero)
    rig.turn()
    #expect(rig.echo.requests.count == 501)
  }

  @Test("a ninth connection is told so and closed, and has a place when another one has gone")
  func tooMany() {
    let rig = Rig()
    let callers = (1...8).map { rig.call(Int32($0)) }
    let ninth = rig.call(9)
    #expect(ninth.isClosed && ninth.heard == "error 69 there are 8 connections already; try again\n")
    #expect(rig.notices == ["control: one connection too many, from uid 1000, pid 9"])
    callers[3].hasHungUp = true
    rig.server.arrived(on: callers[3])
    rig.turn()
    #expect(callers[3].isClosed && rig.echo.ended == [4])
    let tenth = rig.call(10)
    rig.say("echo a\n", tenth)
    #expect(tenth.heard == "echo a\nfrom 1000/10\nok\n")
  }

  @Test("20 000 connections too many in 8 s are one line of the log; the next one says how many there were")
  func storm() {
    let rig = Rig()
    let callers = (1...8).map { rig.call(Int32($0)) }
    for number in 0..<20_000 {
      if number.isMultiple(of: 2_500) { rig.now = rig.now + .seconds(1) }
      _ = rig.call(9)
    }
    #expect(rig.notices == ["control: one connection too many, from uid 1000, pid 9"])
    rig.now = rig.now + .seconds(10)
    _ = rig.call(10)
    #expect(rig.notices.last == "control: one connection too many, from uid 1000, pid 10; 19999 more before that")
    withExtendedLifetime(callers) {}
  }

  @Test("slow readers are told of once in 10 s, and apart from connections too many")
  func slowStorm() {
    let rig = Rig()
    for _ in 0..<100 {
      let caller = rig.call()
      caller.room = 1
      rig.say("echo a\n", caller)
    }
    #expect(rig.notices == ["control: pid 7 reads too slowly or is gone; its connection was closed"])
    for _ in 0..<9 { _ = rig.call() }
    #expect(rig.notices.count == 2)
  }

  @Test("a line of 4096 bytes is answered, a longer one ends the connection, with or without its end")
  func longLines() {
    let rig = Rig()
    let longest = "echo " + String(repeating: "x", count: 4091)
    let caller = rig.call()
    rig.say(longest + "\n", caller)
    #expect(caller.heard.hasSuffix("\nok\n"))
    for end in ["", "\n"] {
      let caller = rig.call()
      for piece in [longest, "y", end] { rig.say(piece, caller) }
      #expect(caller.heard == "error 65 a line has at most 4096 bytes\n" && caller.isClosed)
    }
    #expect(rig.echo.requests.count == 1)
  }

  @Test(
    "bytes that are no line of text end the connection", arguments: [[0], [0xFF, 0xFE], [0x1B, 0x5B], [0xC0, 0x80]])
  func binary(bytes: [UInt8]) {
    let rig = Rig()
    let caller = rig.call()
    caller.pieces = [bytes + [0x0A]]
    rig.server.arrived(on: caller)
    rig.turn()
    #expect(caller.heard == "error 65 a request is a line of text\n" && caller.isClosed)
    #expect(rig.echo.requests.isEmpty)
  }

  @Test("10 s without a request end a connection, also one that says a byte now and then, and not one that watches")
  func silence() {
    let rig = Rig()
    let (silent, slow, busy, watcher) = (rig.call(1), rig.call(2), rig.call(3), rig.call(4))
    rig.say("watch\n", watcher)
    for _ in 0..<2 {
      rig.wait(.seconds(4))
      rig.say("e", slow)
      rig.say("echo\n", busy)
    }
    #expect(rig.server.connectionCount == 4)
    #expect(rig.server.nextMoment == Moment(nanoseconds: 11_000_000_000))
    rig.wait(.seconds(2))
    #expect(silent.isClosed && slow.isClosed && !busy.isClosed && !watcher.isClosed)
    #expect(silent.heard == "error 69 nothing was asked for 10 s\n")
    rig.wait(.seconds(10))
    #expect(busy.isClosed && !watcher.isClosed && rig.server.nextMoment == nil)
  }

  @Test("a reader that is too slow is cut, whether it asked or watches, and nothing is kept for it")
  func slowReader() {
    let rig = Rig()
    let (asker, watcher) = (rig.call(1), rig.call(2))
    asker.room = 10
    rig.say("echo a\n", asker)
    #expect(asker.isClosed && asker.heard == "")
    rig.say("watch\n", watcher)
    watcher.room = 8
    for _ in 0..<3 { rig.echo.watchers[0].tell("frame") }
    rig.turn()
    #expect(watcher.isClosed && watcher.heard == "all\nframe\n")
    #expect(rig.echo.ended == [1, 2])
    #expect(rig.notices == ["control: pid 1 reads too slowly or is gone; its connection was closed"], "once in 10 s")
  }

  @Test("who watches asks nothing more on its connection; what was asked before it hung up is answered")
  func watching() {
    let rig = Rig()
    let (watcher, hasty) = (rig.call(1), rig.call(2))
    rig.say("watch\n", watcher)
    rig.say("echo a\n", watcher)
    #expect(watcher.heard == "all\nerror 64 this connection watches; open another one\n" && watcher.isClosed)
    hasty.hasHungUp = true
    rig.say("echo a\necho b\n", hasty)
    rig.server.arrived(on: hasty)
    rig.turn()
    #expect(rig.echo.requests == ["watch", "echo a", "echo b"] && hasty.isClosed)
  }

  @Test("random bytes, pieces, hang-ups and slow readers never break it, and all connections end")
  func random() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let rig = Rig()
    var callers: [Caller] = []
    for _ in 0..<5_000 {
      switch random.number(below: 6) {
      case 0: callers.append(rig.call(Int32(callers.count)))
      case 1:
        if let caller = callers.randomElement(using: &random) { caller.hasHungUp = true }
      case 2: rig.now = rig.now + .milliseconds(random.number(below: 4_000))
      default:
        guard let caller = callers.randomElement(using: &random) else { continue }
        let texts = ["echo a\n", "watch\n", "ec", "\n", "\u{0}", String(repeating: "z", count: 3_000), "x y\n"]
        caller.say(texts[random.number(below: texts.count)])
        if random.number(below: 10) == 0 { caller.room = random.number(below: 40) }
        rig.server.arrived(on: caller)
      }
      rig.turn()
      #expect(rig.server.connectionCount <= ControlServer.mostConnections, "seed \(seed)")
    }
    rig.server.end()
    #expect(callers.allSatisfy(\.isClosed) && rig.server.connectionCount == 0, "seed \(seed)")
    #expect(Set(rig.echo.ended).count == rig.echo.ended.count, "seed \(seed)")
  }
}

extension SeededGenerator {
  fileprivate mutating func number(below end: Int) -> Int { Int.random(in: 0..<end, using: &self) }
}
