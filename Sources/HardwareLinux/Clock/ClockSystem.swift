internal import CLinux
import Glibc
import HardwareDrivers

/// The system calls on the clock, as a protocol that tests implement with a simulated kernel.
protocol ClockSystem: AnyObject {
  /// `CLOCK_MONOTONIC`, in nanoseconds.
  var monotonicTime: Int64 { get }
  /// `CLOCK_REALTIME`, in nanoseconds since 1970.
  var realTime: Int64 { get }
  /// Whether the kernel's clock is synchronised: `adjtimex` without `STA_UNSYNC`.
  var isSynchronised: Bool { get }
  func exists(_ path: String) -> Bool
  func entries(of folder: String) -> [String]
  func bytes(of path: String) -> [UInt8]?
  /// `timerfd_create` with `CLOCK_REALTIME`.
  func createTimer() throws(SystemFailure) -> Int32
  /// `timerfd_settime` with `TFD_TIMER_ABSTIME` and `TFD_TIMER_CANCEL_ON_SET`.
  func setTimer(_ descriptor: Int32, to microseconds: Int) throws(SystemFailure)
  /// `read`; its result does not matter.
  func readTimer(_ descriptor: Int32)
  func close(_ descriptor: Int32)
}

/// The implementation with Linux's system calls.
class LinuxClockSystem: ClockSystem {
  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  var monotonicTime: Int64 { Self.time(CLOCK_MONOTONIC) }
  var realTime: Int64 { Self.time(CLOCK_REALTIME) }
  var isSynchronised: Bool { clinux_clock_is_synchronized() == 1 }
  func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  func entries(of folder: String) -> [String] { (try? Folder.entries(of: folder)) ?? [] }
  func bytes(of path: String) -> [UInt8]? { try? SmallFile.bytes(of: path, atMost: 16) }

  func createTimer() throws(SystemFailure) -> Int32 {
    let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    if descriptor < 0 { throw .last("timerfd_create") }
    return descriptor
  }

  func setTimer(_ descriptor: Int32, to microseconds: Int) throws(SystemFailure) {
    // Zero would switch the timer off.
    let time = max(1, microseconds)
    var setting = itimerspec()
    setting.it_value.tv_sec = time / 1_000_000
    setting.it_value.tv_nsec = time % 1_000_000 * 1000
    let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
    if timerfd_settime(descriptor, flags, &setting, nil) < 0 { throw .last("timerfd_settime") }
  }

  func readTimer(_ descriptor: Int32) {
    var count: UInt64 = 0
    _ = Glibc.read(descriptor, &count, 8)
  }

  func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
}
