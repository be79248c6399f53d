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

  /// Advances by at most ``rest`` sample frames.
  mutating func advance(by count: Int) {
    guard rest > 0 else { return }
    rest &-= count
    value = rest <= 0 ? target : origin + (target - origin) * (Float(length &- rest) / Float(length))
  }
}

/// The factor of a voice that fades in or out.
///
/// A fade that is shorter than 50 ms is a straight line. A longer one follows a sine when it rises and a cosine when it
/// falls, so that two sounds that fade into each other keep their power together. It consists of straight pieces of
/// ``pieceLength`` sample frames.
struct Fade: BitwiseCopyable {
  /// The number of sample frames in a straight piece of a curve.
  static let pieceLength = 64

  private(set) var value: Float = 1
  private var origin: Float = 1
  private var target: Float = 1
  private var length = 0
  private var position = 0
  private var isCurved = false

  /// Fades from a factor to another one.
  mutating func begin(from origin: Float, to target: Float, over length: Int, isCurved: Bool) {
    (self.origin, self.target) = (origin, target)
    (self.length, position) = (max(0, length), 0)
    self.isCurved = isCurved
    value = length > 0 ? origin : target
  }

  /// Whether the value still moves.
  var isMoving: Bool { position < length }

  /// The number of sample frames up to the next place at which the line bends; 0 if the value doesn't move.
  var straight: Int {
    let rest = length &- position
    return isCurved ? min(rest, Self.pieceLength &- position % Self.pieceLength) : rest
  }

  /// Advances by at most ``straight`` sample frames.
  mutating func advance(by count: Int) {
    guard isMoving else { return }
    position &+= count
    value = position >= length ? target : level(at: position)
  }

  private func level(at position: Int) -> Float {
    guard isCurved else { return origin + (target - origin) * (Float(position) / Float(length)) }
    let first = position / Self.pieceLength &* Self.pieceLength
    let start = curve(at: first)
    guard position > first else { return start }
    let last = min(length, first &+ Self.pieceLength)
    return start + (curve(at: last) - start) * (Float(position &- first) / Float(last &- first))
  }

  private func curve(at position: Int) -> Float {
    let angle = Float.pi / 2 * (Float(position) / Float(length))
    return target > origin ? origin + (target - origin) * sinf(angle) : target + (origin - target) * cosf(angle)
  }
}
