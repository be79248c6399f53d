import CycleCore
import HardwareDrivers
import Testing

@Suite("What drivers of lines promise", .serialized)
struct LineConformanceTests {
  private static let generations = [SimulatedChip.Generation.first, .second]

  @Test(
    "in the simulation", arguments: LineCase.all.wanted(at: SimulatedLineStand.place, times: generations.count),
    generations)
  func simulated(_ lineCase: LineCase, _ generation: SimulatedChip.Generation) {
    lineCase.run(at: SimulatedLineStand.place, on: SimulatedLineStand(generation))
  }

  @Test("on the kernel", .enabled(if: SimulatorChip.isThere), arguments: LineCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ lineCase: LineCase) {
    lineCase.run(at: KernelLineStand.place, on: try KernelLineStand())
  }
}
