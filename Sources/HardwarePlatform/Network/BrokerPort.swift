import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// An MQTT broker: ``HardwareLinux/MosquittoBroker``, or ``HardwareSimulation/SimulatedBroker``.
public struct BrokerPort: Port {
  public static let name = "network"
  public static let help = "Use MQTT and Open Sound Control on the network, or a simulated network."

  private enum Place: Hashable {
    case address(BrokerAddress)
    /// No address, with the reason and the remedy.
    case none(reason: String, remedy: String)
  }

  private let place: Place

  /// - Parameter address: the real broker's.
  public init(_ address: BrokerAddress) {
    place = .address(address)
  }

  /// A broker whose address is unknown: it is tried once, and the application runs.
  ///
  /// - Parameters:
  ///   - reason: the reason for the missing address.
  ///   - remedy: the remedy, as a sentence.
  public init(withoutAddress reason: String, remedy: String) {
    place = .none(reason: reason, remedy: remedy)
  }

  /// The real broker's address; nil if it is unknown.
  public var address: BrokerAddress? { if case .address(let address) = place { address } else { nil } }

  /// The reason why the address is missing, and the remedy; nil if there is an address.
  package var fault: (reason: String, remedy: String)? {
    if case .none(let reason, let remedy) = place { (reason, remedy) } else { nil }
  }

  public func makeReal() -> any Broker {
    switch place {
    case .address(let address): MosquittoBroker(address)
    case .none(let reason, let remedy):
      AbsentBroker(
        DriverError(.misconfigured, of: "the broker", cannot: "reach the broker", reason: reason, remedy: remedy))
    }
  }
  public func makeSimulated(on bench: Bench) -> SimulatedBroker {
    SimulatedBroker(bench, name: address?.text ?? "a simulated broker")
  }
  public static func hardware(_ simulated: SimulatedBroker) -> any Broker { simulated }
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
  func wake(with waker: Waker) {}
  func connect(_ greeting: BrokerGreeting, on clock: WorkClock) throws(DriverError) { throw error }
  func publish(
    _ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool, number: Int?
  ) throws(DriverError) {
    throw error
  }
  func exchange(on clock: WorkClock, _ take: (BrokerNews) -> Void) throws(DriverError) {}
  var deadline: Moment? { nil }
  var descriptors: [PolledDescriptor] { [] }
  var isFlushed: Bool { true }
  func disconnect() {}
  func close() {}
}
