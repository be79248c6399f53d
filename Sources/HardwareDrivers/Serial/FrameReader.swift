/// The frames of a device that sends bytes, not text: their first bytes, their length and their checksum.
public struct SerialFrame: Hashable, Sendable {
  /// The checksum of a frame: a sum of some of its bytes, in one or two bytes of the frame.
  public struct Sum: Hashable, Sendable {
    /// The places of the bytes that are added.
    public var range: Range<Int>
    /// The place of the sum in the frame; of two bytes the higher one comes first.
    public var place: Int
    /// The number of bytes of the sum, 1 or 2.
    public var width: Int
    /// Whether the sum and the bytes give 0 together, instead of being equal.
    public var isNegated: Bool

    public init(of range: Range<Int>, at place: Int, width: Int = 1, isNegated: Bool = false) {
      precondition((1...2).contains(width), "a sum has 1 or 2 bytes")
      (self.range, self.place, self.width, self.isNegated) = (range, place, width, isNegated)
    }

    /// The sum as it must be in the frame.
    public func expected<Bytes: RandomAccessCollection<UInt8>>(in frame: Bytes) -> Int {
      var sum = 0
      for place in range { sum += Int(frame[frame.index(frame.startIndex, offsetBy: place)]) }
      if isNegated { sum = -sum }
      return sum & (width == 1 ? 0xFF : 0xFFFF)
    }

    /// Whether the frame contains the right sum.
    func isRight<Bytes: RandomAccessCollection<UInt8>>(in frame: Bytes) -> Bool {
      func byte(_ place: Int) -> Int { Int(frame[frame.index(frame.startIndex, offsetBy: place)]) }
      let there = width == 1 ? byte(place) : byte(place) << 8 | byte(place + 1)
      return there == expected(in: frame)
    }
  }

  /// The greatest length.
  public static let longest = 256

  /// The first bytes, at least one.
  public let start: [UInt8]
  /// The number of bytes, with the first ones and the sum.
  public let length: Int
  /// The checksum; nil for none.
  public let sum: Sum?

  /// Traps if the parts don't fit into the length.
  public init(start: [UInt8], length: Int, sum: Sum? = nil) {
    precondition(!start.isEmpty && start.count <= length, "a frame begins with a byte, and contains its start")
    precondition(length <= Self.longest, "a frame has at most \(Self.longest) bytes")
    if let sum {
      precondition(
        sum.range.lowerBound >= 0 && sum.range.upperBound <= length && sum.place >= 0
          && sum.place + sum.width <= length, "the sum is in the frame")
    }
    (self.start, self.length, self.sum) = (start, length, sum)
  }
}

/// Finds frames in the bytes of a device. Bytes between frames are skipped and counted. If a sum is wrong, the search
/// continues after the first byte of that frame: the start may have been a part of another one.
///
///     reader.take(bytes) { frame in … }
public struct FrameReader {
  public let frame: SerialFrame
  /// The number of bytes that belong to no frame.
  public private(set) var skippedCount = 0
  /// The number of frames with a wrong sum.
  public private(set) var wrongCount = 0
  private var held: [UInt8] = []

  public init(_ frame: SerialFrame) {
    self.frame = frame
  }

  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes in their order.
  ///   - use: called for each frame that is complete, with all its bytes.
  public mutating func take(_ bytes: UnsafeRawBufferPointer, _ use: ([UInt8]) -> Void) {
    for byte in bytes {
      held.append(byte)
      while !held.isEmpty, let skipped = problem(use) {
        skippedCount += skipped
        held.removeFirst(skipped)
      }
    }
  }

  /// The number of bytes to skip; nil if more bytes are needed. Passes on a frame that is complete.
  private mutating func problem(_ use: ([UInt8]) -> Void) -> Int? {
    guard held.prefix(frame.start.count).elementsEqual(frame.start.prefix(held.count)) else { return 1 }
    guard held.count == frame.length else { return nil }
    if let sum = frame.sum, !sum.isRight(in: held) {
      wrongCount += 1
      return 1
    }
    use(held)
    held.removeAll(keepingCapacity: true)
    return nil
  }

  /// Drops the beginning of a frame: the line was silent or closed.
  public mutating func reset() {
    skippedCount += held.count
    held.removeAll(keepingCapacity: true)
  }
}
