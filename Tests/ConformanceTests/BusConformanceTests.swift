import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("What the I2C bus and its drivers promise", .serialized)
struct I2CConformanceTests {
  @Test("in the simulation", arguments: I2CCase.all.wanted(at: SimulatedI2CStand.place))
  func simulated(_ i2cCase: I2CCase) {
    i2cCase.run(
      at: SimulatedI2CStand.place, on: { SimulatedI2CStand() },
      reason: { _, ability in ability == .drivers ? "no kernel drives simulated hardware" : nil }, end: { try $0.end() }
    )
  }

  @Test(
    "on the kernel", .enabled(if: KernelI2CStand.isThere), arguments: I2CCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ i2cCase: I2CCase) {
    i2cCase.run(at: KernelLineStand.place, on: { try KernelI2CStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }
}

@Suite("What SPI buses and their drivers promise", .serialized)
struct SPIConformanceTests {
  @Test("in the simulation", arguments: SPICase.all.wanted(at: SimulatedSPIStand.place))
  func simulated(_ spiCase: SPICase) {
    spiCase.run(
      at: SimulatedSPIStand.place, on: { SimulatedSPIStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }

  @Test(
    "on the kernel", .enabled(if: KernelSPIStand.isThere), arguments: SPICase.all.wanted(at: KernelLineStand.place))
  func kernel(_ spiCase: SPICase) {
    spiCase.run(at: KernelLineStand.place, on: { try KernelSPIStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }
}

@Suite("What serial lines and their drivers promise", .serialized)
struct SerialConformanceTests {
  @Test("in the simulation", arguments: SerialCase.all.wanted(at: SimulatedSerialStand.place))
  func simulated(_ serialCase: SerialCase) {
    serialCase.run(
      at: SimulatedSerialStand.place, on: { SimulatedSerialStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }

  @Test(
    "on a pseudo-terminal", .enabled(if: PseudoSerialStand.isThere),
    arguments: SerialCase.all.wanted(at: PseudoSerialStand.place))
  func pseudo(_ serialCase: SerialCase) {
    serialCase.run(
      at: PseudoSerialStand.place, on: { try PseudoSerialStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }

  @Test(
    "on the kernel", .enabled(if: KernelSerialStand.isThere),
    arguments: SerialCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ serialCase: SerialCase) {
    serialCase.run(
      at: KernelLineStand.place, on: { try KernelSerialStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }
}

@Suite("What PWM channels and their drivers promise", .serialized)
struct PWMConformanceTests {
  @Test("in the simulation", arguments: PWMCase.channels.wanted(at: SimulatedPWMStand.place))
  func simulated(_ pwmCase: PWMCase) {
    pwmCase.run(
      at: SimulatedPWMStand.place, on: { SimulatedPWMStand() },
      reason: { _, ability in SimulatedPWMStand.lack(ability) },
      end: { try $0.end() })
  }

  @Test(
    "on the kernel", .enabled(if: KernelPWMStand.isThere),
    arguments: PWMCase.channels.wanted(at: KernelLineStand.place))
  func kernel(_ pwmCase: PWMCase) {
    pwmCase.run(at: KernelLineStand.place, on: { try KernelPWMStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }
}

@Suite("What lamps of the kernel promise", .serialized)
struct KernelLampConformanceTests {
  @Test("in the simulation", arguments: PWMCase.lamps.wanted(at: SimulatedPWMStand.place))
  func simulated(_ lampCase: PWMCase) {
    lampCase.run(
      at: SimulatedPWMStand.place, on: { SimulatedPWMStand(lamp: KernelLampStand.name) },
      reason: { _, ability in SimulatedPWMStand.lack(ability) }, end: { try $0.end() })
  }

  @Test(
    "on the kernel", .enabled(if: KernelLampStand.isThere),
    arguments: PWMCase.lamps.wanted(at: KernelLineStand.place))
  func kernel(_ lampCase: PWMCase) {
    lampCase.run(
      at: KernelLineStand.place, on: { try KernelLampStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }
}

@Suite("What input devices and their drivers promise", .serialized)
struct KeysConformanceTests {
  @Test("in the simulation", arguments: KeysCase.all.wanted(at: SimulatedKeysStand.place))
  func simulated(_ keysCase: KeysCase) {
    keysCase.run(
      at: SimulatedKeysStand.place, on: { SimulatedKeysStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }

  @Test(
    "on the kernel", .enabled(if: KernelKeysStand.isThere), arguments: KeysCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ keysCase: KeysCase) {
    keysCase.run(
      at: KernelLineStand.place, on: { try KernelKeysStand() }, reason: { _, _ in nil }, end: { try $0.end() })
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

@Suite("What the clock and its drivers promise", .serialized)
struct ClockConformanceTests {
  @Test("in the simulation", arguments: ClockCase.all.wanted(at: SimulatedClockStand.place))
  func simulated(_ clockCase: ClockCase) {
    clockCase.run(
      at: SimulatedClockStand.place, on: { SimulatedClockStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }

  @Test(
    "on the kernel", .enabled(if: KernelClockStand.isThere), arguments: ClockCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ clockCase: ClockCase) {
    clockCase.run(
      at: KernelLineStand.place, on: { try KernelClockStand() }, reason: { _, _ in nil }, end: { try $0.end() })
  }
}
