import CycleCore
import HardwareDrivers
import Testing

@Suite("What drivers of lines promise", .serialized)
struct LineConformanceTests {
  @Test("in the simulation", arguments: LineCase.all.filter(\.isWanted), [SimulatedChip.Generation.first, .second])
  func simulated(_ lineCase: LineCase, _ generation: SimulatedChip.Generation) throws {
    try lineCase.run(on: SimulatedLineStand(generation))
  }

  @Test("on the kernel", .enabled(if: SimulatorChip.isThere), arguments: LineCase.all.filter(\.isWanted))
  func kernel(_ lineCase: LineCase) throws {
    try lineCase.run(on: KernelLineStand())
  }
}
