/// Closed until one thread opens it permanently. Other threads wait for that, with a timeout on the monotonic clock.
///
/// `sem_timedwait` uses the wall clock, which a time server can move by years while a device is being opened.
package final class Latch: @unchecked Sendable {
  private let condition = ConditionVariable()
  private var isOpen = false

  package init() {}

  package func open() {
    condition.locked {
      isOpen = true
      condition.broadcast()
    }
  }

  /// Waits until the latch is open, for at most `span`, and returns whether it is open.
  package func wait(for span: Duration) -> Bool {
    let end = ConditionVariable.now + span
    return condition.locked {
      while !isOpen, condition.wait(until: end) {}
      return isOpen
    }
  }
}
