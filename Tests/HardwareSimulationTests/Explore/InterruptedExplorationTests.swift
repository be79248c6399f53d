import CycleCore
import HardwareSimulation
import Testing

@Suite("An exploration that is interrupted")
struct InterruptedExplorationTests {
  /// Each run has the numbers from 0; the fault is one of them. The finding is the length of the run.
  private final class Numbers: SearchSubject {
    let length: Int
    let fault: Int
    private(set) var performed = 0

    init(length: Int, fault: Int) { (self.length, self.fault) = (length, fault) }

    func run(after known: [Int]?, _ random: inout SeededGenerator, while goesOn: () -> Bool) -> [Int] {
      Array(0..<length)
    }

    func check(_ run: [Int], counts: Bool, while goesOn: () -> Bool) throws -> RunResult<Int>? {
      for (place, number) in run.enumerated() {
        guard goesOn() else { return nil }
        performed += 1
        if number == fault { return RunResult(violation: run.count, steps: place + 1) }
      }
      return RunResult(violation: nil, steps: run.count)
    }

    func isSame(_ one: Int, _ other: Int) -> Bool { true }
    func beginning(of run: [Int], _ steps: Int) -> [Int] { Array(run.prefix(steps)) }
    func shrink(_ shrinker: inout Shrinker<[Int]>) { shrinker.shorten(\.self) }
  }

  @Test("ends between two steps of a run, which does not count")
  func withinRun() throws {
    let numbers = Numbers(length: 1000, fault: -1)
    var asked = 0
    let outcome = try RandomSearch(numbers, runs: 3) { _ in
      asked += 1
      return asked < 10
    }.explore()
    #expect(outcome.runs == 0 && outcome.discovery == nil)
    #expect(numbers.performed < 10)
  }

  @Test("while it shortens a run, it gives the smallest run so far, with the finding of that run")
  func whileShortening() throws {
    let exploration = RandomSearch(Numbers(length: 100, fault: 99)) { ($0.tries ?? 0) < 3 }
    let discovery = try #require(try exploration.explore().discovery)
    #expect(discovery.isInterrupted)
    #expect(discovery.tries == 3)
    #expect(discovery.run == Array(50..<100))
    #expect(discovery.violation == 50)
    #expect(discovery.number == 1)
  }

  @Test("one that is not interrupted gives the shortest run")
  func uninterrupted() throws {
    let discovery = try #require(try RandomSearch(Numbers(length: 100, fault: 99)).explore().discovery)
    #expect(!discovery.isInterrupted)
    #expect(discovery.run == [99])
    #expect(discovery.violation == 1)
  }
}
