import CycleCore
import HardwareDrivers

/// Converts the kernel's time stamps of edges to `CLOCK_MONOTONIC`.
///
/// The kernel's first interface stamps edges with `CLOCK_REALTIME` before Linux 5.7, and with `CLOCK_MONOTONIC` since
/// (commit f8850206e160, "Switch timestamps to ktime_get_ns()"). A program can't request which one. A stamp far ahead
/// of `CLOCK_MONOTONIC` is from `CLOCK_REALTIME`, which is years ahead.
struct EdgeStamps {
  /// A tolerance in nanoseconds. A stamp further ahead of `CLOCK_MONOTONIC` than this is from `CLOCK_REALTIME`.
  private static let tolerance: Int64 = 1_000_000_000

  /// Whether a stamp of real time has been seen: then all stamps are.
  private var areRealtime = false
  /// The last reading of `CLOCK_MONOTONIC`. The clock never goes back, so stamps up to `tolerance` ahead of this
  /// reading don't need a new reading.
  private var monotonic = Int64.min / 2

  /// Subtracts the current difference of the two clocks from stamps of `CLOCK_REALTIME`. If that clock was set after
  /// the edge, the stamp is wrong by the change, but never later than now.
  mutating func convert(_ edges: UnsafeMutableBufferPointer<LineEdge>, _ readClocks: @autoclosure () -> SystemClocks) {
    guard areRealtime || isAhead(edges) else { return }
    let clocks = readClocks()
    monotonic = clocks.monotonic
    areRealtime = areRealtime || isAhead(edges)
    guard areRealtime else { return }
    let ahead = clocks.realtime - clocks.monotonic
    for index in edges.indices {
      let stamp = edges[index].moment.nanoseconds.subtractingReportingOverflow(ahead).partialValue
      edges[index].moment = Moment(nanoseconds: min(stamp, clocks.monotonic))
    }
  }

  /// Whether one of the stamps is ahead of the clock.
  private func isAhead(_ edges: UnsafeMutableBufferPointer<LineEdge>) -> Bool {
    edges.contains { $0.moment.nanoseconds > monotonic + Self.tolerance }
  }
}
