import Testing

@testable import CycleCore
@testable import HardwareDrivers

/// Whether the kernel has an adapter of this name.
private func isThere(_ adapter: String) -> Bool {
  let system = LinuxI2CSystem()
  let nodes = (try? system.entries(of: "/sys/class/i2c-dev")) ?? []
  return nodes.contains { system.line(of: "/sys/class/i2c-dev/\($0)/name") == adapter }
}

/// The kernel's `i2c-stub`, with a device at 0x50: 256 registers behind an adapter that speaks SMBus only.
private let stub = "SMBus stub driver"
/// A bus of the kernel's `i2c-gpio` on lines that nothing is connected to but pull-ups.
private let plain = "i2c"

@Suite("I2C on the kernel")
struct I2CKernelTests {
  private let clock = WorkClock(at: .zero)

  private func error(_ body: () throws(DriverError) -> Void) -> DriverError? {
    do throws(DriverError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("i2c-stub: bytes, words and blocks, an address without a device", .enabled(if: isThere(stub)))
  func smbus() throws {
    let device = try LinuxI2C(.named(stub)).open(0x50)
    try device.write([0x10, 0xA0], on: clock)
    try device.write([0x12, 0xB0, 0xB1], on: clock)
    try device.write([0x14, 0xC0, 0xC1, 0xC2], on: clock)
    #expect(try device.read(1, after: [0x10], on: clock) == [0xA0])
    #expect(try device.read(2, after: [0x12], on: clock) == [0xB0, 0xB1])
    #expect(try device.read(3, after: [0x14], on: clock) == [0xC0, 0xC1, 0xC2])
    try device.write([0x14], on: clock)
    #expect(try device.read(1, on: clock) == [0xC0])
    try device.write([], on: clock)
    #expect(error { () throws(DriverError) in _ = try device.read(2, on: clock) }?.kind == .unsupported)
    device.close()
    let nobody = try LinuxI2C(.named(stub)).open(0x51)
    let silent = error { () throws(DriverError) in try nobody.write([0x10, 1], on: clock) }
    #expect(silent?.kind == .failed)
    #expect(silent?.reason == "no device answers at 0x51")
    nobody.close()
  }

  @Test("i2c-gpio: a transaction of several messages that nobody answers", .enabled(if: isThere(plain)))
  func messages() throws {
    let device = try LinuxI2C(.named(plain)).open(0x27)
    defer { device.close() }
    for messages in [[.write([1, 2])], [.read(3)], [.write([1]), .read(2)]] as [[I2CMessage]] {
      let silent = error { () throws(DriverError) in _ = try device.transfer(messages, on: clock) }
      #expect(silent?.reason == "no device answers at 0x27", "\(silent.map { "\($0)" } ?? "somebody answers")")
    }
  }
}
