#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mutex with a condition, for which threads wait on the monotonic clock.
package final class ConditionVariable: @unchecked Sendable {
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

  /// The current time on the clock of ``wait(until:)``.
  package static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

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

  /// Waits until another thread ends the wait. The wait can also end spuriously.
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits like ``wait()``, at the latest until a moment. Returns false if that moment has passed. Calls
  /// `pthread_cond_timedwait`.
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

  /// Waits like ``wait()``, for at most a span. Returns false if the span has passed.
  package func wait(for span: Duration) -> Bool { wait(until: Self.now + span) }
}
