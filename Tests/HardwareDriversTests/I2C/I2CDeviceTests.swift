import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("I2CDevice")
struct I2CDeviceTests {
  private let bus = SimulatedI2CBus(Bench())
  private let clock = WorkClock(at: .zero)

  @Test("the first transfer opens the bus, the others use what is open, and a closed device can be used again")
  func opening() throws {
    let registers = SimulatedRegisters()
    registers[7] = 0xAB
    bus.connect(registers, at: 0x48)
    let device = I2CDevice(bus, at: 0x48)
    #expect(bus.openCount == 0)
    for _ in 0..<3 { #expect(try device.read(1, after: [7], on: clock) == [0xAB]) }
    #expect(bus.openCount == 1)
    device.close()
    device.close()
    #expect(bus.openCount == 0)
    try device.write([7, 0x12], on: clock)
    #expect(registers[7] == 0x12)
    #expect(bus.openCount == 1)
    device.close()
    #expect(bus.openCount == 0)
  }

  @Test("after an error the bus is closed, and opened anew: an adapter that was pulled out is used when it is back")
  func errors() throws {
    bus.connect(SimulatedRegisters(), at: 0x48)
    let device = I2CDevice(bus, at: 0x48)
    func kind() -> DriverError.Kind? {
      do throws(DriverError) {
        _ = try device.read(1, on: clock)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind() == nil)
    bus.unplug()
    #expect(kind() == .lost)
    #expect(bus.openCount == 0)
    #expect(kind() == .absent)
    bus.plug()
    #expect(kind() == nil)
    #expect(bus.openCount == 1)
    device.close()
    #expect(bus.openCount == 0)
  }
}
