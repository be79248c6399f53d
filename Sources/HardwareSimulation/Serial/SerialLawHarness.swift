import CycleCore
import HardwareDrivers

/// The ``LawHarness`` of a driver on a simulated serial line.
///
///     setup: { bench in
///       SerialLawHarness(SimulatedSerial(bench)) { line, bench in
///         line.send("t=21\r\n")
///         try bench.advance(by: .milliseconds(20))
///       }
///     }
public final class SerialLawHarness: LawHarness {
  public let line: SimulatedSerial
  /// A line stamps nothing: events get the moments at which their bytes were read.
  public let stampsEvents = false
  public let hasPicture = false
  public let picture = ""
  public let wakesAtRest: Bool
  private let act: (SimulatedSerial, Bench) throws(DriverError) -> Void

  /// - Parameters:
  ///   - line: the line, with the driver's device.
  ///   - isPolled: whether the driver writes at intervals, and so wakes while nothing happens.
  ///   - stimulate: makes the driver emit events.
  public init(
    _ line: SimulatedSerial, isPolled: Bool = false,
    stimulate: @escaping (SimulatedSerial, Bench) throws(DriverError) -> Void
  ) {
    (self.line, wakesAtRest, act) = (line, isPolled, stimulate)
  }

  public var bench: Bench { line.bench }
  public var names: [String] { [line.name] }
  public var writeCount: Int { line.sent.count }
  public var heldCount: Int { line.openCount }

  public func failNextRequest() -> Bool {
    line.nextOpenError = DriverError(
      .failed, of: line.name, cannot: "open \(line.name)", reason: "input/output error (EIO)",
      remedy: "This failure was asked for.")
    return true
  }

  public func unplug() -> Bool {
    line.unplug()
    return true
  }

  public func plug() { line.plug() }

  public func stimulate() throws(DriverError) { try act(line, bench) }
}
