import CycleCore

/// The light of a lamp with three or four colours.
///
/// The parts are shares of full light, in steps of 1/65 535.
public struct Colour: Blendable, BitwiseCopyable {
  /// The parts: red, green, blue and white.
  public static let channelCount = 4

  private let (red16, green16, blue16, white16): (UInt16, UInt16, UInt16, UInt16)

  /// - Parameters:
  ///   - red: clamped to 0 to 1; NaN counts as 0. So are the others.
  ///   - green: the green part.
  ///   - blue: the blue part.
  ///   - white: the part of an LED of its own that is white. A lamp without one ignores it.
  public init(red: Double, green: Double, blue: Double, white: Double = 0) {
    func steps(_ share: Double) -> UInt16 { share > 0 ? UInt16((min(share, 1) * 65_535).rounded()) : 0 }
    (red16, green16, blue16, white16) = (steps(red), steps(green), steps(blue), steps(white))
  }

  /// A colour of bytes: `0xFF8000`.
  public init(hexadecimal: UInt32) {
    func byte(_ place: UInt32) -> Double { Double(hexadecimal >> (8 * place) & 0xFF) / 255 }
    self.init(red: byte(2), green: byte(1), blue: byte(0))
  }

  /// A colour of the HSV model.
  ///
  /// - Parameters:
  ///   - hue: an angle in degrees: 0 is red, 120 green, 240 blue. Any finite number.
  ///   - saturation: 0 for white to 1 for a pure colour.
  ///   - value: the brightness, 0 to 1.
  public init(hue: Double, saturation: Double, value: Double) {
    let turn = hue.isFinite ? hue.truncatingRemainder(dividingBy: 360) : 0
    let (saturation, value) = (min(1, max(0, saturation)), min(1, max(0, value)))
    func part(_ offset: Double) -> Double {
      let sector = (offset + (turn < 0 ? turn + 360 : turn) / 60).truncatingRemainder(dividingBy: 6)
      return value - value * saturation * max(0, min(sector, 4 - sector, 1))
    }
    self.init(red: part(5), green: part(3), blue: part(1))
  }

  public var red: Double { self[0] }
  public var green: Double { self[1] }
  public var blue: Double { self[2] }
  public var white: Double { self[3] }

  /// A part, 0 to 1: red, green, blue, white.
  public subscript(channel: Int) -> Double {
    let steps =
      switch channel {
      case 0: red16
      case 1: green16
      case 2: blue16
      default: white16
      }
    return Double(steps) / 65_535
  }

  public static let dark = Colour(red: 0, green: 0, blue: 0)
  /// Red, green and blue at full brightness.
  public static let full = Colour(red: 1, green: 1, blue: 1)

  /// Each part blends by itself.
  public func blended(with other: Colour, share: Double, on scale: BrightnessScale) -> Colour {
    func part(_ channel: Int) -> Double { scale.light(from: self[channel], to: other[channel], share: share) }
    return Colour(red: part(0), green: part(1), blue: part(2), white: part(3))
  }

  /// The colour at a part of its brightness.
  public func dimmed(to share: Double) -> Colour {
    Colour(red: red * share, green: green * share, blue: blue * share, white: white * share)
  }

  /// The colour as HTML writes it, without its white part: `#FF8000`.
  public var hexadecimal: String {
    let digits = Array("0123456789ABCDEF")
    return (0..<3).reduce(into: "#") { text, channel in
      let byte = Int((self[channel] * 255).rounded())
      text += "\(digits[byte / 16])\(digits[byte % 16])"
    }
  }
}

extension Colour {
  /// The 16 colours of HTML 4 and orange, by their names. Two have a second name, which is last.
  public static let names: [(name: String, colour: Colour)] = [
    ("black", 0x000000), ("silver", 0xC0C0C0), ("gray", 0x808080), ("white", 0xFFFFFF), ("maroon", 0x800000),
    ("red", 0xFF0000), ("purple", 0x800080), ("fuchsia", 0xFF00FF), ("green", 0x008000), ("lime", 0x00FF00),
    ("olive", 0x808000), ("yellow", 0xFFFF00), ("navy", 0x000080), ("blue", 0x0000FF), ("teal", 0x008080),
    ("aqua", 0x00FFFF), ("orange", 0xFFA500), ("cyan", 0x00FFFF), ("magenta", 0xFF00FF),
  ].map { ($0, Colour(hexadecimal: $1)) }

  /// The colour with a name, or of six hexadecimal digits after `#`; nil for any other text.
  public init?(_ text: String) {
    if let known = Self.names.first(where: { $0.name == text }) {
      self = known.colour
      return
    }
    guard text.hasPrefix("#"), text.utf8.count == 7, text.dropFirst().allSatisfy(\.isHexDigit),
      let number = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(hexadecimal: number)
  }

  /// The name of the colour, or its hexadecimal digits.
  public var text: String { Self.names.first { $0.colour == self }?.name ?? hexadecimal }
}

extension Colour: Codable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var parts: [Double] = []
    while !container.isAtEnd, parts.count < Self.channelCount { parts.append(try container.decode(Double.self)) }
    guard parts.count == Self.channelCount else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a colour has four parts")
    }
    self.init(red: parts[0], green: parts[1], blue: parts[2], white: parts[3])
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for channel in 0..<Self.channelCount { try container.encode(self[channel]) }
  }
}

extension Light<Colour> {
  /// White.
  public static var on: Light { .steady(.full) }
}
