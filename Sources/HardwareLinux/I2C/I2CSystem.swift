internal import CLinux
import Glibc
import HardwareDrivers

/// The system calls that the I²C backend makes, as a protocol that tests implement with fakes. The threads of several
/// workers call it at the same time.
protocol I2CSystem: AnyObject, Sendable {
  func open(_ path: String) throws(SystemFailure) -> Int32
  func close(_ descriptor: Int32)

  /// The bits that describe the adapter's abilities: `I2C_FUNCS`.
  func functions(_ descriptor: Int32) throws(SystemFailure) -> UInt
  /// Sets the address of the device that later transfers go to: `I2C_SLAVE`.
  func setAddress(_ descriptor: Int32, _ address: UInt8) throws(SystemFailure)
  /// `I2C_RDWR`; returns the number of transferred messages.
  func transfer(_ descriptor: Int32, _ messages: UnsafeMutableBufferPointer<i2c_msg>) throws(SystemFailure) -> Int
  /// `I2C_SMBUS`.
  func transfer(
    _ descriptor: Int32, reads: Bool, command: UInt8, size: Int32, _ data: UnsafeMutablePointer<i2c_smbus_data>
  ) throws(SystemFailure)

  /// Whether the path exists.
  func exists(_ path: String) -> Bool
  /// The names of the entries of a folder, in no particular order.
  func entries(of folder: String) throws(SystemFailure) -> [String]
  /// The first line of a short file; nil if it can't be read.
  func line(of path: String) -> String?
  /// The target of a link; nil if the path is not a link.
  func target(of link: String) -> String?
}

/// The implementation with Linux's system calls.
final class LinuxI2CSystem: I2CSystem {
  func open(_ path: String) throws(SystemFailure) -> Int32 {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    if descriptor < 0 { throw .last("open") }
    return descriptor
  }

  func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  func functions(_ descriptor: Int32) throws(SystemFailure) -> UInt {
    var functions: UInt = 0
    _ = try check(clinux_i2c_functions(descriptor, &functions), "ioctl I2C_FUNCS")
    return functions
  }

  func setAddress(_ descriptor: Int32, _ address: UInt8) throws(SystemFailure) {
    _ = try check(clinux_i2c_set_address(descriptor, UInt32(address)), "ioctl I2C_SLAVE")
  }

  func transfer(_ descriptor: Int32, _ messages: UnsafeMutableBufferPointer<i2c_msg>) throws(SystemFailure) -> Int {
    try check(clinux_i2c_transfer(descriptor, messages.baseAddress, UInt32(messages.count)), "ioctl I2C_RDWR")
  }

  func transfer(
    _ descriptor: Int32, reads: Bool, command: UInt8, size: Int32, _ data: UnsafeMutablePointer<i2c_smbus_data>
  ) throws(SystemFailure) {
    _ = try check(clinux_i2c_smbus(descriptor, reads, command, UInt32(size), data), "ioctl I2C_SMBUS")
  }

  private func check(_ result: Int32, _ function: String) throws(SystemFailure) -> Int {
    if result < 0 { throw SystemFailure(function: function, number: -result) }
    return Int(result)
  }

  func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  func entries(of folder: String) throws(SystemFailure) -> [String] { try Folder.entries(of: folder) }

  func line(of path: String) -> String? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count >= 0 else { return nil }
      return String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }

  func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      let count = readlink(link, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
      return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }
}
