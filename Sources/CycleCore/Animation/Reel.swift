/// Frames to be shown one after the other: an animation as a value.
///
///     var reel = Reel(0)
///     reel.append { path(from: $0, to: 3) }                          // 0 1 2 3
///     reel.tick()                                                    // 1 2 3
///     reel.intercept { path(from: $0, to: 0) }                       // 1 0
///
/// Only the ``head`` is shown. A reel is never empty; a tick leaves a lone frame where it is. Keep it in the application's
/// frame, and have a ``Timer`` show its ``deadlines(every:as:)``: it is armed while there is something to play, and not
/// otherwise. A tick costs the same however long the reel is.
public struct Reel<Element> {
  /// What has been shown already stays in front until something else is put behind: moving all up at each tick would cost as
  /// much as there is.
  private var elements: [Element]
  private var start = 0
  /// How often it has ticked.
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

  /// The frame that is shown.
  public var head: Element { elements[start] }

  /// The frame that is shown when all have been.
  public var last: Element { elements[elements.count - 1] }

  /// The frames after the head.
  public var tail: ArraySlice<Element> { elements[(start + 1)...] }

  /// The frames from the head on.
  public var frames: ArraySlice<Element> { elements[start...] }

  /// Whether a tick would change what is shown.
  public var isPlaying: Bool { !isSuspended && elements.count - start > 1 }

  /// Goes on to the next frame. A lone frame stays; a suspended reel does, too.
  public mutating func tick() {
    guard isPlaying else { return }
    start += 1
    tickCount += 1
  }

  /// Puts frames behind the last one.
  ///
  /// - Parameter path: the frames that follow, of the last one.
  public mutating func append(_ path: (Element) -> [Element]) {
    let more = path(last)
    elements.removeFirst(start)
    start = 0
    elements += more
  }

  /// Puts frames in place of those behind the head.
  ///
  /// - Parameter path: the frames that follow, of the head.
  public mutating func intercept(_ path: (Element) -> [Element]) {
    elements = [head] + path(head)
    start = 0
  }

  /// Stays where it is: keeps the head, and nothing behind it.
  public mutating func cancel() {
    elements = [head]
    start = 0
  }

  /// Jumps to the end: keeps the last frame alone.
  public mutating func finish() {
    elements = [last]
    start = 0
  }

  /// Ignores ticks until it is resumed.
  public mutating func suspend() { isSuspended = true }

  /// Goes on where it was suspended.
  public mutating func resume() { isSuspended = false }

  /// The deadline of the next tick; none while nothing plays.
  public func deadlines<ID>(every interval: Duration, as id: ID) -> [Timer<ID>.Deadline] {
    isPlaying ? [.after(interval, id, restart: tickCount)] : []
  }
}

extension Reel: Equatable where Element: Equatable {
  /// Whether both show the same from here on.
  public static func == (one: Reel, other: Reel) -> Bool {
    one.isSuspended == other.isSuspended && one.tickCount == other.tickCount && one.frames == other.frames
  }
}

extension Reel: Sendable where Element: Sendable {}

/// The numbers from one to another in steps of one, without the first: where the way of an animation goes.
public func path(from start: Int, to end: Int) -> [Int] {
  start <= end ? Array((start...end).dropFirst()) : (end..<start).reversed()
}
