import CycleCore
import Glibc

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// Programs that the kernel and the simulation run alike.
typealias RandomProgramCase = Case<KernelLineStand>

extension Case where Stand == KernelLineStand {
  private static let count = 1000
  /// The first of the seeds: `PROGRAM_SEED=N` for others.
  static let firstSeed = getenv("PROGRAM_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
  /// How many programs that differ are shown.
  private static let mostFailures = 5

  static let all = [
    RandomProgramCase("\(count) random programs do on the kernel what they do in the simulation") { stand, findings in
      for seed in firstSeed..<firstSeed + UInt64(count) where findings.failures.count < mostFailures {
        let program = Program(seed: seed)
        guard let first = program.difference(on: stand) else { continue }
        let shrunk = program.shrunk { $0.difference(on: stand) != nil }
        let last = shrunk.difference(on: stand)
        findings.note(
          """
          seed \(seed) differs:
          \(program)
          \(first)
          The smallest program that does:
          \(shrunk)
          \(last ?? "it does not every time")
          """)
      }
    }
  ]
}

extension Program {
  /// How often it is run on a machine that is held up while it makes a bounce.
  private static let attempts = 20

  /// Its trace in the simulation.
  func simulated(_ generation: SimulatedChip.Generation) throws -> [String] {
    let stand = SimulatedLineStand(generation)
    return try ProgramRun(self, on: stand, makeBench: { stand.bench }).run()
  }

  /// Where the kernel's trace is another than the simulation's; nil if it is the same.
  fileprivate func difference(on stand: KernelLineStand) -> String? {
    do {
      let expected = try simulated(LibGPIOD().generation == 1 ? .first : .second)
      var heldUp = Duration.zero
      for _ in 0..<Self.attempts {
        if try !stand.isPlugged { try stand.plug() }
        let run = try ProgramRun(self, on: stand, makeBench: { Bench(loop: try MeasuredLoop()) })
        let found = try run.run(expecting: expected)
        guard let index = found.indices.first(where: { found[$0] != expected[$0] }) else { return nil }
        guard let span = run.heldUp else {
          return "in the simulation: \(expected[index])\non the kernel:     \(found[index])"
        }
        heldUp = max(heldUp, span)
      }
      return "the host was late \(Self.attempts) times of \(Self.attempts): two edges of a bounce took up to \(heldUp)"
    } catch {
      return "it can't be run: \(error)"
    }
  }
}
