internal import CLinux
import CycleCore
import Glibc
import HardwareDrivers

/// A bus's node, `/dev/i2c-1`, that is open and set to the address of one device.
final class LinuxI2CConnection: I2CConnection {
  private let address: I2CAddress
  private let path: String
  private let functions: UInt
  private let fault: I2CErrorFactory
  private let system: any I2CSystem
  private var descriptor: Int32

  init(
    _ descriptor: Int32, to address: I2CAddress, path: String, functions: UInt, fault: I2CErrorFactory,
    system: any I2CSystem
  ) {
    self.descriptor = descriptor
    self.address = address
    self.path = path
    self.functions = functions
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

  /// Calls `ioctl` with `I2C_RDWR`, or with `I2C_SMBUS` if the adapter supports only that.
  func transfer(_ messages: [I2CMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    precondition(descriptor >= 0, "a connection that has been closed is not used any more")
    try fault.check(messages)
    do throws(SystemFailure) {
      if functions & UInt(I2C_FUNC_I2C) != 0 { return try transferPlainly(messages) }
      if let transfer = SMBusTransfer.expressing(messages, functions: functions) { return try perform(transfer) }
    } catch {
      throw explain(error, messages)
    }
    throw fault.unsupported(messages, "the adapter speaks SMBus only, and that has no such transfer")
  }

  private func transferPlainly(_ messages: [I2CMessage]) throws(SystemFailure) -> [UInt8] {
    // All bytes in one piece of memory: the messages point into it.
    let size = messages.reduce(0) { $0 + $1.count }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, size))
    let parts = UnsafeMutableBufferPointer<i2c_msg>.allocate(capacity: messages.count)
    defer {
      bytes.deallocate()
      parts.deallocate()
    }
    bytes.initialize(repeating: 0)
    var place = 0
    for (index, message) in messages.enumerated() {
      var flags: UInt16 = 0
      switch message {
      case .write(let data): _ = UnsafeMutableBufferPointer(rebasing: bytes[place...]).update(fromContentsOf: data)
      case .read: flags = UInt16(I2C_M_RD)
      }
      parts.initializeElement(
        at: index,
        to: i2c_msg(
          addr: UInt16(address.rawValue), flags: flags, len: UInt16(message.count), buf: bytes.baseAddress! + place))
      place += message.count
    }
    let done = try system.transfer(descriptor, parts)
    guard done == messages.count else { throw SystemFailure(function: "ioctl I2C_RDWR", number: EIO) }
    var result: [UInt8] = []
    place = 0
    for message in messages {
      if case .read(let count) = message { result += bytes[place..<place + count] }
      place += message.count
    }
    return result
  }

  private func perform(_ transfer: SMBusTransfer) throws(SystemFailure) -> [UInt8] {
    var data = i2c_smbus_data()
    switch transfer {
    case .quick:
      try call(false, 0, I2C_SMBUS_QUICK, &data)
    case .receiveByte:
      try call(true, 0, I2C_SMBUS_BYTE, &data)
      return [data.byte]
    case .sendByte(let byte):
      try call(false, byte, I2C_SMBUS_BYTE, &data)
    case .readByte(let command):
      try call(true, command, I2C_SMBUS_BYTE_DATA, &data)
      return [data.byte]
    case .writeByte(let command, let byte):
      data.byte = byte
      try call(false, command, I2C_SMBUS_BYTE_DATA, &data)
    case .readWord(let command):
      try call(true, command, I2C_SMBUS_WORD_DATA, &data)
      return [UInt8(truncatingIfNeeded: data.word), UInt8(truncatingIfNeeded: data.word >> 8)]
    case .writeWord(let command, let low, let high):
      data.word = UInt16(low) | UInt16(high) << 8
      try call(false, command, I2C_SMBUS_WORD_DATA, &data)
    case .readBlock(let command, let count):
      // The first byte of a block is its length.
      withUnsafeMutableBytes(of: &data.block) { $0[0] = UInt8(count) }
      try call(true, command, I2C_SMBUS_I2C_BLOCK_DATA, &data)
      let bytes = withUnsafeBytes(of: &data.block) { Array($0.dropFirst().prefix(Int($0[0]))) }
      guard bytes.count == count else { throw SystemFailure(function: "ioctl I2C_SMBUS", number: EIO) }
      return bytes
    case .writeBlock(let command, let bytes):
      withUnsafeMutableBytes(of: &data.block) { block in
        block[0] = UInt8(bytes.count)
        for (index, byte) in bytes.enumerated() { block[1 + index] = byte }
      }
      try call(false, command, I2C_SMBUS_I2C_BLOCK_DATA, &data)
    }
    return []
  }

  private func call(_ reads: Bool, _ command: UInt8, _ size: Int32, _ data: inout i2c_smbus_data) throws(SystemFailure)
  {
    try system.transfer(descriptor, reads: reads, command: command, size: size, &data)
  }

  /// Maps the errno by the kernel's `i2c/fault-codes`. A missing acknowledge is ENXIO or EREMOTEIO (ENODEV of
  /// i2c-stub). An adapter that was pulled out may return any of them, so this first checks whether its node is gone.
  private func explain(_ failure: SystemFailure, _ messages: [I2CMessage]) -> DriverError {
    if !system.exists(path) || failure.number == ESHUTDOWN { return fault.lost(messages, cause: failure.cause) }
    switch failure.number {
    case ENXIO, EREMOTEIO, ENODEV: return fault.noAnswer(messages, cause: failure.cause)
    case ETIMEDOUT: return fault.timedOut(messages, cause: failure.cause)
    case EAGAIN: return fault.arbitrationLost(messages, cause: failure.cause)
    case EBUSY: return fault.held(messages, cause: failure.cause)
    case EOPNOTSUPP, ENOSYS, ENOTTY, EINVAL: return fault.unsupported(messages, cause: failure.cause)
    default: return fault.failed(messages, failure.reason, cause: failure.cause)
    }
  }
}
