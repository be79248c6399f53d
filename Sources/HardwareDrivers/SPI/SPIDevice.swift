import CycleCore

/// A device on an SPI bus, for the step of a ``CycleCore/Work``. The first transfer opens the bus, and the first one
/// after an error opens it again.
///
///     let converter = SPIDevice(bus, chipSelect: 0, SPISettings(hertz: 1_000_000))
///     let bytes = try converter.exchange([0x01, 0x80, 0x00], on: context.clock)
///
/// Used by one thread at a time. It doesn't retry: the work decides when to retry (``CycleCore/Recovery``).
public final class SPIDevice: SPIConnection {
  public let bus: any SPIBus
  public let chipSelect: Int
  public let settings: SPISettings
  private var connection: (any SPIConnection)?

  /// Doesn't open the bus.
  public init(_ bus: any SPIBus, chipSelect: Int, _ settings: SPISettings) {
    self.bus = bus
    self.chipSelect = chipSelect
    self.settings = settings
  }

  /// The limit of the open bus; 4 096, the kernel's default, while it isn't open.
  public var byteLimit: Int { connection?.byteLimit ?? Self.usualByteLimit }

  /// The default of the kernel's parameter `spidev.bufsiz`.
  public static let usualByteLimit = 4096

  /// Makes a transfer, see ``SPIConnection/transfer(_:on:)``, and opens the bus for it if it isn't open.
  ///
  /// - Throws: the error of the opening or of the transfer. The bus is closed then.
  public func transfer(_ messages: [SPIMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    do throws(DriverError) {
      return try open().transfer(messages, on: clock)
    } catch {
      close()
      throw error
    }
  }

  private func open() throws(DriverError) -> any SPIConnection {
    if let connection { return connection }
    let opened = try bus.open(chipSelect, settings)
    connection = opened
    return opened
  }

  /// Closes the bus. The next transfer opens it again.
  public func close() {
    connection?.close()
    connection = nil
  }
}
