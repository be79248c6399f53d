import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport
import Testing

@Suite("Open Sound Control in memory")
struct SimulatedOSCTests {
  private let bench = Bench(seed: 0)

  /// A client of it that sends what it is told to, and notes what it hears.
  private func client(_ osc: SimulatedOSC, _ receive: @escaping (ReceivedMessage) -> Void) -> (
    DriverBench<MessagingDriver<Never>>, MessagePublisher
  ) {
    let publisher = MessagePublisher(
      .init(topics: [PublishedTopic("/go", isRetained: false)]), writeValue: { _, _ in }, finishEvent: { _, _, _, _ in }
    )
    let client = MessagingDriver<Never>(
      osc, publisher: publisher, chance: SeededGenerator(seed: 0)
    ) { message in
      receive(message)
      return nil
    }
    return (DriverBench(client, on: bench), publisher)
  }

  @Test("what is sent arrives with its arguments, and what the world sends is heard")
  func messages() throws {
    let osc = SimulatedOSC(bench, name: "qlab.lan:53000")
    var heard: [ReceivedMessage] = []
    let (driver, publisher) = client(osc) { heard.append($0) }
    try driver.start()
    try bench.settle()
    publisher.tell(event: 0) { $0.write(oscArguments: [.integer(5)]) }
    osc.send(OSCMessage("/set", [.integer(9)]))
    osc.send(Array("abc".utf8))
    try bench.settle()
    #expect(osc.arrivals.map(\.message) == [OSCMessage("/go", [.integer(5)])])
    #expect(heard.map(\.topic) == ["/set", ""])
    #expect(publisher.account.isBalanced && publisher.account.delivered == 1)
    driver.stop()
  }

  @Test("what is sent while it is unplugged is gone, and is no trouble")
  func unplugged() throws {
    let osc = SimulatedOSC(bench, name: "qlab.lan:53000")
    let (driver, publisher) = client(osc) { _ in }
    try driver.start()
    try bench.settle()
    osc.unplug()
    publisher.tell(event: 0) { $0.write(oscArguments: []) }
    try bench.settle()
    osc.plug()
    try bench.settle()
    #expect(osc.arrivals.isEmpty && driver.troubles.isEmpty && publisher.account.delivered == 1)
    driver.stop()
  }

  @Test("a network that refuses each message is lost, and is not reported as restored again and again")
  func refusing() throws {
    let osc = SimulatedOSC(bench, name: "qlab.lan:53000")
    let (driver, publisher) = client(osc) { _ in }
    osc.sendFault = DriverError(
      .failed, of: osc.name, cannot: "send OSC to \(osc.name)", reason: "the network is unreachable", remedy: "")
    try driver.start()
    try bench.settle()
    publisher.tell(event: 0) { $0.write(oscArguments: []) }
    try bench.advance(by: .seconds(3600))
    #expect(driver.troubles.last == .lost(try #require(osc.sendFault)) && driver.troubles.count < 8)
    #expect(osc.arrivals.isEmpty && publisher.account.isBalanced)
    osc.sendFault = nil
    try bench.advance(by: .seconds(300))
    #expect(driver.troubles.last == .restored && osc.arrivals.count == 1)
    driver.stop()
  }
}
