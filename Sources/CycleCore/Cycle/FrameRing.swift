/// The history that an event filter can read: the current frame, those before it, and the moment of the event.
///
///     on: { frame, event, past in
///       if past[1]?.isLit == true { frame.litUntil = past.moment + .seconds(10) }
///     }
///
/// It is valid only while the event filter runs.
@frozen
public struct Past<Frame>: ~Copyable {
  @usableFromInline let slots: UnsafeMutablePointer<Frame>
  @usableFromInline let newest: Int
  @usableFromInline let mask: Int
  /// The number of frames that can be read: at least 1, at most the cycle's `history`.
  public let count: Int
  /// The moment of the event: the hardware's timestamp, or the moment of the event reduced before it, if that is later.
  public let moment: Moment

  @inlinable
  init(slots: UnsafeMutablePointer<Frame>, newest: Int, mask: Int, count: Int, moment: Moment) {
    self.slots = slots
    self.newest = newest
    self.mask = mask
    self.count = count
    self.moment = moment
  }

  /// Returns the frame `age` frames before the current one, which is `past[0]`; nil if `age` is negative or not below
  /// ``count``.
  @inlinable
  public subscript(age: Int) -> Frame? {
    guard age >= 0, age < count else { return nil }
    return slots[(newest &- age) & mask]
  }
}

/// A frame that can copy another one into its existing storage.
///
/// For a frame that contains arrays: without this, the first change of each array allocates a copy at every event.
///
///     mutating func refill(from other: borrowing Self) {
///       levels.replaceSubrange(levels.indices, with: other.levels)
///     }
public protocol RefillableFrame: Equatable {
  /// Becomes equal to `other`.
  mutating func refill(from other: borrowing Self)
}

extension RefillableFrame {
  @inlinable @inline(__always)
  static func refill(_ next: UnsafeMutableRawPointer, from current: UnsafeMutableRawPointer) {
    FrameRing.borrow(current.assumingMemoryBound(to: Self.self)) {
      next.assumingMemoryBound(to: Self.self).pointee.refill(from: $0)
    }
  }
}

/// A fixed ring of frames: the current one, those before it, and room for the next.
///
/// Only the cycle and its lenses use it.
public struct FrameRing<Frame: Equatable> {
  @usableFromInline let slots: UnsafeMutablePointer<Frame>
  @usableFromInline let mask: Int
  /// The end of the slots: the address after the last one.
  @usableFromInline let end: UnsafeMutablePointer<Frame>
  /// The number of frames that a filter can read, the current one included.
  @usableFromInline let depth: Int
  /// The number of the current frame, from 0.
  @usableFromInline var newest = 0
  /// The number of the first known frame: 0, or the number passed to ``begin(with:number:)``.
  @usableFromInline var oldest = 0
  /// The slot of the current frame, and that of the next one.
  @usableFromInline var currentSlot: UnsafeMutablePointer<Frame>
  @usableFromInline var nextSlot: UnsafeMutablePointer<Frame>

  @usableFromInline
  init(seed: Frame, depth: Int) {
    var size = 2
    while size < depth + 1 { size <<= 1 }
    mask = size - 1
    self.depth = depth
    slots = .allocate(capacity: size)
    slots.initialize(repeating: seed, count: size)
    end = slots + size
    currentSlot = slots
    nextSlot = slots + 1
  }

  @usableFromInline
  func deallocate() {
    slots.deinitialize(count: mask + 1)
    slots.deallocate()
  }

  /// Whether the frame is a ``RefillableFrame``: reading it with `borrow` then avoids copies. Lenses read this when
  /// they are made, not at each event.
  @inlinable
  static var isRefilled: Bool { Frame.self is any RefillableFrame.Type }

  @inlinable
  var current: UnsafePointer<Frame> { UnsafePointer(currentSlot) }

  /// The frame before the current one; an arbitrary frame if there is none.
  @inlinable
  var previous: UnsafePointer<Frame> { UnsafePointer(slots + ((newest &- 1) & mask)) }

  @inlinable
  func past(at moment: Moment) -> Past<Frame> {
    let before = newest &- oldest
    return Past(slots: slots, newest: newest, mask: mask, count: before < depth ? before &+ 1 : depth, moment: moment)
  }

  /// Makes the next frame out of the current one. Returns false, and keeps the current frame, if both are equal.
  @inlinable
  mutating func advance(_ filter: (inout Frame) -> Void) -> Bool {
    let (current, next) = (currentSlot, nextSlot)
    next.pointee = current.pointee
    filter(&next.pointee)
    guard next.pointee != current.pointee else { return false }
    moveOn()
    return true
  }

  /// Does the same as ``advance(_:)``, for a ``RefillableFrame``.
  @inlinable
  mutating func advanceInStorage(_ filter: (inout Frame) -> Void) -> Bool {
    let (current, next) = (currentSlot, nextSlot)
    Self.refill(next, from: current)
    filter(&next.pointee)
    guard Self.borrow(current, { current in Self.borrow(next) { $0 != current } }) else { return false }
    moveOn()
    return true
  }

  /// Makes a frame the current one, and sets its number. The frames before it are unknown: the history consists of this
  /// frame only.
  mutating func begin(with frame: Frame, number: Int) {
    for slot in 0...mask { slots[slot] = frame }
    (newest, oldest) = (number, number)
    currentSlot = slots + (number & mask)
    nextSlot = slots + ((number &+ 1) & mask)
  }

  @inlinable @inline(__always)
  mutating func moveOn() {
    newest &+= 1
    currentSlot = nextSlot
    let next = nextSlot + 1
    nextSlot = next == end ? slots : next
  }

  @inlinable @inline(__always)
  static func refill(_ next: UnsafeMutablePointer<Frame>, from current: UnsafeMutablePointer<Frame>) {
    // A direct call where the application is compiled: there the compiler knows the type of the frame.
    guard let type = Frame.self as? any RefillableFrame.Type else {
      next.pointee = current.pointee
      return
    }
    type.refill(UnsafeMutableRawPointer(next), from: UnsafeMutableRawPointer(current))
  }

  /// Moves a frame out of its slot while `body` reads it. If it were read in place, the compiler would copy it, because
  /// it can't know that the slot is not written: a retain and a release for each array in it.
  @inlinable @inline(__always)
  static func borrow<Result>(_ slot: UnsafeMutablePointer<Frame>, _ body: (borrowing Frame) -> Result) -> Result {
    let frame = slot.move()
    let result = body(frame)
    slot.initialize(to: consume frame)
    return result
  }
}
