import CycleCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A recursive lock: the thread that holds it can lock it again. A recursive `pthread_mutex_t`.
final class RecursiveLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// The thread that holds the lock; 0 for none.
  private let holder = Atomic<UInt>(0)
  /// The number of times that this thread has locked it.
  private var depth = 0

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, .init(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    depth += 1
    if depth == 1 { holder.store(Self.thisThread, ordering: .relaxed) }
    defer {
      depth -= 1
      if depth == 0 { holder.store(0, ordering: .relaxed) }
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }

  /// Whether the calling thread holds the lock. Safe without locking: only the holding thread stores its own number.
  var isHeldHere: Bool { holder.load(ordering: .relaxed) == Self.thisThread }

  private static var thisThread: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
