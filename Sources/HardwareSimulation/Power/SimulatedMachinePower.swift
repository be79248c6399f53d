import CycleCore
import HardwareDrivers

/// The power of a machine in memory. The program asks it like any ``HardwareDrivers/MachinePower``; the world's side
/// reads what it was asked for, and decides whether a service takes the requests.
///
///     let power = SimulatedMachinePower(bench)
///     // The program asks.
///     power.taken // [.off]
public final class SimulatedMachinePower: MachinePower, SimulatedHardware {
  public let bench: Bench
  private let fault = MachinePowerErrorFactory()

  // MARK: - The world's side

  /// The requests that the service has taken, the last one last.
  public private(set) var taken: [PowerChange] = []
  /// The number of requests, including failed ones.
  public private(set) var requestCount = 0
  /// The request that no service has taken yet.
  public private(set) var waiting: PowerChange?
  /// The time after which the service takes a request; nil if it is not enabled, and never takes one.
  public var answerTime: Duration? = .milliseconds(20)
  /// The next requests fail with this error until it is set to nil.
  public var lastingError: DriverError?
  /// Whether this program is run as a service.
  public private(set) var isPlugged = true

  public init(_ bench: Bench) { self.bench = bench }

  /// Makes this a program that is not run as a service.
  public func unplug() { isPlugged = false }
  public func plug() { isPlugged = true }

  // MARK: - The program's side

  public func ask(for change: PowerChange) throws(DriverError) {
    requestCount += 1
    guard isPlugged else { throw fault.noService(change) }
    if let error = lastingError { throw error }
    waiting = change
    guard let answerTime else { return }
    let number = requestCount
    bench.plan(at: bench.now + answerTime) { [weak self] in self?.take(number) }
  }

  private func take(_ number: Int) {
    // The request was replaced, or taken back.
    guard number == requestCount, let change = waiting else { return }
    waiting = nil
    taken.append(change)
  }

  public func withdraw() -> Bool {
    defer { waiting = nil }
    return waiting != nil
  }
}

extension MachinePowerPort: SimulatedPort {
  public func makeSimulated(on bench: Bench) -> SimulatedMachinePower { SimulatedMachinePower(bench) }
  public static func hardware(_ simulated: SimulatedMachinePower) -> any MachinePower { simulated }
}
