/// The light of a lamp as a share of its full light, 0 to 1, in steps of a billionth.
public struct Brightness: Blendable, Comparable, BitwiseCopyable {
  /// The billionths of full light: small, and exact for decimal numbers.
  @usableFromInline let billionths: UInt32

  /// - Parameter share: clamped to 0 to 1; NaN counts as 0.
  public init(_ share: Double) {
    billionths = share > 0 ? UInt32((min(share, 1) * 1e9).rounded()) : 0
  }

  /// The share of full light, 0 to 1.
  public var share: Double { Double(billionths) / 1e9 }

  public static let dark = Brightness(0)
  public static let full = Brightness(1)

  @inlinable
  public static func == (one: Brightness, other: Brightness) -> Bool { one.billionths == other.billionths }

  public static func < (one: Brightness, other: Brightness) -> Bool { one.billionths < other.billionths }

  public func blended(with other: Brightness, share: Double, on scale: BrightnessScale) -> Brightness {
    Brightness(scale.light(from: self.share, to: other.share, share: share))
  }
}

extension Brightness: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  public init(floatLiteral value: Double) { self.init(value) }
  public init(integerLiteral value: Int) { self.init(Double(value)) }
}

extension Brightness: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Double.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(share)
  }
}
