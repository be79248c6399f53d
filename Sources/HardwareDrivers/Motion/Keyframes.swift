import CycleCore

/// A value, and the time at which it applies: the look of a lamp, the angle of a servo.
public struct Keyframe<Value: Equatable & Sendable & Codable>: Equatable, Sendable, Codable {
  /// The milliseconds from the beginning of the sequence.
  @usableFromInline let milliseconds: UInt32
  public let value: Value

  /// - Parameters:
  ///   - time: the time from the beginning of the sequence, in whole milliseconds; clamped to 0 to 49 days.
  ///   - value: the value at that time.
  public init(at time: Duration, _ value: Value) {
    milliseconds = UInt32(clamping: time.wholeNanoseconds / 1_000_000)
    self.value = value
  }

  /// The time from the beginning of the sequence.
  public var time: Duration { .milliseconds(milliseconds) }

  /// The time in nanoseconds.
  var nanoseconds: Int64 { Int64(milliseconds) * 1_000_000 }

  @inlinable
  public static func == (one: Self, other: Self) -> Bool {
    one.milliseconds == other.milliseconds && one.value == other.value
  }
}

extension Keyframe: BitwiseCopyable where Value: BitwiseCopyable {}

/// A sequence of 1 to 8 values, each at its time.
///
/// They are stored without an array: a model is copied and compared with each frame, and a reference would make this
/// dearer for all lamps.
public struct Keyframes<Value: Equatable & Sendable & Codable>: Equatable, Sendable {
  /// The maximum number of keys.
  public static var limit: Int { 8 }

  @usableFromInline let count: UInt8
  // Unused ones are equal to the first one.
  private let key0, key1, key2, key3, key4, key5, key6, key7: Keyframe<Value>

  /// - Parameter keys: 1 to ``limit`` keys, in the order of their times.
  public init(_ keys: [Keyframe<Value>]) {
    precondition((1...Self.limit).contains(keys.count), "a sequence has 1 to \(Self.limit) keys")
    precondition(
      zip(keys, keys.dropFirst()).allSatisfy { $0.milliseconds <= $1.milliseconds },
      "keys are in the order of their times")
    func key(_ place: Int) -> Keyframe<Value> { keys.indices.contains(place) ? keys[place] : keys[0] }
    count = UInt8(keys.count)
    (key0, key1, key2, key3) = (key(0), key(1), key(2), key(3))
    (key4, key5, key6, key7) = (key(4), key(5), key(6), key(7))
  }

  /// The keys, in the order of their times.
  public var list: [Keyframe<Value>] { Array([key0, key1, key2, key3, key4, key5, key6, key7].prefix(Int(count))) }

  subscript(place: Int) -> Keyframe<Value> {
    switch place {
    case 0: key0
    case 1: key1
    case 2: key2
    case 3: key3
    case 4: key4
    case 5: key5
    case 6: key6
    default: key7
    }
  }

  var last: Keyframe<Value> { self[Int(count) - 1] }
}

extension Keyframes: BitwiseCopyable where Value: BitwiseCopyable {}

extension Keyframes: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let keys = try container.decode([Keyframe<Value>].self)
    guard (1...Self.limit).contains(keys.count),
      zip(keys, keys.dropFirst()).allSatisfy({ $0.milliseconds <= $1.milliseconds })
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a sequence has 1 to \(Self.limit) keys in the order of their times")
    }
    self.init(keys)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(list)
  }
}
