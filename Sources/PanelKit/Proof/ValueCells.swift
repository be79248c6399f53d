import PanelLanguage

/// The cells of values that a panel only compares with constants, sets to constants and changes by constants. All
/// numbers in a cell have the same comparisons, so one number represents them.
///
/// A change leads from a cell to each cell that one of its numbers reaches. That is more than can happen, so a search
/// with cells proves, but a violation that it finds may not exist.
struct ValueCells {
  /// The least count of numbers of a value for which cells are worth a search of their own.
  static let leastNumbers = 16

  /// The first number of each cell, in order; nil for a value whose numbers are all kept apart.
  private var starts: [[Int]?]
  private let ranges: [ClosedRange<Int>]

  /// Nil if no followed value has cells.
  init?(of slice: PropertySlice) {
    let (panel, cone) = (slice.panel, slice.cone)
    let used = panel.usesBesidesConditions(in: cone).values.union(panel.delays(in: cone))
    ranges = panel.values.map { $0.min...$0.max }
    starts = panel.values.indices.map { value in
      guard cone.follows(value: value), !used.contains(value) else { return nil }
      return Self.starts(of: value, in: panel, cone)
    }
    if starts.allSatisfy({ $0 == nil }) { return nil }
  }

  private static func starts(of value: Int, in panel: PanelDefinition, _ cone: ConeOfInfluence) -> [Int]? {
    let definition = panel.values[value]
    let range = definition.min...definition.max
    guard definition.list == nil, !definition.isTime, range.count >= leastNumbers else { return nil }
    var finder = CutFinder(of: .value(value))
    for condition in panel.conditions { finder.look(at: condition) }
    for show in panel.states.flatMap(\.show) where cone.asked.outputs.contains(show.output) {
      for condition in show.rule.conditions { finder.look(at: condition) }
    }
    let assignments = panel.states.flatMap(\.assignments) + panel.nevers.compactMap(\.transition).flatMap(\.assignments)
    for assignment in assignments {
      if assignment.value == value {
        guard assignment.change.isConstant else { return nil }
      } else if cone.follows(value: assignment.value) {
        finder.look(at: assignment.change)
      }
    }
    guard !finder.isComputedWith, finder.partners.allSatisfy({ $0.isConstant }) else { return nil }
    let cuts = finder.partners.compactMap(\.constant).flatMap { [$0, $0 + 1] } + [range.lowerBound]
    let starts = Set(cuts).filter(range.contains).sorted()
    return starts.count < range.count ? starts : nil
  }

  /// The numbers that represent a value's cells; nil if all of its numbers are kept apart.
  func numbers(of value: Int) -> [Int]? { starts[value] }

  /// The number that represents a number of a value.
  func representative(of number: Int, _ value: Int) -> Int { choices(in: number...number, value)?[0] ?? number }

  /// The numbers that represent a range of a value; nil if all of its numbers are kept apart.
  func choices(in range: ClosedRange<Int>, _ value: Int) -> [Int]? {
    guard let starts = starts[value] else { return nil }
    let first = starts.lastIndex { $0 <= range.lowerBound } ?? 0
    let last = starts.lastIndex { $0 <= range.upperBound } ?? 0
    return Array(starts[first...last])
  }

  /// The numbers that represent the results of a change from the cell of a number.
  func choices(from number: Int, by change: Int, _ value: Int) -> [Int]? {
    guard let starts = starts[value] else { return nil }
    let range = ranges[value]
    func clamped(_ number: Int) -> Int { min(range.upperBound, max(range.lowerBound, number)) }
    let end = starts.first { $0 > number } ?? range.upperBound + 1
    return choices(in: clamped(number + change)...clamped(end - 1 + change), value)
  }
}

extension PanelDefinition {
  /// The values that followed deadlines wait for.
  fileprivate func delays(in cone: ConeOfInfluence) -> Set<Int> {
    var values: Set<Int> = []
    for (state, definition) in states.enumerated() {
      for (place, deadline) in definition.after.enumerated() where cone.deadlines[state][place] {
        if case .value(let value, _) = deadline.delay { values.insert(value) }
      }
    }
    return values
  }
}

extension PanelDefinition.Change {
  /// Whether a value is set to a constant or a random number, or changed by a constant.
  fileprivate var isConstant: Bool {
    switch self {
    case .to(.number(let number)), .by(let number): number.isConstant
    case .to(.draw): true
    case .append, .elements, .elementsOf, .element: false
    }
  }
}
