/// The remaining frames of an animation, as a value: ``tick()`` advances to the next one.
///
///     var reel = AnimationQueue(0)
///     reel.append { path(from: $0, to: 3) }                          // 0 1 2 3
///     reel.tick()                                                    // 1 2 3
///     reel.intercept { path(from: $0, to: 0) }                       // 1 0
///
/// The current frame of the animation is the ``head``. A reel is never empty: a tick keeps the last frame. Store the
/// reel in the application's frame, and make the model of a ``Timer`` with ``deadlines(every:as:)``: the timer is armed
/// only while the reel is playing. A tick takes constant time, however long the reel is.
public struct AnimationQueue<Element> {
  /// The frames before `start` have been played. They are removed only when frames are appended or replaced: removing
  /// one at each tick would move all others.
  private var elements: [Element]
  private var start = 0
  /// How many ticks have advanced the reel; ignored ticks don't count.
  public private(set) var tickCount = 0
  /// Whether ticks are ignored.
  public private(set) var isSuspended = false

  /// A reel of one frame.
  public init(_ element: Element) {
    elements = [element]
  }

  /// A reel of several frames.
  public init(_ head: Element, _ tail: [Element]) {
    elements = [head] + tail
  }

  /// The current frame of the animation.
  public var head: Element { elements[start] }

  /// The last frame of the animation.
  public var last: Element { elements[elements.count - 1] }

  /// The frames after the head.
  public var tail: ArraySlice<Element> { elements[(start + 1)...] }

  /// The frames from the head on.
  public var frames: ArraySlice<Element> { elements[start...] }

  /// Whether a tick would advance the reel: it is not suspended, and a frame follows the head.
  public var isPlaying: Bool { !isSuspended && elements.count - start > 1 }

  /// Advances to the next frame. Does nothing if only one frame is left or the reel is suspended.
  public mutating func tick() {
    guard isPlaying else { return }
    start += 1
    tickCount += 1
  }

  /// Appends frames after the last one.
  ///
  /// - Parameter path: returns the frames to append; its argument is the last frame.
  public mutating func append(_ path: (Element) -> [Element]) {
    let more = path(last)
    elements.removeFirst(start)
    start = 0
    elements += more
  }

  /// Replaces the frames after the head.
  ///
  /// - Parameter path: returns the new frames; its argument is the head.
  public mutating func intercept(_ path: (Element) -> [Element]) {
    elements = [head] + path(head)
    start = 0
  }

  /// Stops at the head: removes all frames after it.
  public mutating func cancel() {
    elements = [head]
    start = 0
  }

  /// Jumps to the end: keeps the last frame alone.
  public mutating func finish() {
    elements = [last]
    start = 0
  }

  /// Ignores ticks until ``resume()``.
  public mutating func suspend() { isSuspended = true }

  /// Lets ticks advance the reel again, from the frame where it was suspended.
  public mutating func resume() { isSuspended = false }

  /// Returns the deadline of the next tick, as the model of a ``Timer``; empty while the reel is not playing.
  public func deadlines<ID>(every interval: Duration, as id: ID) -> [Timer<ID>.Deadline] {
    isPlaying ? [.after(interval, id, restart: tickCount)] : []
  }
}

extension AnimationQueue: Equatable where Element: Equatable {
  /// Whether both have the same remaining frames, tick count and suspension.
  public static func == (one: AnimationQueue, other: AnimationQueue) -> Bool {
    one.isSuspended == other.isSuspended && one.tickCount == other.tickCount && one.frames == other.frames
  }
}

extension AnimationQueue: Sendable where Element: Sendable {}

/// Returns the integers from `start` (exclusive) to `end` (inclusive), ascending or descending: the path of an
/// animation.
public func path(from start: Int, to end: Int) -> [Int] {
  start <= end ? Array((start...end).dropFirst()) : (end..<start).reversed()
}
