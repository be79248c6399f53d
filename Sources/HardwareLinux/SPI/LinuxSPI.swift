internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// An SPI bus of a real board: the kernel's `/dev/spidev0.0` (`Documentation/spi/spidev`).
///
///     let bus = LinuxSPI(number: 0)      // the header of a Raspberry Pi: MOSI on pin 19, SCLK on pin 23
///
/// No file is open while no device is. The kernel lets several programs open one device, and mixes their settings. So
/// an open device is locked with `flock`: a second program of this kind gets the error `busy`.
public final class LinuxSPI: SPIBus, Sendable {
  private let number: Int
  private let deviceFolder: String
  private let system: any SPISystem

  /// Doesn't open the bus.
  ///
  /// - Parameter number: the number of the bus: 0 for `/dev/spidev0.0` and `/dev/spidev0.1`.
  /// - Parameter deviceFolder: the folder of the devices' nodes.
  public convenience init(number: Int, deviceFolder: String = "/dev") {
    self.init(number: number, deviceFolder: deviceFolder, system: LinuxSPISystem())
  }

  init(number: Int, deviceFolder: String = "/dev", system: any SPISystem) {
    self.number = number
    self.deviceFolder = deviceFolder
    self.system = system
  }

  public var needsThread: Bool { true }
  public var name: String { SPIBusPort(number: number).subject }

  /// Opens the device's node, locks it, and sets the mode and the frequency. Calls `open`, `flock` and `ioctl`.
  public func open(_ chipSelect: Int, _ settings: SPISettings) throws(DriverError) -> any SPIConnection {
    let fault = SPIErrorFactory(bus: number, chipSelect: chipSelect)
    let descriptor: Int32
    do throws(SystemFailure) {
      descriptor = try system.open("\(deviceFolder)/\(fault.subject)")
    } catch {
      throw error.error(opening: fault)
    }
    do throws(DriverError) {
      try claim(descriptor, settings, fault)
    } catch {
      system.close(descriptor)
      throw error
    }
    return LinuxSPIConnection(
      descriptor, settings, byteLimit: system.bufferSize() ?? SPIDevice.usualByteLimit, fault, system)
  }

  private func claim(_ descriptor: Int32, _ settings: SPISettings, _ fault: SPIErrorFactory) throws(DriverError) {
    do throws(SystemFailure) {
      try system.lock(descriptor)
    } catch {
      throw error.number == EWOULDBLOCK ? fault.busy(cause: error.cause) : error.error(opening: fault)
    }
    do throws(SystemFailure) {
      try system.configure(
        descriptor, mode: settings.modeBits, bitsPerWord: 8, hertz: UInt32(settings.hertz))
    } catch {
      throw error.number == EINVAL ? fault.unsupported(settings, cause: error.cause) : error.error(opening: fault)
    }
  }

  /// Wakes the watcher whenever a device appears, goes or changes its permissions in the device folder. Calls
  /// `inotify_add_watch`.
  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try FolderWatch(deviceFolder, for: "an SPI bus", watcher)
  }
}

extension SPISettings {
  /// The bits of `SPI_IOC_WR_MODE32`.
  var modeBits: UInt32 {
    var bits: UInt32 = 0
    if mode & 1 != 0 { bits |= clinux_spi_cpha }
    if mode & 2 != 0 { bits |= clinux_spi_cpol }
    if isSelectActiveHigh { bits |= clinux_spi_cs_high }
    if isLeastSignificantFirst { bits |= clinux_spi_lsb_first }
    if isThreeWire { bits |= clinux_spi_3wire }
    return bits
  }
}

/// A device's node, `/dev/spidev0.0`, that is open and locked.
private final class LinuxSPIConnection: SPIConnection {
  let byteLimit: Int
  private let settings: SPISettings
  private let fault: SPIErrorFactory
  private let system: any SPISystem
  private var descriptor: Int32

  init(
    _ descriptor: Int32, _ settings: SPISettings, byteLimit: Int, _ fault: SPIErrorFactory, _ system: any SPISystem
  ) {
    self.descriptor = descriptor
    self.settings = settings
    self.byteLimit = byteLimit
    self.fault = fault
    self.system = system
  }

  deinit {
    close()
  }

  func close() {
    if descriptor >= 0 { system.close(descriptor) }
    descriptor = -1
  }

  /// Calls `ioctl` with `SPI_IOC_MESSAGE`.
  func transfer(_ messages: [SPIMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    precondition(descriptor >= 0, "a connection that has been closed is not used any more")
    try fault.check(messages, byteLimit: byteLimit, settings)
    do throws(SystemFailure) {
      return try perform(messages)
    } catch {
      switch error.number {
      case ESHUTDOWN, ENODEV: throw fault.lost(cause: error.cause)
      case EINVAL, EOPNOTSUPP: throw fault.unsupportedTransfer(cause: error.cause)
      case EMSGSIZE: throw fault.tooLong(cause: error.cause)
      default: throw fault.failed(error.reason, cause: error.cause)
      }
    }
  }

  private func perform(_ messages: [SPIMessage]) throws(SystemFailure) -> [UInt8] {
    // The bytes of all messages are in one buffer for sending and in one for receiving; the messages point into them.
    let size = messages.reduce(0) { $0 + $1.count }
    let sent = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
    let received = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
    let parts = UnsafeMutableBufferPointer<spi_ioc_transfer>.allocate(capacity: messages.count)
    defer {
      sent.deallocate()
      received.deallocate()
      parts.deallocate()
    }
    sent.initialize(repeating: 0)
    received.initialize(repeating: 0)
    var place = 0
    var count = 0
    for message in messages {
      switch message {
      case .pause(let pause): parts[count - 1].delay_usecs = UInt16((pause.wholeNanoseconds + 999) / 1_000)
      case .reselect: parts[count - 1].cs_change = 1
      case .exchange, .write, .read:
        var part = spi_ioc_transfer()
        part.len = UInt32(message.count)
        switch message {
        case .exchange(let bytes), .write(let bytes):
          _ = UnsafeMutableBufferPointer(rebasing: sent[place...]).update(fromContentsOf: bytes)
          part.tx_buf = Self.address(sent.baseAddress!, place)
        case .read, .pause, .reselect: break
        }
        if message.readCount > 0 { part.rx_buf = Self.address(received.baseAddress!, place) }
        parts.initializeElement(at: count, to: part)
        place += message.count
        count += 1
      }
    }
    try system.transfer(descriptor, UnsafeMutableBufferPointer(rebasing: parts[..<count]))
    var result: [UInt8] = []
    place = 0
    for message in messages {
      result += received[place..<place + message.readCount]
      place += message.count
    }
    return result
  }

  private static func address(_ base: UnsafeMutablePointer<UInt8>, _ place: Int) -> UInt64 {
    UInt64(UInt(bitPattern: base + place))
  }
}
