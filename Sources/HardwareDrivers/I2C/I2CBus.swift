import CycleCore

/// The interface between drivers of I²C devices and a backend: opens the bus for one device.
///
/// `LinuxI2C` is the kernel's `/dev/i2c-1`, `SimulatedI2CBus` lives in memory. At 100 kHz a byte takes 90 µs and 32
/// bytes 3 ms, longer than a driver may block the cycle's thread: make transfers in the step of a ``CycleCore/Worker``,
/// with an ``I2CDevice``.
public protocol I2CBus: AnyObject {
  /// The name of the bus in messages: `i2c-1`. The default is `the I²C bus`.
  var name: String { get }

  /// Whether calls block their thread while the hardware works: true for a real bus. If false, they return immediately
  /// and advance the ``CycleCore/WorkClock`` by that time. Pass it to
  /// ``CycleCore/Worker/init(_:for:onThread:commandCapacity:reportCapacity:in:alarm:)``.
  var needsThread: Bool { get }

  /// Opens the bus for the device at the address. This makes no transfer: only the first transfer detects whether the
  /// device is there.
  ///
  /// A bus that ``needsThread`` can be opened from several threads at the same time, once for each device.
  ///
  /// - Throws: ``CycleBase/DriverError`` that names bus and address: no such bus (kind `absent`), no permission
  ///   (`notPermitted`), a device that a driver of the kernel uses (`busy`).
  func open(_ address: I2CAddress) throws(DriverError) -> any I2CConnection

  /// Wakes the watcher when a bus that was absent or lost may be back; returns nil if nothing announces that. The watch
  /// ends when the result is released. Used on the cycle's thread. The return of a device on the bus can't be watched
  /// for: retry, see ``CycleCore/Recovery``.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?
}

extension I2CBus {
  public var name: String { "the I²C bus" }
}

/// A bus that is open for one device. Used by one thread at a time, and not after ``close()``.
public protocol I2CConnection: AnyObject {
  /// Makes a transaction: all messages one after the other with a repeated start between them, a stop at the end. No
  /// other transfer takes place between them.
  ///
  /// - Parameters:
  ///   - messages: 1 to ``I2CMessage/limit`` messages. The bytes of an earlier message stay written when a later one
  ///     fails.
  ///   - clock: the worker's clock. A simulated bus advances it by the time that a real bus would take, even if it
  ///     throws.
  /// - Returns: the bytes of all read messages, one after the other.
  /// - Throws: ``CycleBase/DriverError`` that names bus and address. Kind `failed`: no device acknowledges, the device
  ///   stretches the clock for longer than the adapter waits, another master has won the bus, or a line of the bus
  ///   stays low. Kind `lost`: the bus is gone; open it again. Kind `unsupported`: the adapter can't make this
  ///   transfer. Kind `misconfigured`: too many messages or bytes.
  func transfer(_ messages: [I2CMessage], on clock: WorkClock) throws(DriverError) -> [UInt8]

  /// Closes the bus for this device. Does nothing if it is closed already.
  func close()
}

/// One message of a transaction.
public enum I2CMessage: Equatable, Sendable {
  /// Bytes for the device; an empty message only checks whether the device acknowledges, which not every adapter
  /// supports.
  case write([UInt8])
  /// The number of bytes to read from the device, at least 1.
  case read(Int)

  /// The maximum number of messages in a transaction: `I2C_RDWR_IOCTL_MAX_MSGS`.
  public static let limit = 42
  /// The maximum number of bytes in a message, as in the kernel's `i2c-dev.c`.
  public static let byteLimit = 8192

  /// The number of bytes that the message writes or reads.
  public var count: Int {
    switch self {
    case .write(let bytes): bytes.count
    case .read(let count): count
    }
  }
}

extension I2CConnection {
  /// Writes bytes in a separate transaction: see ``transfer(_:on:)``.
  public func write(_ bytes: [UInt8], on clock: WorkClock) throws(DriverError) {
    _ = try transfer([.write(bytes)], on: clock)
  }

  /// Reads `count` bytes, at least 1, in a separate transaction: see ``transfer(_:on:)``.
  public func read(_ count: Int, on clock: WorkClock) throws(DriverError) -> [UInt8] {
    try transfer([.read(count)], on: clock)
  }

  /// Writes bytes, usually a register number, and reads `count` bytes after a repeated start: see ``transfer(_:on:)``.
  public func read(_ count: Int, after bytes: [UInt8], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    try transfer([.write(bytes), .read(count)], on: clock)
  }
}
