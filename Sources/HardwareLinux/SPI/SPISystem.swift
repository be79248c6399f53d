internal import CLinux
import Glibc
import HardwareDrivers

/// The system calls that the SPI backend makes, as a protocol that tests implement with a simulated kernel. The threads
/// of several workers call it at the same time.
protocol SPISystem: AnyObject, Sendable {
  func open(_ path: String) throws(SystemFailure) -> Int32
  func close(_ descriptor: Int32)
  /// Locks an open device for this process, without waiting: `flock`.
  func lock(_ descriptor: Int32) throws(SystemFailure)
  /// Sets mode, bits per word and the maximum frequency: `SPI_IOC_WR_…`.
  func configure(_ descriptor: Int32, mode: UInt32, bitsPerWord: UInt8, hertz: UInt32) throws(SystemFailure)
  /// `SPI_IOC_MESSAGE`.
  func transfer(_ descriptor: Int32, _ messages: UnsafeMutableBufferPointer<spi_ioc_transfer>) throws(SystemFailure)
  /// The size of the buffer of the kernel's driver in bytes: `/sys/module/spidev/parameters/bufsiz`; nil if unknown.
  func bufferSize() -> Int?
}

/// The implementation with Linux's system calls.
final class LinuxSPISystem: SPISystem {
  func open(_ path: String) throws(SystemFailure) -> Int32 {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    if descriptor < 0 { throw .last("open") }
    return descriptor
  }

  func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  func lock(_ descriptor: Int32) throws(SystemFailure) {
    if flock(descriptor, LOCK_EX | LOCK_NB) < 0 { throw .last("flock") }
  }

  func configure(_ descriptor: Int32, mode: UInt32, bitsPerWord: UInt8, hertz: UInt32) throws(SystemFailure) {
    try check(clinux_spi_configure(descriptor, mode, bitsPerWord, hertz), "ioctl SPI_IOC_WR_MODE32")
  }

  func transfer(_ descriptor: Int32, _ messages: UnsafeMutableBufferPointer<spi_ioc_transfer>) throws(SystemFailure) {
    try check(
      clinux_spi_transfer(descriptor, messages.baseAddress, UInt32(messages.count)), "ioctl SPI_IOC_MESSAGE")
  }

  private func check(_ result: Int32, _ function: String) throws(SystemFailure) {
    if result < 0 { throw SystemFailure(function: function, number: -result) }
  }

  func bufferSize() -> Int? {
    (try? SmallFile.bytes(of: "/sys/module/spidev/parameters/bufsiz", atMost: 32)).flatMap {
      Int(String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
  }
}
