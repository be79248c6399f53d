/// A picture of pixels that are lit or dark, such as an OLED or an e-paper shows.
///
///     var pixels = PixelBuffer(width: 128, height: 64)
///     pixels[3, 7] = true
///     pixels.fill(x: 10..<20, y: 0..<4)
///
/// A picture of 128×64 takes 1 024 bytes.
public struct PixelBuffer: Equatable, Sendable {
  /// The columns.
  public let width: Int
  /// The rows, a multiple of 8.
  public let height: Int
  /// The pixels in pages of eight rows, as most controllers have them: byte `page * width + x` has the pixels of column
  /// `x`, and its lowest bit the topmost of them.
  private(set) var bytes: [UInt8]

  /// Makes a picture whose pixels are all dark.
  ///
  /// - Parameters:
  ///   - width: the columns, 1 to 1 024.
  ///   - height: the rows, a multiple of 8 from 8 to 1 024.
  public init(width: Int, height: Int) {
    precondition((1...1_024).contains(width), "the width of a picture is 1 to 1024 pixels")
    precondition((8...1_024).contains(height) && height % 8 == 0, "the height of a picture is 8 to 1024, by eights")
    self.width = width
    self.height = height
    bytes = Array(repeating: 0, count: width * height / 8)
  }

  /// Makes a picture of its bytes.
  package init(width: Int, bytes: [UInt8]) {
    self.init(width: width, height: bytes.count / width * 8)
    self.bytes = bytes
  }

  /// Whether a pixel is lit. Pixels outside of the picture are dark, and setting them has no effect.
  public subscript(x: Int, y: Int) -> Bool {
    get { contains(x, y) && bytes[y / 8 * width + x] & 1 << UInt8(y % 8) != 0 }
    set {
      guard contains(x, y) else { return }
      let bit: UInt8 = 1 << UInt8(y % 8)
      if newValue { bytes[y / 8 * width + x] |= bit } else { bytes[y / 8 * width + x] &= ~bit }
    }
  }

  /// The picture with dark pixels lit, and lit ones dark.
  public var inverted: PixelBuffer { PixelBuffer(width: width, bytes: bytes.map { ~$0 }) }

  private func contains(_ x: Int, _ y: Int) -> Bool { (0..<width).contains(x) && (0..<height).contains(y) }

  /// Sets the pixels of a rectangle; the part outside of the picture has no effect.
  public mutating func fill(x: Range<Int>, y: Range<Int>, isLit: Bool = true) {
    for row in y.clamped(to: 0..<height) {
      for column in x.clamped(to: 0..<width) { self[column, row] = isLit }
    }
  }
}

extension PixelBuffer: CustomStringConvertible {
  /// The rows from the top, a `#` for a lit pixel and a `.` for a dark one.
  public var description: String {
    (0..<height).map { y in String((0..<width).map { self[$0, y] ? "#" : "." }) }.joined(separator: "\n")
  }
}
