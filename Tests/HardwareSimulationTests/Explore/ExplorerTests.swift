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

  private func explore(limit: Int, seed: UInt64 = 0) throws -> TestFailure? {
    do {
      try Explorer(of: { World(limit: limit) }, bench: { $0.bench }, application: { $0.cycle })
        .action("press key", if: { !$0.key.isClosed }) { try $0.key.press() }
        .action("release key", if: { $0.key.isClosed }) { try $0.key.release() }
        .waits(.milliseconds(5), .seconds(1))
        .never("overfull") { $0.level > 5 }
        .explore(runs: 200, seed: seed, steps: 60, file: "Tests.swift", line: 1)
      return nil
    } catch let difference as TestFailure {
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

  @Test("it tells which events, states and ways between them the runs have come to, and what none has")
  func report() throws {
    let report = try Explorer(of: { World(limit: 5) }, bench: { $0.bench }, application: { $0.cycle })
      .action("press key", if: { !$0.key.isClosed }) { try $0.key.press() }
      .action("release key", if: { $0.key.isClosed }) { try $0.key.release() }
      .action("press it twice", if: { _ in false }) { try $0.key.press() }
      .waits(.milliseconds(5), .seconds(1))
      .never("overfull") { $0.level > 5 }
      .states { $0.isFilling ? "filling" : "resting" }
      .reaches("full") { $0.level == 5 }
      .reaches("spilled") { $0.level == 6 }
      .explore(runs: 50, seed: 0, steps: 60)
    #expect(report.runs == 50)
    #expect(report.events == ["clock due", "key clicked", "key pressed", "key released"], "\(report.events)")
    #expect(report.states == ["filling", "resting"])
    #expect(report.transitions == ["filling -> resting by clock due", "resting -> filling by key pressed"])
    #expect(report.unreached == ["press it twice", "spilled"])
  }

  /// A lock with two keys, which opens at one order of 24 presses: by chance, one run of half a million finds it.
  private final class Lock {
    static let code = (0..<24).map { ($0 * 7 / 3) % 2 }
    let bench = Bench()
    let keys: [Contact]
    let cycle: any Application<Int>

    init() {
      let chip = SimulatedChip(bench)
      keys = ["GPIO5", "GPIO6"].map { chip.contact(at: $0) }
      cycle = Cycle(seed: 0) {
        Lens(Button(chip, line: "GPIO5"), name: "left", on: { Lock.press(0, $1, &$0) })
        Lens(Button(chip, line: "GPIO6"), name: "right", on: { Lock.press(1, $1, &$0) })
      }
    }

    private static func press(_ key: Int, _ event: Button.Event, _ place: inout Int) {
      guard event == .pressed, place < code.count else { return }
      place = code[place] == key ? place + 1 : 0
    }
  }

  @Test("runs go on from what is new, and so come to what chance alone would not")
  func guidance() throws {
    func click(_ key: Int) -> (Lock) throws -> Void {
      { lock in
        try lock.keys[key].press()
        try lock.bench.advance(by: .milliseconds(10))
        try lock.keys[key].release()
        try lock.bench.advance(by: .milliseconds(10))
      }
    }
    let explorer = Explorer(of: { Lock() }, bench: { $0.bench }, application: { $0.cycle })
      .action("left") { try click(0)($0) }
      .action("right") { try click(1)($0) }
      .reaches("open") { $0 == Lock.code.count }
    #expect(try explorer.states { $0 }.explore(runs: 400, steps: 60).unreached == [])
    #expect(try explorer.explore(runs: 400, steps: 60).unreached == ["open"])
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
    var found: TestFailure?
    do {
      try Explorer(of: { Spinning() }, bench: { $0.bench }, application: { $0.cycle })
        .action("press key") { try $0.key.press() }
        .explore(runs: 20, file: "Tests.swift", line: 1)
    } catch let difference as TestFailure {
      found = difference
    }
    #expect(found?.text.contains("cannot come to rest") == true, "\(String(describing: found))")
    #expect(found?.lines.count == 2)
  }
}
