import CycleCore

extension Cycle where Frame: Sendable, Lenses: ~Copyable {
  /// The frames as a storage, for those beside the cycle who watch parts of it. Ask once, before the start.
  ///
  /// Observers are called on the cycle's thread, once a frame: they hold the cycle up for as long as they take. Who reads never holds it up.
  public func published() -> Storage<Frame> {
    let storage = MutableStorage(frame)
    observe { frame, _ in storage.replace(frame) }
    return storage
  }
}
