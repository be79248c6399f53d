internal import CLinux
import Glibc
import HardwareDrivers

/// The system calls that the serial backend makes, as a protocol that tests implement with a simulated kernel.
protocol SerialSystem: AnyObject, Sendable {
  /// Whether the path is a character device.
  func isDevice(_ path: String) throws(SystemFailure) -> Bool
  func open(_ path: String) throws(SystemFailure) -> Int32
  func close(_ descriptor: Int32)
  /// The number of the device, which is the same for all its names; nil if unknown: `fstat`.
  func device(of descriptor: Int32) -> UInt64?
  /// Keeps other programs from the line: `flock` without waiting, and `TIOCEXCL`.
  func claim(_ descriptor: Int32) throws(SystemFailure)
  /// Sets the line to raw bytes with these settings: `TCSETS2`. Returns the speed that the hardware has chosen.
  func configure(_ descriptor: Int32, _ settings: SerialSettings) throws(SystemFailure) -> Int
  /// Drops the bytes that have arrived: `TCFLSH`.
  func flush(_ descriptor: Int32) throws(SystemFailure)
  func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemFailure) -> Int
}

/// The implementation with Linux's system calls.
final class LinuxSerialSystem: SerialSystem {
  func isDevice(_ path: String) throws(SystemFailure) -> Bool {
    var info = stat()
    guard stat(path, &info) == 0 else { throw .last("stat") }
    return info.st_mode & S_IFMT == S_IFCHR
  }

  func open(_ path: String) throws(SystemFailure) -> Int32 {
    let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { throw .last("open") }
    return descriptor
  }

  func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
  func device(of descriptor: Int32) -> UInt64? { OpenNodes.device(of: descriptor) }

  func claim(_ descriptor: Int32) throws(SystemFailure) {
    // TIOCEXCL does not keep root out.
    if flock(descriptor, LOCK_EX | LOCK_NB) < 0 { throw .last("flock") }
    _ = try check(clinux_serial_claim(descriptor), "ioctl TIOCEXCL")
  }

  func configure(_ descriptor: Int32, _ settings: SerialSettings) throws(SystemFailure) -> Int {
    let parity =
      switch settings.parity {
      case .none: UInt8(ascii: "N")
      case .even: UInt8(ascii: "E")
      case .odd: UInt8(ascii: "O")
      }
    return try check(
      clinux_serial_configure(
        descriptor, UInt32(settings.baud), Int32(settings.bits), CChar(bitPattern: parity), Int32(settings.stopBits)),
      "ioctl TCSETS2")
  }

  func flush(_ descriptor: Int32) throws(SystemFailure) {
    _ = try check(clinux_serial_flush_input(descriptor), "ioctl TCFLSH")
  }

  func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count < 0 { throw .last("read") }
    return count
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemFailure) -> Int {
    let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    if count < 0 { throw .last("write") }
    return count
  }

  private func check(_ result: Int32, _ function: String) throws(SystemFailure) -> Int {
    if result < 0 { throw SystemFailure(function: function, number: -result) }
    return Int(result)
  }
}
