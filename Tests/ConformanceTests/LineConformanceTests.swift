import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("What drivers of lines promise", .serialized)
struct LineConformanceTests {

  @Test(
    "in the simulation",
    arguments: LineCase.all.wanted(at: SimulatedLineStand.place, times: SimulatedChip.Generation.allCases.count),
    SimulatedChip.Generation.allCases)
  func simulated(_ lineCase: LineCase, _ generation: SimulatedChip.Generation) {
    lineCase.run(at: SimulatedLineStand.place, on: SimulatedLineStand(generation))
  }

  @Test("on the kernel", .enabled(if: SimulatorChip.isThere), arguments: LineCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ lineCase: LineCase) {
    lineCase.run(at: KernelLineStand.place, on: try KernelLineStand())
  }
}
