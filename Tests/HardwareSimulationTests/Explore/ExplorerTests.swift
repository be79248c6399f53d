import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

@Suite("The explorer")
struct ExplorerTests {
  struct Tank: Equatable, Codable {
    var level = 0
    var isFilling = false
  }

  /// A tank that is filled by a key, a litre a second, and stops at five: or a litre too late.
  private final class World {
    let bench = Bench()
    let key: Contact
    let cycle: any Application<Tank>

    init(limit: Int) {
      let chip = SimulatedChip(bench)
      key = chip.contact(at: "GPIO17")
      cycle = Cycle(seed: Tank()) {
        Lens(
          Button(chip, line: "GPIO17"), name: "key",
          on: { tank, event in if event == .pressed { tank.isFilling = tank.level < limit } })
        Lens(
          Timer<Int>(), name: "clock", show: { $0.isFilling ? [.after(.seconds(1), $0.level)] : [] },
          on: { tank, _ in
            tank.level += 1
            if tank.level >= limit { tank.isFilling = false }
          })
      }
    }
  }

  private func explore(limit: Int, seed: UInt64 = 0) throws -> Difference? {
    do {
      try Explorer(of: { World(limit: limit) }, bench: { $0.bench }, application: { $0.cycle })
        .action("press key", if: { !$0.key.isClosed }) { try $0.key.press() }
        .action("release key", if: { $0.key.isClosed }) { try $0.key.release() }
        .waits(.milliseconds(5), .seconds(1))
        .never("overfull") { $0.level > 5 }
        .explore(runs: 200, seed: seed, steps: 60, file: "Tests.swift", line: 1)
      return nil
    } catch let difference as Difference {
      return difference
    }
  }

  @Test("finds what breaks a rule, and tells the shortest list of actions that does")
  func finds() throws {
    let difference = try #require(try explore(limit: 6))
    #expect(difference.text.hasSuffix(", seed 0: never overfull"))
    // A press, and six seconds.
    #expect(difference.lines.count == 2, "\(difference)")
    #expect(difference.lines.first == "press key")
    #expect(try explore(limit: 6) == difference)
  }

  @Test("finds nothing in an application that keeps its rules")
  func nothing() throws {
    let difference = try explore(limit: 5)
    #expect(difference == nil)
  }

  @Test("a cycle that doesn't come to rest is found without a rule")
  func livelock() throws {
    final class Spinning {
      let bench = Bench()
      let key: Contact
      let cycle: any Application<Int>

      init() {
        let chip = SimulatedChip(bench)
        key = chip.contact(at: "GPIO17")
        cycle = Cycle(seed: 0) {
          Lens(Button(chip, line: "GPIO17"), name: "key", on: { number, event in if event == .pressed { number = 1 } })
          Lens(
            Timer<Int>(), name: "clock", show: { $0 > 0 ? [.after(.zero, $0)] : [] },
            on: { number, _ in number = number == 1 ? 2 : 1 })
        }
      }
    }
    var found: Difference?
    do {
      try Explorer(of: { Spinning() }, bench: { $0.bench }, application: { $0.cycle })
        .action("press key") { try $0.key.press() }
        .explore(runs: 20, file: "Tests.swift", line: 1)
    } catch let difference as Difference {
      found = difference
    }
    #expect(found?.text.contains("cannot come to rest") == true, "\(String(describing: found))")
    #expect(found?.lines.count == 2)
  }
}
