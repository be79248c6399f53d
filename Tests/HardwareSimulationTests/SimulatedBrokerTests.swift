import CycleCore
import HardwareDrivers
import Testing

@testable import HardwareSimulation

/// What a broker in memory checks of its client.
@Suite("A simulated broker")
struct SimulatedBrokerTests {
  private let bench = Bench()
  private let clock = WorkClock(at: .zero)

  private func connected() throws -> SimulatedBroker {
    let broker = SimulatedBroker(bench)
    try broker.connect(
      BrokerGreeting(client: "panel", will: .init(topic: "status", payload: "offline"), keepAlive: .seconds(60)),
      on: clock)
    try broker.exchange(on: clock) { _ in }
    return broker
  }

  private func wait(_ seconds: Int) throws {
    try bench.advance(by: .seconds(seconds))
    clock.sleep(for: .seconds(seconds))
  }

  @Test(
    "keepalive: a client that is not called when its ping is due is disconnected after 1.5 keepalives, and its will is published"
  )
  func silent() throws {
    let broker = try connected()
    try wait(89)
    #expect(broker.isConnected && broker.messages.isEmpty)
    try wait(1)
    #expect(!broker.isConnected && broker.retained == ["status": "offline"])
    #expect(broker.messages.map(\.moment) == [.zero + .seconds(90)])
    #expect(throws: DriverError.self) { try broker.exchange(on: clock) { _ in } }
    #expect(broker.pings == 0)
  }

  @Test("what a client sends after it was disconnected does not arrive")
  func sendsTooLate() throws {
    let broker = try connected()
    try wait(91)
    try Array("1".utf8).withUnsafeBytes { try broker.publish($0, to: "x", isRetained: false, number: 1) }
    #expect(broker.messages.map(\.topic) == ["status"])
  }

  @Test("a client that is called in time sends a ping, and stays connected")
  func pings() throws {
    let broker = try connected()
    for _ in 0..<10 {
      try wait(60)
      try broker.exchange(on: clock) { _ in }
    }
    #expect(broker.isConnected && broker.messages.isEmpty && broker.pings == 10)
  }

  @Test("a client whose network is away is disconnected, and learns it when the network is back")
  func unplugged() throws {
    let broker = try connected()
    try wait(30)
    broker.unplug()
    try wait(59)
    #expect(broker.messages.isEmpty)
    try wait(1)
    #expect(broker.retained == ["status": "offline"])
    broker.plug()
    #expect(throws: DriverError.self) { try broker.exchange(on: clock) { _ in } }
  }
}
