/// An I²C bus: `LinuxI2C`, or `SimulatedI2CBus`.
public struct I2CBusPort: Port {
  public typealias Hardware = any I2CBus
  public static let name = "i2c"
  public static let help = "Use the I²C bus of this machine, or a simulated one."
  public static let deviceNodes: DeviceNodes? = DeviceNodes("i2c-", driver: "char-i2c", group: "i2c")

  /// The bus of this machine.
  public enum BusChoice: Hashable, Sendable {
    /// `/dev/i2c-1` for 1.
    case number(Int)
    /// The adapter of this name, as `i2cdetect -l` lists it: `bcm2835 (i2c@7e804000)`. Numbers of USB adapters change,
    /// names don't.
    case named(String)
  }

  /// The bus that is used when the port is real; a simulated bus has its name.
  public var choice: BusChoice

  /// - Parameter choice: the bus; default: bus 1, which is on the header of a Raspberry Pi (SDA on pin 3, SCL on pin
  ///   5).
  public init(_ choice: BusChoice = .number(1)) {
    self.choice = choice
  }
}
