internal import CLinux
import CycleCore
import Glibc

/// A kernel timer on the monotonic clock, for one moment at a time.
struct TimerDescriptor: ~Copyable {
  let descriptor: Int32
  private var armed: Moment?

  /// - Throws: kind `failed` if no more descriptors can be opened. Calls `timerfd_create`.
  init() throws(DriverError) {
    descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard descriptor >= 0 else {
      throw DriverError(
        .failed, cannot: "serve the monitor", reason: "the system refused a timer",
        remedy: "Raise the limit of open files (`ulimit -n`, LimitNOFILE= of a service).")
    }
  }

  deinit { close(descriptor) }

  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Sets when the descriptor becomes readable; nil for never. Calls `timerfd_settime` if the moment has changed.
  mutating func set(to moment: Moment?) {
    guard moment != armed else { return }
    armed = moment
    var setting = itimerspec()
    if let moment {
      // Zero would mean never.
      let nanoseconds = max(1, moment.nanoseconds)
      setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
      setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    }
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }

  /// Sets it to a moment, unless it is set to an earlier one.
  mutating func hasten(to moment: Moment) {
    if let armed, armed <= moment { return }
    set(to: moment)
  }

  /// Clears the readable state if the moment has passed.
  mutating func acknowledge() {
    var count: UInt64 = 0
    if read(descriptor, &count, 8) == 8 { armed = nil }
  }
}
