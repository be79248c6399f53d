/// The 7-bit address of a device on an I²C bus, 0x08 to 0x77, without the read/write bit, as in data sheets and
/// `i2cdetect`.
///
/// The addresses below and above are reserved by the I²C specification (UM10204, section 3.1.12).
public struct I2CAddress: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
  /// The addresses that a device can have.
  public static let range: ClosedRange<Int> = 0x08...0x77

  public let rawValue: UInt8

  /// Nil outside of ``range``.
  public init?(_ value: Int) {
    guard Self.range.contains(value) else { return nil }
    rawValue = UInt8(value)
  }

  /// A literal outside of ``range`` is a programmer's mistake: it traps.
  public init(integerLiteral value: Int) {
    precondition(Self.range.contains(value), "an I²C address is 0x08 to 0x77")
    rawValue = UInt8(value)
  }

  /// `0x27`.
  public var description: String { "0x" + rawValue.hexadecimal }

  public static func < (left: I2CAddress, right: I2CAddress) -> Bool { left.rawValue < right.rawValue }
}
