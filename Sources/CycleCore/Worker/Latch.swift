#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Closed until one thread opens it for good; other threads wait for that, with a timeout on the monotonic clock.
///
/// `sem_timedwait` counts on the wall clock, which a time server may move by years while a device is being opened.
final class Latch: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isOpen = false

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func open() {
    pthread_mutex_lock(mutex)
    isOpen = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the latch is open, for `span` at most, and returns whether it is open. Calls `pthread_cond_timedwait`.
  func wait(for span: Duration) -> Bool {
    let end = WorkClock.monotonicNow + span
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isOpen {
      #if canImport(Darwin)
        let rest = max(0, (end - WorkClock.monotonicNow).wholeNanoseconds)
        var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
        let code = pthread_cond_timedwait_relative_np(condition, mutex, &time)
      #else
        var time = timespec(
          tv_sec: Int(end.nanoseconds / 1_000_000_000), tv_nsec: Int(end.nanoseconds % 1_000_000_000))
        let code = pthread_cond_timedwait(condition, mutex, &time)
      #endif
      if code == ETIMEDOUT { break }
    }
    return isOpen
  }
}
