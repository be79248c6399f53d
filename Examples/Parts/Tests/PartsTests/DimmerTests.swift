import CycleCore
import HardwareDrivers
import HardwareSimulation
import Parts
import Testing

@Suite("A dimmer on a bus")
struct DimmerTests {
  @Test("the lamp has the newest level, however fast the levels change, and is dark at the end")
  func levels() throws {
    let bench = Bench()
    let bus = SimulatedI2CBus(bench)
    let registers = SimulatedRegisters()
    bus.connect(registers, at: 0x30)
    let trial = DriverBench(Dimmer(bus, address: 0x30), showing: 10, on: bench)
    try trial.start()
    try bench.advance(by: .milliseconds(5))
    #expect(registers[1] == 10)
    for level in 11...200 as ClosedRange<UInt8> { try trial.show(level) }
    try bench.advance(by: .milliseconds(5))
    #expect(registers[1] == 200)
    #expect(bus.transferCount < 6)
    trial.stop()
    #expect(registers[1] == 0)
  }

  @Test("the laws of drivers")
  func laws() {
    let violations = DriverLaws.violations(
      models: [10, 200],
      setup: { (bench: Bench) -> BusLawHarness<SimulatedI2CBus> in
        let bus = SimulatedI2CBus(bench)
        let registers = SimulatedRegisters()
        bus.connect(registers, at: 0x30)
        return BusLawHarness(bus, picture: { "\(registers[1])" }, showsFromStart: false)
      },
      driver: { Dimmer($0.bus, address: 0x30) })
    #expect(violations == [])
  }
}
