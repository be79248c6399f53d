import CycleCore
import HardwareDrivers

/// The load average of this machine: the number of processes that run or wait for a processor or a disk. On a machine
/// with four processors, 4 means that all of them are busy.
///
/// Reads `/proc/loadavg`.
///
/// **Source.** Linux manual page `proc_loadavg(5)`.
public struct LoadAverage: NumberLocation, NumberSource {
  /// The time over which the load is averaged.
  public enum Span: String, CaseIterable, Sendable {
    case oneMinute = "1m"
    case fiveMinutes = "5m"
    case fifteenMinutes = "15m"
  }

  private let span: Span
  private let path: String

  public init(over span: Span) { self.init(over: span, in: "/proc/loadavg") }

  init(over span: Span, in path: String) {
    (self.span, self.path) = (span, path)
  }

  public var name: String { "load \(span.rawValue)" }
  public var unit: String { "" }

  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    let fault = NumberErrorFactory(name)
    let words = (SensorFile(path).word ?? "").split(separator: " ")
    guard let place = Span.allCases.firstIndex(of: span), words.count > place, let load = Double(words[place]),
      load.isFinite
    else {
      throw fault.failed("\(path) has no load average", remedy: "Check that /proc is mounted.")
    }
    return load
  }
}
