import CLinux
import Glibc

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// The kernel's I²C nodes as a test wants them. Used by one thread.
final class FakeI2CSystem: I2CSystem, @unchecked Sendable {
  /// The nodes below `/dev`, each with its adapter's name.
  var nodes = ["i2c-1": "bcm2835 (i2c@7e804000)"]
  var functionBits: UInt = 0x0000_0001
  /// By the name of a call: `open`, `I2C_FUNCS`, `I2C_SLAVE`, `I2C_RDWR`, `I2C_SMBUS`.
  var failures: [String: Int32] = [:]
  var links: [String: String] = [:]
  /// What devices answer, message by message or transfer by transfer.
  var answers: [[UInt8]] = []
  /// How many messages are reported as transferred; all if nil.
  var transferred: Int?
  /// Each call, as text.
  var calls: [String] = []
  var openCount = 0

  private func call(_ name: String, _ text: String) throws(SystemFailure) {
    calls.append(text)
    if let number = failures[name] {
      throw SystemFailure(function: name == "open" ? name : "ioctl \(name)", number: number)
    }
  }

  func open(_ path: String) throws(SystemFailure) -> Int32 {
    try call("open", "open \(path)")
    guard exists(path) else { throw SystemFailure(function: "open", number: ENOENT) }
    openCount += 1
    return 9
  }

  func close(_ descriptor: Int32) {
    openCount -= 1
  }

  func functions(_ descriptor: Int32) throws(SystemFailure) -> UInt {
    try call("I2C_FUNCS", "functions")
    return functionBits
  }

  func setAddress(_ descriptor: Int32, _ address: UInt8) throws(SystemFailure) {
    try call("I2C_SLAVE", "address \(address)")
  }

  func transfer(_ descriptor: Int32, _ messages: UnsafeMutableBufferPointer<i2c_msg>) throws(SystemFailure) -> Int {
    try call(
      "I2C_RDWR",
      messages.map { message in
        let bytes = Array(UnsafeBufferPointer(start: message.buf, count: Int(message.len)))
        return "\(message.addr):\(message.flags)\(message.flags == 0 ? "\(bytes)" : "*\(bytes.count)")"
      }.joined(separator: " "))
    for message in messages where message.flags != 0 {
      for (place, byte) in answers.removeFirst().enumerated() { message.buf[place] = byte }
    }
    return transferred ?? messages.count
  }

  func transfer(
    _ descriptor: Int32, reads: Bool, command: UInt8, size: Int32, _ data: UnsafeMutablePointer<i2c_smbus_data>
  ) throws(SystemFailure) {
    let block = withUnsafeBytes(of: &data.pointee.block) { Array($0.prefix(4)) }
    try call("I2C_SMBUS", "\(reads ? "read" : "write") command \(command) size \(size) \(block)")
    guard reads else { return }
    let answer = answers.removeFirst()
    withUnsafeMutableBytes(of: &data.pointee.block) { $0.copyBytes(from: answer) }
  }

  func exists(_ path: String) -> Bool { nodes.keys.contains { "/dev/\($0)" == path } }
  func entries(of folder: String) throws(SystemFailure) -> [String] { [".", ".."] + nodes.keys }
  func line(of path: String) -> String? { nodes[String(path.split(separator: "/")[3])] }
  func target(of link: String) -> String? { links[link] }
}
