import CycleBase

/// The positions of the whole frames of a recording. With it, a reader can go to any frame without reading the
/// recording from the start.
///
///     let index = try RecordingIndex(of: recording)
///     try recording.go(to: index.place(ofFrame: 4711))
///     let report = try cycle.replay(recording, ReplayOptions(untilFrame: 4711))
public struct RecordingIndex: Sendable {
  /// A whole frame in a recording.
  public struct Position: Equatable, Sendable {
    /// The frame's number and its moment, in nanoseconds since the recording's start.
    public var frame: Int
    public var time: Int64
    /// The number of bytes of the recording before its line, and the line's number.
    fileprivate(set) var offset: Int
    fileprivate(set) var line: Int
  }

  /// The maximum number of places. If a recording has more, every second one is kept, then every fourth, and so on.
  private static let most = 4_096

  /// The places in the order of the recording; the first is its first whole frame.
  public private(set) var places: [Position] = []
  /// The number of the recording's last frame.
  public private(set) var lastFrame = 0
  private var stride = 1
  private var keyframes = 0

  /// Reads a recording to its end.
  ///
  /// - Throws: ``RecordingError`` for a recording that can't be read, or has no whole frame; any error of its source.
  public init(of recording: RecordingReader) throws {
    while let line = try recording.next() {
      if line.kind == .keyframe {
        add(Position(frame: line.number, time: line.time, offset: recording.offset, line: recording.lineNumber))
        lastFrame = line.number
      } else if line.isCause {
        lastFrame = line.frame
      }
    }
    if places.isEmpty { throw recording.error(RecordingTextFault("the recording has no whole frame")) }
  }

  private mutating func add(_ place: Position) {
    if keyframes.isMultiple(of: stride) {
      if places.count == Self.most {
        places = places.indices.filter { $0.isMultiple(of: 2) }.map { places[$0] }
        stride *= 2
      }
      if keyframes.isMultiple(of: stride) { places.append(place) }
    }
    keyframes += 1
  }

  /// Returns the last whole frame with this number or a lower one; the first of the recording if there is none.
  ///
  /// - Parameter number: the frame's number.
  public func place(ofFrame number: Int) -> Position { last { $0.frame <= number } }

  /// Returns the last whole frame at this moment or before it; the first of the recording if there is none.
  ///
  /// - Parameter span: the moment, as the time since the recording's start.
  public func place(at span: Duration) -> Position {
    let time = span.wholeNanoseconds
    return last { $0.time <= time }
  }

  private func last(where isBefore: (Position) -> Bool) -> Position {
    var (low, high) = (0, places.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isBefore(places[middle]) { low = middle } else { high = middle }
    }
    return places[low]
  }
}
