#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The clock of a ``Work``: `CLOCK_MONOTONIC` on a thread, the cycle's time in virtual time.
///
/// Pass it to ports whose calls can take long: a simulated port calls ``sleep(for:)`` with the time for which the real
/// one would block.
public final class WorkClock {
  /// The work's own time if it has no thread; nil on a thread.
  private var virtualNow: Moment?
  /// Whether it is the clock of a ``Worker``, whose steps take no time on the cycle's thread.
  package let isOfWorker: Bool

  /// Makes a virtual clock that only ``sleep(for:)`` advances, for tests of a port or a work without a ``Worker``, and
  /// for calls on the cycle's thread.
  public init(at moment: Moment) {
    virtualNow = moment
    isOfWorker = false
  }

  private init(ofWorkerAt moment: Moment?) {
    virtualNow = moment
    isOfWorker = true
  }

  /// Makes the clock of a thread, for calls to real hardware without a ``Worker``.
  public static func monotonic() -> WorkClock { WorkClock(ofWorkerAt: nil) }

  /// Makes the clock of a worker whose steps the driver's alarms run.
  package static func ofWorker(at moment: Moment) -> WorkClock { WorkClock(ofWorkerAt: moment) }

  /// The current time: on a thread, the system's clock; in virtual time, the moment of the step plus the time slept
  /// since then.
  public var now: Moment { virtualNow ?? ConditionVariable.now }

  /// Waits for `span`.
  ///
  /// On a thread the caller sleeps (`nanosleep`). In virtual time the call returns immediately, and the worker behaves
  /// as if its thread had been blocked: later reports reach the driver later by `span`, and the next step runs after
  /// that. A simulated device that hangs forever calls it with `.seconds(Int64.max)`.
  public func sleep(for span: Duration) {
    if let virtualNow {
      self.virtualNow = virtualNow + max(.zero, span)
      return
    }
    let end = now + span
    while case let rest = (end - now).wholeNanoseconds, rest > 0 {
      var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      nanosleep(&time, nil)
    }
  }

  /// Sets the time to the moment at which a step begins.
  func begin(at moment: Moment) {
    virtualNow = moment
  }
}
