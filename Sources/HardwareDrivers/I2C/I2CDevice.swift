import CycleCore

/// A device on a bus, for the step of a ``CycleCore/Work``. The first transfer opens the bus, and the first one after
/// an error opens it again.
///
///     struct SensorWork: Work {
///       let sensor: I2CDevice                                  // I2CDevice(bus, at: 0x48)
///
///       mutating func step(in context: WorkContext<Self>) -> WorkWait {
///         do throws(DriverError) {
///           let bytes = try sensor.read(2, after: [0x00], on: context.clock)
///           …
///
///       mutating func close(in context: WorkContext<Self>) { sensor.close() }
///
/// Used by one thread at a time. It doesn't retry: the work decides when to retry (``CycleCore/Recovery``).
public final class I2CDevice: I2CConnection {
  public let bus: any I2CBus
  public let address: I2CAddress
  private var connection: (any I2CConnection)?

  /// Doesn't open the bus.
  public init(_ bus: any I2CBus, at address: I2CAddress) {
    self.bus = bus
    self.address = address
  }

  /// Does a transaction, see ``I2CConnection/transfer(_:on:)``, and opens the bus for it if it isn't open.
  ///
  /// - Throws: the error of the opening or of the transfer. The bus is closed then.
  public func transfer(_ messages: [I2CMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    do throws(DriverError) {
      return try open().transfer(messages, on: clock)
    } catch {
      close()
      throw error
    }
  }

  private func open() throws(DriverError) -> any I2CConnection {
    if let connection { return connection }
    let opened = try bus.open(address)
    connection = opened
    return opened
  }

  /// Closes the bus. The next transfer opens it again.
  public func close() {
    connection?.close()
    connection = nil
  }
}
