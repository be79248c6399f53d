import CLinux
import Glibc

@testable import HardwareDrivers
@testable import HardwareLinux

/// The kernel's SPI nodes as a test wants them. Like the kernel, it lets several programs open one node. Used by one
/// thread.
final class FakeSPISystem: SPISystem, @unchecked Sendable {
  /// The nodes below `/dev`.
  var nodes: Set<String> = ["spidev0.0", "spidev0.1"]
  /// By the name of a call: `open`, `flock`, `SPI_IOC_WR_MODE32`, `SPI_IOC_MESSAGE`.
  var failures: [String: Int32] = [:]
  /// The bytes that devices send, from the next transfer on; zeros after them.
  var answers: [UInt8] = []
  var buffer: Int? = 4096
  /// Each call, as text.
  var calls: [String] = []
  /// The path of each open descriptor.
  private(set) var open: [Int32: String] = [:]
  private var locked: Set<String> = []
  private var next: Int32 = 9

  private func call(_ name: String, _ text: String) throws(SystemFailure) {
    calls.append(text)
    if let number = failures[name] { throw SystemFailure(function: name, number: number) }
  }

  func open(_ path: String) throws(SystemFailure) -> Int32 {
    try call("open", "open \(path)")
    guard nodes.contains(String(path.dropFirst(5))) else { throw SystemFailure(function: "open", number: ENOENT) }
    next += 1
    open[next] = path
    return next
  }

  func close(_ descriptor: Int32) {
    if let path = open.removeValue(forKey: descriptor) { locked.remove(path) }
  }

  func lock(_ descriptor: Int32) throws(SystemFailure) {
    try call("flock", "lock")
    guard let path = open[descriptor] else { throw SystemFailure(function: "flock", number: EBADF) }
    guard locked.insert(path).inserted else {
      // The lock belongs to the other descriptor.
      open[descriptor] = ""
      throw SystemFailure(function: "flock", number: EWOULDBLOCK)
    }
  }

  func configure(_ descriptor: Int32, mode: UInt32, bitsPerWord: UInt8, hertz: UInt32) throws(SystemFailure) {
    try call("SPI_IOC_WR_MODE32", "mode \(mode), \(bitsPerWord) bits, \(hertz) Hz")
  }

  func transfer(_ descriptor: Int32, _ messages: UnsafeMutableBufferPointer<spi_ioc_transfer>) throws(SystemFailure) {
    var words: [String] = []
    for message in messages {
      let sent = UnsafePointer<UInt8>(bitPattern: UInt(message.tx_buf)).map {
        Array(UnsafeBufferPointer(start: $0, count: Int(message.len)))
      }
      words.append(sent.map { "\($0)" } ?? "*\(message.len)")
      if message.rx_buf != 0 { words[words.count - 1] += "?" }
      if message.delay_usecs > 0 { words.append("\(message.delay_usecs)µs") }
      if message.cs_change != 0 { words.append("reselect") }
    }
    try call("SPI_IOC_MESSAGE", words.joined(separator: " "))
    for message in messages {
      guard let received = UnsafeMutablePointer<UInt8>(bitPattern: UInt(message.rx_buf)) else { continue }
      for place in 0..<Int(message.len) { received[place] = answers.isEmpty ? 0 : answers.removeFirst() }
    }
  }

  func bufferSize() -> Int? { buffer }
}
