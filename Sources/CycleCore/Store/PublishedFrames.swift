extension Cycle where Frame: Sendable, Lenses: ~Copyable {
  /// The frames as a storage, for those beside the cycle who watch parts of it. Ask once, before the start.
  public func published() -> Storage<Frame> {
    let storage = MutableStorage(frame)
    observe { frame, _ in storage.replace(frame) }
    return storage
  }
}
