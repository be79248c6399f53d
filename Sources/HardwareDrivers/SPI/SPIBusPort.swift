/// An SPI bus: `LinuxSPI`, or `SimulatedSPIBus`.
public struct SPIBusPort: Port {
  public typealias Hardware = any SPIBus
  public static let name = "spi"
  public static let help = "Use the SPI bus of this machine, or a simulated one."
  public static let deviceNodes: DeviceNodes? = DeviceNodes("spidev", driver: "char-spi", group: "spi")

  /// The number of the bus: 0 for `/dev/spidev0.0` and `/dev/spidev0.1`.
  public var number: Int

  /// - Parameter number: the number of the bus; default: bus 0, which is on the header of a Raspberry Pi (MOSI on pin
  ///   19, MISO on pin 21, SCLK on pin 23, the chip selects on pins 24 and 26).
  public init(number: Int = 0) {
    self.number = number
  }

  /// The name of the bus in messages: `spi0`.
  public var subject: String { "spi\(number)" }
}
