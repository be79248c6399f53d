import CycleCore
import HardwareDrivers

/// Brings the kernel's time stamps of edges to `CLOCK_MONOTONIC`.
///
/// The kernel's first interface stamps edges with `CLOCK_REALTIME` before Linux 5.7, with `CLOCK_MONOTONIC` since
/// (commit f8850206e160, "Switch timestamps to ktime_get_ns()"), and nothing tells which. Real time is years ahead.
struct EdgeStamps {
  /// A stamp that is further ahead of the clock than this is one of real time.
  private static let tolerance: Int64 = 1_000_000_000

  /// Whether a stamp of real time has been seen: then all are.
  private var areRealtime = false
  /// The monotonic clock's last reading. The clock never goes back, so a stamp that is at most `tolerance` ahead of it needs no other reading.
  private var monotonic = Int64.min / 2

  /// Converts stamps by how far the two clocks are apart now. Where somebody has set the real-time clock since the
  /// edge, a stamp is wrong by so much, but never later than now.
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
