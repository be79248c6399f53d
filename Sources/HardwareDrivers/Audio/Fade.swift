import Glibc

/// A factor that moves to a target in a straight line.
struct LinearRamp: BitwiseCopyable {
  private(set) var value: Float
  private var origin: Float
  private var target: Float
  private var length = 0
  /// Sample frames until the value is at its target.
  private(set) var rest = 0

  init(_ value: Float) {
    (self.value, origin, target) = (value, value, value)
  }

  /// Moves to `target` within this number of sample frames; 0 or less is there immediately.
  mutating func move(to target: Float, over length: Int) {
    (origin, self.target) = (value, target)
    (self.length, rest) = (max(0, length), max(0, length))
    if rest == 0 { value = target }
  }

  /// The value after at most ``rest`` sample frames.
  func value(after count: Int) -> Float {
    count >= rest ? target : origin + (target - origin) * (Float(length &- rest &+ count) / Float(length))
  }

  /// Advances by at most ``rest`` sample frames.
  mutating func advance(by count: Int) {
    guard rest > 0 else { return }
    value = value(after: count)
    rest &-= count
  }
}

/// The factor of a voice that fades in or out.
///
/// A fade that is shorter than 50 ms is a straight line. A longer one follows a sine when it rises and a cosine when it
/// falls, so that two sounds that fade into each other keep their power together. It consists of 128 straight pieces, or
/// of fewer with ``pieceLength`` sample frames. So a piece differs from the curve by less than 2 · 10⁻⁵ in a fade of 170 ms
/// and longer.
struct Fade: BitwiseCopyable {
  /// The least number of sample frames in a straight piece of a curve.
  static let pieceLength = 64
  /// The greatest number of pieces.
  private static let mostPieces = 128

  private(set) var value: Float = 1
  private var origin: Float = 1
  private var target: Float = 1
  private var length = 0
  private var position = 0
  private var isCurved = false
  /// The current straight piece: its sample frames, and its values.
  private var (first, last) = (0, 0)
  private var (start, end) = (Float(1), Float(1))

  /// Fades from a factor to another one.
  mutating func begin(from origin: Float, to target: Float, over length: Int, isCurved: Bool) {
    (self.origin, self.target) = (origin, target)
    (self.length, position) = (max(0, length), 0)
    self.isCurved = isCurved
    value = length > 0 ? origin : target
    (last, end) = (0, origin)
    if length > 0 { beginPiece() }
  }

  /// Begins the piece after the current one.
  private mutating func beginPiece() {
    (first, start) = (last, end)
    last = isCurved ? min(length, first &+ max(Self.pieceLength, length / Self.mostPieces)) : length
    end = last == length ? target : curve(at: last)
  }

  /// Whether the value still moves.
  var isMoving: Bool { position < length }

  /// The number of sample frames up to the next place at which the line bends; 0 if the value doesn't move.
  var straight: Int { last &- position }

  /// The value after at most ``straight`` sample frames.
  func value(after count: Int) -> Float {
    guard isMoving else { return value }
    let next = position &+ count
    return next >= last ? end : start + (end - start) * (Float(next &- first) / Float(last &- first))
  }

  /// Advances by at most ``straight`` sample frames.
  mutating func advance(by count: Int) {
    guard isMoving else { return }
    value = value(after: count)
    position &+= count
    if position >= last, position < length { beginPiece() }
  }

  private func curve(at position: Int) -> Float {
    let angle = Float.pi / 2 * (Float(position) / Float(length))
    return target > origin ? origin + (target - origin) * sinf(angle) : target + (origin - target) * cosf(angle)
  }
}
