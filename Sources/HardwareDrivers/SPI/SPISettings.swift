/// How a device on an SPI bus wants to be clocked and selected. Words have 8 bits.
public struct SPISettings: Hashable, Sendable {
  /// The mode, 0 to 3, as in data sheets: 2 × CPOL + CPHA.
  public var mode: Int
  /// The maximum frequency of the clock in hertz, at least 1. The controller uses the next lower one that it can make.
  public var hertz: Int
  /// Whether the least significant bit of each byte is sent first.
  public var isLeastSignificantFirst: Bool
  /// Whether a high level selects the device.
  public var isSelectActiveHigh: Bool
  /// Whether one line carries the data in both directions.
  public var isThreeWire: Bool

  public init(
    hertz: Int, mode: Int = 0, isLeastSignificantFirst: Bool = false, isSelectActiveHigh: Bool = false,
    isThreeWire: Bool = false
  ) {
    precondition((0...3).contains(mode), "an SPI mode is 0 to 3")
    precondition((1...Int(UInt32.max)).contains(hertz), "a clock frequency is 1 Hz at least")
    self.mode = mode
    self.hertz = hertz
    self.isLeastSignificantFirst = isLeastSignificantFirst
    self.isSelectActiveHigh = isSelectActiveHigh
    self.isThreeWire = isThreeWire
  }
}
