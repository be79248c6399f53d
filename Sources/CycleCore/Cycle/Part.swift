/// Lenses of a part of the frame. Their filters get that part only, and no frame filter runs while the part is
/// unchanged.
///
///     struct House: Equatable { var door = Door(); var cellar = Cellar() }
///
///     Cycle(seed: House()) {
///       Part(\.door) { Lens(Button(chip, line: "GPIO17"), on: { door, event in ... }) }
///       Part(\.cellar) { cellarLenses(on: chip) }                   // a function that returns some LensGroup<Cellar>
///     }
///
/// The history that their event filters read is that of the part: `past[1]` is the part's value before its last change.
public struct Part<Frame: Equatable, Lenses: LensGroup & ~Copyable>: LensGroup, ~Copyable {
  @usableFromInline var lenses: Lenses
  /// The offset of the part in the frame, in bytes.
  @usableFromInline let offset: Int
  /// The history of the part; nil before the wiring.
  @usableFromInline var parts: FrameRing<Lenses.Frame>?
  /// The number, in `parts`, of the value that was rendered last; -1 before the first.
  @usableFromInline var rendered = -1

  /// - Parameters:
  ///   - part: a stored property of the frame, or a stored property of such a property, at any depth.
  ///   - lenses: the lenses of the part.
  @inlinable
  public init<Stored: Equatable>(_ part: WritableKeyPath<Frame, Stored>, @LensBuilder<Stored> lenses: () -> Lenses)
  where Lenses.Frame == Stored {
    offset = PartOffset.of(part)
    self.lenses = lenses()
  }

  deinit { parts?.deallocate() }

  @inlinable
  func part(of frame: UnsafePointer<Frame>) -> UnsafePointer<Lenses.Frame> {
    (UnsafeRawPointer(frame) + offset).assumingMemoryBound(to: Lenses.Frame.self)
  }

  @inlinable
  public var lensCount: Int { lenses.lensCount }

  public mutating func wire(_ cycleContext: CycleContext, first: Int, showing seed: UnsafePointer<Frame>) {
    let part = part(of: seed)
    parts = FrameRing(seed: part.pointee, depth: cycleContext.depth)
    lenses.wire(cycleContext, first: first, showing: part)
  }

  public mutating func start(_ phase: StartPhase, showing frame: UnsafePointer<Frame>) throws(DriverError) {
    try lenses.start(phase, showing: part(of: frame))
  }

  public mutating func forgetHistory(showing frame: UnsafePointer<Frame>) {
    let part = part(of: frame)
    parts!.begin(with: part.pointee, number: 0)
    lenses.forgetHistory(showing: part)
  }

  @inlinable
  public mutating func reduce(_ index: Int, in frames: inout FrameRing<Frame>) -> Bool {
    guard lenses.reduce(index, in: &parts!) else { return false }
    putPart(in: &frames)
    return true
  }

  @inlinable
  public mutating func reduceOnSlowPath(
    _ index: Int, as entry: QueueEntryKind, in frames: inout FrameRing<Frame>
  ) -> Bool {
    guard lenses.reduceOnSlowPath(index, as: entry, in: &parts!) else { return false }
    putPart(in: &frames)
    return true
  }

  /// Makes the next frame out of the current one and the changed part.
  @inlinable
  func putPart(in frames: inout FrameRing<Frame>) {
    let next = parts!.current
    let offset = offset
    let put: (inout Frame) -> Void = { frame in
      withUnsafeMutableBytes(of: &frame) {
        ($0.baseAddress! + offset).assumingMemoryBound(to: Lenses.Frame.self).pointee = next.pointee
      }
    }
    _ = FrameRing<Frame>.isRefilled ? frames.advanceInStorage(put) : frames.advance(put)
  }

  @inlinable
  public mutating func checkNewest(_ index: Int) throws(RecordingTextFault) { try lenses.checkNewest(index) }

  @inlinable
  public mutating func render(_ frame: UnsafePointer<Frame>) {
    let part = part(of: frame)
    if parts!.current.pointee != part.pointee {
      // A lens outside this group has changed the part.
      _ = parts!.advance { $0 = part.pointee }
    } else if rendered == parts!.newest {
      return
    }
    rendered = parts!.newest
    lenses.render(parts!.current)
  }

  @inlinable
  public mutating func wake(_ index: Int, _ wake: Wake, showing frame: UnsafePointer<Frame>) {
    lenses.wake(index, wake, showing: part(of: frame))
  }

  public mutating func retry(_ index: Int, showing frame: UnsafePointer<Frame>) {
    lenses.retry(index, showing: part(of: frame))
  }

  public mutating func beginTiming() { lenses.beginTiming() }

  public mutating func tellLoss(_ index: Int, of count: Int) { lenses.tellLoss(index, of: count) }

  public mutating func renderSafe() { lenses.renderSafe() }

  public var isAtRest: Bool { lenses.isAtRest }

  public mutating func stop() { lenses.stop() }

  public func account(of index: Int) -> LaneEventCounts { lenses.account(of: index) }

  public func model(of index: Int) -> Any { lenses.model(of: index) }
}

@usableFromInline
enum PartOffset {
  /// Returns the offset of a part in its frame, in bytes.
  @usableFromInline
  static func of<Frame>(_ part: PartialKeyPath<Frame>) -> Int {
    guard let offset = MemoryLayout<Frame>.offset(of: part) else {
      programmerError(
        "a part must be a stored property of \(Frame.self), not computed, not observed, and not of a class")
    }
    return offset
  }
}
