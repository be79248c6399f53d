import CycleCore

/// The chips of LED strips, and the bytes that they take on an SPI bus.
public enum LEDStripChip: String, CaseIterable, Sendable {
  /// One data line, whose bits differ by the length of their pulse. Each bit is made of four bits on the bus at 3.2
  /// MHz: 1000 for a 0, and 1100 for a 1.
  case ws2812, sk6812
  /// A data line and a clock.
  case apa102, sk9822

  /// Whether the pulses on the data line carry the clock, so that a strip takes the whole bus and every frame has to be
  /// one transfer.
  public var isTimed: Bool { self == .ws2812 || self == .sk6812 }

  /// The clock frequency that the strip is used with.
  var hertz: Int { isTimed ? 3_200_000 : 1_000_000 }

  /// The order of the colours in most strips with this chip.
  public var usualOrder: String { isTimed ? "grb" : "bgr" }

  /// The number of bytes in a frame.
  ///
  /// - Parameters:
  ///   - count: the number of pixels.
  ///   - channels: the number of LEDs in a pixel: 3, or 4 with white.
  public func byteCount(_ count: Int, channels: Int = 3) -> Int {
    isTimed ? 1 + count * channels * 4 + Self.resetBytes : 4 + count * 4 + Self.endBytes(count)
  }

  /// The maximum number of pixels whose frame fits in one transfer.
  ///
  /// - Parameters:
  ///   - byteLimit: the number of bytes in a transfer.
  ///   - channels: the number of LEDs in a pixel: 3, or 4 with white.
  public func pixelLimit(byteLimit: Int = SPIDevice.usualByteLimit, channels: Int = 3) -> Int {
    var count = byteLimit / (isTimed ? channels * 4 : 4)
    while count > 0, byteCount(count, channels: channels) > byteLimit { count -= 1 }
    return count
  }

  /// 300 µs at 3.2 MHz: a WS2812B-V5 shows what it has received after 280 µs.
  private static let resetBytes = 120
  /// An SK9822 shows a frame after 32 zeros, and each pixel delays the data by half a clock cycle.
  private static func endBytes(_ count: Int) -> Int { 4 + (count + 15) / 16 }

  /// The bytes of a frame.
  ///
  /// - Parameters:
  ///   - pixels: the colours.
  ///   - order: the numbers of the channels in the order of the strip: `[1, 0, 2]` for green, red, blue.
  func frame(_ pixels: [Colour], order: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount(pixels.count, channels: order.count))
    if isTimed {
      // Some controllers leave the data line high until the first bit, which would make a pulse of that bit longer.
      bytes.append(0)
      for pixel in pixels {
        for channel in order { Self.append(Self.byte(pixel[channel]), to: &bytes) }
      }
      bytes += repeatElement(0, count: Self.resetBytes)
    } else {
      bytes += [0, 0, 0, 0]
      for pixel in pixels {
        bytes.append(0xFF)
        for channel in order { bytes.append(Self.byte(pixel[channel])) }
      }
      bytes += repeatElement(0, count: Self.endBytes(pixels.count))
    }
    return bytes
  }

  static func byte(_ share: Double) -> UInt8 { UInt8((share * 255).rounded()) }

  /// Appends the four bytes of a byte, two bits in each.
  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    for place in stride(from: UInt8(6), through: 0, by: -2) {
      let two = byte >> place & 3
      bytes.append((two & 2 == 0 ? 0x80 : 0xC0) | (two & 1 == 0 ? 0x08 : 0x0C))
    }
  }
}
