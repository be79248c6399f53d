import CycleCore
import Glibc

/// The measured cost of watching.
struct MonitorCost {
  /// The share of one processor that the monitor used between the last two measurements.
  private(set) var share = 0.0
  /// The longest turn.
  private(set) var longest = Duration.zero
  /// The memory of the whole program in bytes, at the last measurement.
  private(set) var residentBytes = MonitorCost.residentBytesNow
  private var spent = Duration.zero
  private var measured = TimerDescriptor.now

  mutating func note(turn: Duration, processor: Duration) {
    longest = max(longest, turn)
    spent += processor
  }

  mutating func measure(at now: Moment) {
    let span = (now - measured).wholeNanoseconds
    guard span > 0 else { return }
    share = (Double(spent.wholeNanoseconds) / Double(span) * 1_000_000).rounded() / 1_000_000
    spent = .zero
    measured = now
    residentBytes = Self.residentBytesNow
  }

  /// The processor time that the calling thread has used.
  static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The second number of `/proc/self/statm`, in bytes; 0 if it can't be read.
  private static var residentBytesNow: Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &bytes, bytes.count)
    let words = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
