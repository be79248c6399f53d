/// A value that several threads use, one at a time.
///
/// `Mutex` of Swift's Synchronization does the same. ThreadSanitizer doesn't see its lock when two threads want it at
/// one time, and reports a race that isn't there. It sees the lock of ``ConditionVariable``.
package final class Locked<Value>: @unchecked Sendable {
  private let condition = ConditionVariable()
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  /// Runs a function with the value while no other thread uses it.
  package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    condition.lock()
    defer { condition.unlock() }
    return try body(&value)
  }
}
