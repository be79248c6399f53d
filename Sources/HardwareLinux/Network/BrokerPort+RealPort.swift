import CycleCore
import HardwareDrivers

extension BrokerPort: RealPort {
  public func makeReal() -> any Broker {
    if let address { return MosquittoBroker(address) }
    let (reason, remedy) = fault!
    return AbsentBroker(
      DriverError(.misconfigured, of: "the broker", cannot: "reach the broker", reason: reason, remedy: remedy))
  }
}

/// A broker to which no connection is possible.
private final class AbsentBroker: Broker {
  private let error: DriverError

  init(_ error: DriverError) {
    self.error = error
  }

  var name: String { error.subject ?? "the broker" }
  var needsThread: Bool { false }
  var canBeReached: Bool { false }
  func wake(with waker: DriverWaker) {}
  func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError) { throw error }
  func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?
  ) throws(DriverError) {
    throw error
  }
  func endReading() throws(DriverError) {}
  func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError) {}
  var deadline: Moment? { nil }
  var descriptors: [PolledDescriptor] { [] }
  var isFlushed: Bool { true }
  func disconnect() {}
  func close() {}
}
