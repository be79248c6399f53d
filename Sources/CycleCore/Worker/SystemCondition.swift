#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mutex and a condition of it that threads wait for, on the monotonic clock.
package final class SystemCondition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
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

  /// What time it is on the clock of ``wait(until:)``.
  package static var now: Moment { WorkClock.monotonicNow }

  package func lock() { pthread_mutex_lock(mutex) }
  package func unlock() { pthread_mutex_unlock(mutex) }

  package func locked<Value>(_ body: () -> Value) -> Value {
    lock()
    defer { unlock() }
    return body()
  }

  // MARK: - With the mutex locked

  /// Ends the wait of one thread.
  package func signal() { pthread_cond_signal(condition) }

  /// Ends the wait of all threads.
  package func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits until another thread ends the wait; it may also end by itself.
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// As ``wait()``, until a moment at the latest. Returns false if that has come. Calls `pthread_cond_timedwait`.
  package func wait(until end: Moment) -> Bool {
    #if canImport(Darwin)
      let rest = max(0, (end - Self.now).wholeNanoseconds)
      var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      return pthread_cond_timedwait_relative_np(condition, mutex, &time) != ETIMEDOUT
    #else
      var time = timespec(
        tv_sec: Int(end.nanoseconds / 1_000_000_000), tv_nsec: Int(end.nanoseconds % 1_000_000_000))
      return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
    #endif
  }

  /// As ``wait()``, for a span at most. Returns false if that is over.
  package func wait(for span: Duration) -> Bool { wait(until: Self.now + span) }
}
