import CycleCore

extension Cycle where Frame: Sendable, Lenses: ~Copyable {
  /// Publishes the frames as a storage, which other threads can read and observe. Call this once, before the start.
  ///
  /// Observers are called on the cycle's thread, once per frame, and block it while they run. Reading never blocks it.
  public func published() -> Storage<Frame> {
    let storage = MutableStorage(frame)
    observe { frame, _ in storage.replace(frame) }
    return storage
  }
}
