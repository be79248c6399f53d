import Glibc
import Synchronization

/// A signal from one thread to another: a semaphore, and a flag that stays set.
package final class ThreadSignal: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let raised = Atomic<Bool>(false)

  package init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package var isRaised: Bool { raised.load(ordering: .acquiring) }

  package func raise() {
    raised.store(true, ordering: .releasing)
    sem_post(semaphore)
  }

  /// Waits for one raise.
  package func wait() {
    while sem_wait(semaphore) != 0 {}
  }
}
