import CycleCore
import HardwareDrivers
import HardwareLinux
import Testing

/// A bus whose calls may come from any thread, with one device that has 32 registers.
private final class MemoryBus: I2CBus, I2CConnection, Sendable {
  private struct Device {
    var registers = [UInt8](repeating: 0, count: 32)
    var pointer = 0
    var openCount = 0
  }

  private let device = Locked(Device())

  var needsThread: Bool { true }
  var openCount: Int { device.withLock { $0.openCount } }

  subscript(register: Int) -> UInt8 { device.withLock { $0.registers[register] } }

  func open(_ address: I2CAddress) throws(DriverError) -> any I2CConnection {
    device.withLock { $0.openCount += 1 }
    return self
  }

  func close() { device.withLock { $0.openCount -= 1 } }

  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }

  func transfer(_ messages: [I2CMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    device.withLock { device in
      var read: [UInt8] = []
      for message in messages {
        switch message {
        case .write(let bytes):
          device.pointer = Int(bytes[0])
          for byte in bytes.dropFirst() {
            device.registers[device.pointer] = byte
            device.pointer += 1
          }
        case .read(let count):
          read += device.registers[device.pointer..<device.pointer + count]
          device.pointer += count
        }
      }
      return read
    }
  }
}

@Suite("A port expander on a thread", .serialized)
struct ExpanderThreadTests {
  @Test("outputs are set from the thread, a closed contact is found, and all is dark at the end")
  func outputs() throws {
    let bus = MemoryBus()
    let expander = I2CExpander(MCP23017(), bus, address: 0x20)
    let cycle = Cycle(seed: false) {
      Lens(expander)
      Lens(
        Switch(expander, line: "GPB1"), found: { frame, position in frame = position == .on },
        on: { frame, event in frame = event == .on })
      Lens(LED(expander, line: "GPA3"), show: { $0 ? .on : .off })
    }
    let loop = try LinuxLoop()
    try cycle.start(on: loop)
    // The registers read 0: the contact is closed. Each step ends when the thread posts, or after 10 ms.
    while bus[0x14] != 0b1000 { try cycle.step(until: loop.now + .milliseconds(10)) }
    #expect(cycle.frame)
    #expect(bus[0x00] == 0b1111_0111)
    #expect(bus[0x0D] == 0b10)
    cycle.stop()
    #expect(bus[0x14] == 0)
    #expect(bus.openCount == 0)
  }

  @Test("a request from before a restart goes on, and its writes right after the start are kept")
  func restart() throws {
    let bus = MemoryBus()
    let expander = I2CExpander(MCP23017(), bus, address: 0x20)
    let first = Cycle(seed: 0) { Lens(expander) }
    let loop = try LinuxLoop()
    try first.start(on: loop)
    let kept = try expander.request(
      [
        LineConfiguration("GPA3", .output(.active, .pushPull, .disabled)),
        LineConfiguration("GPA4", .output(.inactive, .pushPull, .disabled)),
      ], consumer: "test")
    while bus[0x14] != 0b0_1000 { try first.step(until: loop.now + .milliseconds(10)) }
    first.stop()
    #expect(bus[0x14] == 0b0_1000 && bus[0x00] == 0b1110_0111)
    #expect(throws: DriverError.self) { try kept.write([], mask: .first(2)) }

    let second = Cycle(seed: 0) { Lens(expander) }
    try second.start(on: loop)
    // The write comes before the first turn.
    try kept.write(.first(2), mask: .first(2))
    while bus[0x14] != 0b1_1000 { try second.step(until: loop.now + .milliseconds(10)) }
    try kept.write([], mask: .first(2))
    while bus[0x14] != 0 { try second.step(until: loop.now + .milliseconds(10)) }
    kept.release()
    second.stop()
  }
}
