import CycleCore

/// The interface between drivers of SPI devices and a backend: opens the bus for the device at one chip select.
///
/// `LinuxSPI` is the kernel's `/dev/spidev0.0`, `SimulatedSPIBus` lives in memory. At 1 MHz a byte takes 8 µs and 4 096
/// bytes 33 ms, longer than a driver may block the cycle's thread: make transfers in the step of a
/// ``CycleCore/Worker``, with an ``SPIDevice``.
public protocol SPIBus: AnyObject {
  /// The name of the bus in messages: `spi0`. The default is `the SPI bus`.
  var name: String { get }

  /// Whether calls block their thread while the hardware works: true for a real bus. If false, they return immediately
  /// and advance the ``CycleCore/WorkClock`` by that time. Pass it to
  /// ``CycleCore/Worker/init(_:for:onThread:commandCapacity:reportCapacity:in:alarm:)``.
  var needsThread: Bool { get }

  /// Opens the bus for a device. This makes no transfer. SPI has no acknowledgement, so neither this nor a transfer
  /// detects whether the device is there.
  ///
  /// A bus that ``needsThread`` can be opened from several threads at the same time, once for each chip select.
  ///
  /// - Parameters:
  ///   - chipSelect: the number of the chip select, from 0: 1 is `/dev/spidev0.1` on bus 0.
  ///   - settings: the mode and the clock frequency that the device needs.
  /// - Throws: ``CycleBase/DriverError`` that names bus and chip select: no such device node (kind `absent`), no
  ///   permission (`notPermitted`), another program uses the device (`busy`), settings that the controller doesn't
  ///   support (`unsupported`).
  func open(_ chipSelect: Int, _ settings: SPISettings) throws(DriverError) -> any SPIConnection

  /// Wakes the watcher when a bus that was absent or lost may be back; returns nil if nothing announces that. The watch
  /// ends when the result is released. Used on the cycle's thread.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?
}

extension SPIBus {
  public var name: String { "the SPI bus" }
}

/// A bus that is open for one device. Used by one thread at a time, and not after ``close()``.
public protocol SPIConnection: AnyObject {
  /// The maximum number of bytes in one transfer, those of all messages together: the buffer of the kernel's driver,
  /// usually 4 096.
  var byteLimit: Int { get }

  /// Makes a transfer: all messages one after the other while the device is selected. No other transfer takes place
  /// between them.
  ///
  /// - Parameters:
  ///   - messages: 1 to ``SPIMessage/limit`` messages, of ``byteLimit`` bytes at most together.
  ///   - clock: the worker's clock. A simulated bus advances it by the time that a real bus would take, even if it
  ///     throws.
  /// - Returns: the bytes of all messages that read, one after the other.
  /// - Throws: ``CycleBase/DriverError`` that names bus and chip select. Kind `lost`: the bus is gone; open it again.
  ///   Kind `misconfigured`: too many messages or bytes, or a pause in a wrong place. Kind `unsupported`: the controller
  ///   can't make this transfer. Kind `failed`: anything else.
  func transfer(_ messages: [SPIMessage], on clock: WorkClock) throws(DriverError) -> [UInt8]

  /// Closes the bus for this device. Does nothing if it is closed already.
  func close()
}

/// One message of a transfer.
public enum SPIMessage: Equatable, Sendable {
  /// Bytes for the device; for each of them one is read at the same time. Not with ``SPISettings/isThreeWire``.
  case exchange([UInt8])
  /// Bytes for the device; the bytes that it sends at the same time are discarded.
  case write([UInt8])
  /// The number of bytes to read from the device, at least 1; zeros are sent at the same time.
  case read(Int)
  /// A pause after the message before, at most ``longestPause``, in whole microseconds. The device stays selected.
  case pause(Duration)
  /// Ends the selection of the device after the message before, and selects it again.
  case reselect

  /// The maximum number of messages in a transfer.
  public static let limit = 64
  /// The longest pause: `delay_usecs` in the kernel's `spi_ioc_transfer` has 16 bits.
  public static let longestPause = Duration.microseconds(65_535)

  /// The number of bytes on the wire.
  public var count: Int {
    switch self {
    case .exchange(let bytes), .write(let bytes): bytes.count
    case .read(let count): count
    case .pause, .reselect: 0
    }
  }

  /// The number of bytes that the transfer returns for this message.
  public var readCount: Int {
    switch self {
    case .exchange(let bytes): bytes.count
    case .read(let count): count
    case .write, .pause, .reselect: 0
    }
  }
}

extension SPIConnection {
  /// Writes bytes in a separate transfer: see ``transfer(_:on:)``.
  public func write(_ bytes: [UInt8], on clock: WorkClock) throws(DriverError) {
    _ = try transfer([.write(bytes)], on: clock)
  }

  /// Writes bytes and returns those that were read at the same time, in a separate transfer: see ``transfer(_:on:)``.
  public func exchange(_ bytes: [UInt8], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    try transfer([.exchange(bytes)], on: clock)
  }

  /// Writes bytes, usually a register number, and reads `count` bytes after them while the device stays selected: see
  /// ``transfer(_:on:)``.
  public func read(_ count: Int, after bytes: [UInt8], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    try transfer([.write(bytes), .read(count)], on: clock)
  }
}
