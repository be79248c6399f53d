import CycleCore
import Glibc
import HardwareDrivers

/// Converts moments of a panel's loop to the time of day.
struct RealtimeOffset {
  /// Nanoseconds since 1970 in UTC, minus those of the loop's clock.
  private let difference: () -> Int64

  /// The time of this machine. Calls `clock_gettime`.
  ///
  /// - Parameter now: the loop's clock.
  init(of now: @escaping () -> Moment) {
    difference = {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - now().nanoseconds
    }
  }

  /// The time of a simulated world, which starts at 2026-01-01T00:00:00Z.
  static var simulated: RealtimeOffset { RealtimeOffset(beginning: 1_767_225_600) }

  private init(beginning: Int64) { difference = { beginning * 1_000_000_000 } }

  /// The time at a moment, in milliseconds since 1970. The moment may be in the past.
  func milliseconds(at moment: Moment) -> Int {
    Int((moment.nanoseconds + difference()) / 1_000_000)
  }
}
