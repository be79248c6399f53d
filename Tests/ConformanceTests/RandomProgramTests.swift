import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Random programs", .serialized)
struct RandomProgramTests {
  @Test("the same program has the same trace, however often it runs")
  func repeats() throws {
    for seed in RandomProgramCase.firstSeed..<RandomProgramCase.firstSeed + 50 {
      let program = Program(seed: seed)
      for generation in [SimulatedChip.Generation.first, .second] {
        #expect(try program.simulated(generation) == program.simulated(generation), "seed \(seed)")
      }
    }
  }

  @Test("a program shrinks to what matters")
  func shrinks() throws {
    let program = try #require(
      (1...).lazy.map { Program(seed: $0) }.first { $0.devices.count == 4 && $0.steps.contains(.unplug) })
    let shrunk = program.shrunk { $0.steps.contains(.unplug) }
    #expect(shrunk.steps == [.unplug])
    #expect(shrunk.devices.count == 1)
  }

  @Test("a chip is never plugged in twice, nor pulled out twice, whatever is left out")
  func staysValid() {
    for seed in 1...200 as ClosedRange<UInt64> {
      let program = Program(seed: seed)
      #expect(program.isValid, "seed \(seed)")
      for count in 0...2 {
        _ = program.shrunk { smaller in
          #expect(smaller.isValid, "seed \(seed), without something:\n\(smaller)")
          return smaller.steps.count > count
        }
      }
    }
  }

  @Test("a smaller program that can't be run is passed over")
  func shrinksPastErrors() {
    var program = Program(seed: 1)
    program.steps = [.restart, .unplug, .plug, .restart]
    let shrunk = program.shrunk { smaller in
      guard smaller.steps.count > 1 else { throw StandFailure("it can't be run") }
      return smaller.steps.contains(.restart)
    }
    #expect(shrunk.steps == [.restart, .unplug])
  }

  @Test(
    "on the kernel", .enabled(if: SimulatorChip.isThere),
    arguments: RandomProgramCase.all.wanted(at: KernelLineStand.place))
  func kernel(_ randomPrograms: RandomProgramCase) {
    randomPrograms.run(
      at: KernelLineStand.place, on: { try KernelLineStand() }, reason: { $0.reason(against: $1) },
      end: { try $0.end() })
  }
}
