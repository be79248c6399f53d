import CycleCore
import Glibc
import Testing

@testable import HardwareDrivers

@Suite("Random programs", .serialized)
struct RandomProgramTests {
  private static let count = 1000
  /// The first of the seeds: `PROGRAM_SEED=N` for others.
  private static let firstSeed = getenv("PROGRAM_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
  /// How often a program is tried on a machine that is held up while it makes a bounce.
  private static let attempts = 20
  private static let name = "\(count) random programs do on the kernel what they do in the simulation"

  private static func simulated(
    _ program: Program, _ generation: SimulatedChip.Generation
  ) throws -> [String] {
    let stand = SimulatedLineStand(generation)
    return try ProgramRun(program, on: stand, makeBench: { stand.bench }).run()
  }

  @Test("the same program has the same trace, however often it runs")
  func repeats() throws {
    for seed in Self.firstSeed..<Self.firstSeed + 50 {
      let program = Program(seed: seed)
      for generation in [SimulatedChip.Generation.first, .second] {
        #expect(try Self.simulated(program, generation) == Self.simulated(program, generation), "seed \(seed)")
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

  @Test("on the kernel", .enabled(if: SimulatorChip.isThere && Case<Void>.isWanted(name)))
  func kernel() throws {
    let generation: SimulatedChip.Generation = LibGPIOD().generation == 1 ? .first : .second
    let stand = try KernelLineStand()
    defer { try? stand.end() }
    func difference(_ program: Program) throws -> (expected: String, found: String)? {
      let expected = try Self.simulated(program, generation)
      for _ in 0..<Self.attempts {
        if try !stand.isPlugged { try stand.plug() }
        let run = try ProgramRun(program, on: stand, makeBench: { Bench(loop: try LinuxLoop()) })
        let found = try run.run(expecting: expected)
        guard let index = found.indices.first(where: { found[$0] != expected[$0] }) else { return nil }
        if !run.wasHeldUp { return (expected[index], found[index]) }
      }
      return ("a bounce", "none: the machine was held up \(Self.attempts) times, and has too much else to do")
    }
    var failures = 0
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.count) {
      let program = Program(seed: seed)
      guard try difference(program) != nil else { continue }
      failures += 1
      let shrunk = try program.shrunk { try difference($0) != nil }
      let (expected, found) = try difference(shrunk) ?? ("the same", "it does not come every time")
      Issue.record(
        """
        seed \(seed) differs. The smallest program that does:
        \(shrunk)
        in the simulation: \(expected)
        on the kernel:     \(found)
        """)
      if failures == 5 { break }
    }
    Results.add(Self.name, at: stand.place, failures == 0 ? .passed : .failed)
  }
}
