import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@testable import HardwareLinux

@Suite("Open Sound Control over UDP")
struct OSCLinkTests {
  @Test("events and values arrive, in their order, as addresses and words")
  func arrives() throws {
    let endpoint = try Self.freeEndpoint()
    let clock = WorkClock(at: .zero)
    let listener = OSCListener(at: endpoint)
    try listener.open(on: clock)
    let rig = try Rig(sendingTo: endpoint)
    rig.publisher.tell(event: 1) { $0.write(oscArgument: "pressed") }
    var heard: [ReceivedMessage] = []
    try rig.run {
      try listener.receive(on: clock) { heard.append($0) }
      return heard.count >= 2
    }
    #expect(heard.contains(ReceivedMessage(OSCMessage("/panel/bell/value/level", [.integer(7)]))))
    #expect(heard.contains(ReceivedMessage(OSCMessage("/panel/bell/event/bell", [.text("pressed")]))))
    try rig.run { rig.publisher.account.pending == 0 }
    #expect(rig.publisher.account.isBalanced && rig.publisher.account.delivered == 2)
    rig.client.stop()
  }

  @Test("a receiver that doesn't run is no trouble")
  func nobody() throws {
    let rig = try Rig(sendingTo: try Self.freeEndpoint())
    for _ in 0..<20 {
      rig.publisher.tell(event: 1) { $0.write(oscArgument: 1) }
      try rig.run { rig.publisher.account.pending == 0 && rig.publisher.isConnected }
    }
    #expect(rig.client.troubles.isEmpty && rig.publisher.account.isBalanced && rig.publisher.account.lost == 0)
    rig.client.stop()
  }

  @Test("a datagram that is no OSC says why, and those behind it are heard")
  func damaged() throws {
    let endpoint = try Self.freeEndpoint()
    let clock = WorkClock(at: .zero)
    let listener = OSCListener(at: endpoint)
    try listener.open(on: clock)
    let sender = OSCSender(to: endpoint)
    try sender.open(on: clock)
    for payload in ["abcd", ",i\0\0\0\0\0\u{9}"] {
      let bytes = Array(payload.utf8)
      try bytes.withUnsafeBytes { try sender.send($0, to: "/x") }
    }
    var heard: [ReceivedMessage] = []
    let end = ConditionVariable.now + .seconds(60)
    while heard.count < 2, ConditionVariable.now < end {
      try listener.receive(on: clock) { heard.append($0) }
    }
    #expect(
      heard == [
        ReceivedMessage(topic: "", payload: Array("a text in it has no end".utf8)),
        ReceivedMessage(topic: "/x", payload: Array("9".utf8), arguments: [.integer(9)]),
      ])
  }

  @Test("a payload of no bytes is a message without arguments")
  func empty() throws {
    let endpoint = try Self.freeEndpoint()
    let clock = WorkClock(at: .zero)
    let listener = OSCListener(at: endpoint)
    try listener.open(on: clock)
    let sender = OSCSender(to: endpoint)
    try sender.open(on: clock)
    try sender.send(UnsafeRawBufferPointer(start: nil, count: 0), to: "/x")
    var heard: [ReceivedMessage] = []
    let end = ConditionVariable.now + .seconds(60)
    while heard.isEmpty, ConditionVariable.now < end {
      try listener.receive(on: clock) { heard.append($0) }
    }
    #expect(heard == [ReceivedMessage(topic: "/x", payload: [])])
  }

  @Test("a port that another program has, and a name that isn't known, are told")
  func refused() throws {
    let endpoint = try Self.freeEndpoint()
    let clock = WorkClock(at: .zero)
    let first = OSCListener(at: endpoint)
    try first.open(on: clock)
    let busy = driverError { try OSCListener(at: endpoint).open(on: clock) }
    #expect(busy?.kind == .busy && busy?.operation == "listen for OSC at \(endpoint.text)")
    let nowhere = OSCSender(to: OSCEndpoint(host: "nowhere.invalid", port: 9))
    let unknown = driverError { try nowhere.open(on: clock) }
    #expect(unknown?.kind == .absent && unknown?.reason == "the name nowhere.invalid is not known")
  }

  @Test(
    "endpoints are read, and what is none is refused with what is wrong",
    arguments: [
      ("qlab.lan:53000", nil), ("[::1]:9000", nil), ("qlab.lan", "the port is missing"),
      ("qlab.lan:0", "\"0\" is not a port; write 1 to 65535"),
      ("qlab.lan:70000", "\"70000\" is not a port; write 1 to 65535"),
      (":9000", "\"\" is not a host name"), ("::1:9000", "an IPv6 address is written in brackets"),
      ("a b:1", "\"a b\" is not a host name"),
    ])
  func endpoints(_ text: String, _ reason: String?) {
    var read: OSCEndpoint?
    let error = driverError { read = try OSCEndpoint(text) }
    #expect(error?.reason == reason && (read?.text == text) == (reason == nil))
  }

  /// An endpoint of this machine whose port no program has.
  private static func freeEndpoint() throws -> OSCEndpoint {
    for _ in 0..<100 {
      let endpoint = OSCEndpoint(host: "127.0.0.1", port: .random(in: 20000...32000))
      if driverError({ _ = try DatagramSocket(endpoint, for: .listening) }) == nil { return endpoint }
    }
    throw DriverError(.absent, of: "127.0.0.1", cannot: "find a free port", reason: "all are taken", remedy: "")
  }

  /// A client with a value and events.
  private final class Rig {
    let bench: Bench
    let publisher: MessagePublisher
    let client: DriverBench<MessagingDriver<ReceivedMessage>>

    init(sendingTo endpoint: OSCEndpoint) throws {
      bench = Bench(loop: try LinuxLoop())
      publisher = MessagePublisher(
        .init(topics: [
          PublishedTopic("/panel/bell/value/level", isRetained: true),
          PublishedTopic("/panel/bell/event/bell", isRetained: false),
        ]), writeValue: { _, writer in writer.write(oscArgument: 7) }, finishEvent: { _, _, _, _ in })
      client = DriverBench(
        MessagingDriver(
          OSCSender(to: endpoint), publisher: publisher, chance: SeededGenerator(seed: 0)
        ) { $0 }, on: bench)
      try client.start()
    }

    /// Runs until something is so; fails after 60 s, which only a machine that stands still needs.
    func run(until isOver: () throws -> Bool) throws {
      let end = ConditionVariable.now + .seconds(60)
      while try !isOver() {
        try #require(ConditionVariable.now < end, "\(publisher.account) \(client.troubles)")
        try bench.step(until: bench.now + .milliseconds(5))
      }
    }
  }
}
