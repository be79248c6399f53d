import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("What the I2C bus and its drivers promise", .serialized)
struct I2CConformanceTests {
  @Test("in the simulation", arguments: I2CCase.all.wanted(at: SimulatedI2CStand.place))
  func simulated(_ i2cCase: I2CCase) {
    i2cCase.run(
      at: SimulatedI2CStand.place, on: { SimulatedI2CStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }

  @Test(
    "on the kernel", .enabled(if: KernelI2CStand.isThere), arguments: I2CCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ i2cCase: I2CCase) {
    i2cCase.run(at: KernelLineStand.place, on: { try KernelI2CStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }
}

@Suite("What the driver of 1-wire thermometers promises", .serialized)
struct OneWireConformanceTests {
  @Test("in the simulation", arguments: OneWireCase.all.wanted(at: SimulatedOneWireStand.place))
  func simulated(_ oneWireCase: OneWireCase) {
    oneWireCase.run(
      at: SimulatedOneWireStand.place, on: { SimulatedOneWireStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }

  @Test(
    "on the kernel", .enabled(if: KernelOneWireStand.isThere),
    arguments: OneWireCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ oneWireCase: OneWireCase) {
    oneWireCase.run(
      at: KernelLineStand.place, on: { try KernelOneWireStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }
}
