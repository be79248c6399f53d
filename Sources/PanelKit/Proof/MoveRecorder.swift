import PanelEngine
import PanelLanguage

/// A record of the rules' work at one move: transitions taken, states entered, results of comparisons, and random
/// draws. Only one thread uses it.
final class MoveRecorder: RulesRecorder, @unchecked Sendable {
  /// The transitions taken, by their numbers, in order.
  @exclusivity(unchecked) private(set) var taken: [Int] = []
  /// The evaluated comparisons: the transition, the place of the comparison, and whether it holds.
  @exclusivity(unchecked) private(set) var asked: [(transition: Int, comparison: Int, holds: Bool)] = []
  /// The states entered, including those that were left again immediately.
  @exclusivity(unchecked) private(set) var entered: [Int] = []
  @exclusivity(unchecked) private(set) var chances: [Chance] = []
  /// Nil for a search that keeps all numbers apart.
  private let cells: ValueCells?

  init(cells: ValueCells? = nil) { self.cells = cells }

  func clear() {
    taken.removeAll(keepingCapacity: true)
    asked.removeAll(keepingCapacity: true)
    entered.removeAll(keepingCapacity: true)
    chances.removeAll(keepingCapacity: true)
  }

  func begin(in frame: PanelFrame) {}
  func end(in frame: PanelFrame) {}
  func tell(_ event: PanelEvent) {}

  var countsConditions: Bool { true }
  func ask(_ transition: PanelDefinition.Transition, number: Int, in frame: PanelFrame) {
    guard let comparisons = transition.written.source?.comparisons else { return }
    for (place, comparison) in comparisons.enumerated() {
      asked.append((number, place, comparison.condition.holds(in: frame)))
    }
  }

  func take(_ transition: PanelDefinition.Transition, number: Int) { taken.append(number) }
  func enter(_ state: Int) { entered.append(state) }
  func draw(_ chance: Chance) { chances.append(chance) }
  func choices(in range: ClosedRange<Int>, of value: Int) -> [Int]? { cells?.choices(in: range, value) }
  func choices(from number: Int, by change: Int, of value: Int) -> [Int]? {
    cells?.choices(from: number, by: change, value)
  }
}
