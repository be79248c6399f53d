import PanelLanguage

/// The numbers of a sensor that a proof tries: those that it is compared with, and one between two of them. If the file
/// computes with the sensor or compares it with a variable number, all of its numbers.
struct SensorCells {
  /// The greatest count of numbers. If there are more, only the first are tried, and nothing is proved.
  static let most = 1 << 18

  let numbers: [Int]

  /// - Parameters:
  ///   - readings: the ranges of sensors that are limited, by their inputs.
  ///   - range: the numbers that the sensor can read without a limit.
  init(
    _ input: Int, _ readings: [Int: ClosedRange<Int>], _ range: ClosedRange<Int>, of panel: PanelDefinition,
    in slice: ConeOfInfluence
  ) {
    let range = readings[input] ?? range
    var finder = CutFinder(of: .reading(input))
    for condition in panel.conditions { finder.look(at: condition) }
    for show in panel.states.flatMap(\.show) where slice.asked.outputs.contains(show.output) {
      for condition in show.rule.conditions { finder.look(at: condition) }
    }
    // Values that are not followed may be set to any number.
    for assignment in panel.states.flatMap(\.assignments) where slice.follows(value: assignment.value) {
      finder.look(at: assignment.change)
    }
    // A sensor that is limited to one number is a constant.
    let constants = finder.partners.compactMap { $0.constant(under: readings) }
    guard !finder.isComputedWith, !panel.usesBesidesConditions(in: slice).readings.contains(input),
      constants.count == finder.partners.count
    else {
      numbers = Array(range.prefix(Self.most))
      return
    }
    // The first number between two constants represents all of them. A number that a scenario can set is preferred.
    let cuts = constants.flatMap { [$0, $0 + 1] } + [range.lowerBound]
    let starts = Set(cuts).filter { range.contains($0) }.sorted()
    let readable =
      panel.clockPart(of: input) == .time
      ? panel.minutesWithoutAlarms : panel.inputs[input].device.scale?.readable ?? []
    func first(from start: Int, below next: Int) -> Int? {
      let first = readable.lazy.filter { $0.upperBound >= start }.map { max(start, $0.lowerBound) }.min()
      return first.flatMap { $0 < next ? $0 : nil }
    }
    // The number can also change to one that equals it in all comparisons.
    let hearsChanges = slice.events.contains(.input(input, Presence.changed))
    numbers = zip(starts, starts.dropFirst() + [range.upperBound + 1]).flatMap { start, next in
      let one = first(from: start, below: next) ?? start
      return [one] + (hearsChanges ? first(from: one + 1, below: next).map { [$0] } ?? [] : [])
    }
  }
}

extension PanelDefinition {
  /// The minutes of a day to which the clock can be set without an alarm of a fixed time.
  fileprivate var minutesWithoutAlarms: [ClosedRange<Int>] {
    var isFree = [Bool](repeating: true, count: 1440)
    for alarm in clock?.alarms ?? [] {
      guard case .fixed(let minutes) = alarm.time else { continue }
      let late = min(1439, Int(alarm.late.components.seconds + 59) / 60)
      for minute in minutes...minutes + late { isFree[minute % 1440] = false }
    }
    return isFree.indices.filter { isFree[$0] }.map { $0...$0 }
  }

  /// The dependencies of sound choices, of the remedies of properties, and of the outputs that a property asks for.
  func usesBesidesConditions(in slice: ConeOfInfluence) -> Dependencies {
    var used = Dependencies()
    for show in states.flatMap(\.show) where slice.asked.outputs.contains(show.output) {
      for appearance in show.rule.appearances { used.add(appearance) }
    }
    let remedies = nevers.compactMap(\.transition)
    let sounds = states.flatMap(\.sounds) + remedies.flatMap(\.play)
    for case .member(_, let number, _) in sounds { used.add(number) }
    for assignment in remedies.flatMap(\.assignments) { used.add(assignment.change) }
    return used
  }
}

/// Finds the numbers that a number is compared with.
package struct CutFinder {
  let subject: Number
  /// The other sides of comparisons in which the number alone is one side.
  package private(set) var partners: [Number] = []
  /// All constants in comparisons that depend only on this number.
  package private(set) var constants: [Int] = []
  /// Whether the number is a part of another expression.
  private(set) var isComputedWith = false

  package init(of subject: Number) {
    self.subject = subject
  }

  package mutating func look(at condition: Condition) {
    switch condition {
    case .comparison(let left, _, let right):
      if left.contains(subject) || right.contains(subject),
        let first = left.constants(beside: subject), let second = right.constants(beside: subject)
      {
        constants += first + second
      }
      switch (left == subject, right == subject) {
      case (true, false) where !right.contains(subject): partners.append(right)
      case (false, true) where !left.contains(subject): partners.append(left)
      default: if left.contains(subject) || right.contains(subject) { isComputedWith = true }
      }
    case .not(let condition): look(at: condition)
    case .all(let conditions), .any(let conditions): for condition in conditions { look(at: condition) }
    case .elements(let list, let wanted):
      // The elements of the list are compared, and so is its length.
      if subject == .value(list.value) { constants.append(wanted.count) }
    case .state, .position, .isLost, .isUnknown, .sameElements, .output, .contact: break
    }
  }

  mutating func look(at change: PanelDefinition.Change) {
    switch change {
    case .to(.number(let number)), .by(let number), .append(.number(let number)):
      if number.contains(subject) { isComputedWith = true }
    case .element(let place, let change):
      if place.contains(subject) { isComputedWith = true }
      look(at: change)
    case .to(.draw), .append(.draw), .elements, .elementsOf: break
    }
  }
}

extension Number {
  var isConstant: Bool { constant != nil }

  /// The number of an expression of constants and of sensors that are limited to one number; nil for any other.
  fileprivate func constant(under readings: [Int: ClosedRange<Int>]) -> Int? {
    switch self {
    case .constant(let number): return number
    case .reading(let input): return readings[input].flatMap { $0.count == 1 ? $0.lowerBound : nil }
    case .sum(let a, let b):
      guard let a = a.constant(under: readings), let b = b.constant(under: readings) else { return nil }
      return a + b
    default: return nil
    }
  }

  /// All constants in the expression; nil if it depends on anything except them and the subject.
  func constants(beside subject: Number) -> [Int]? {
    if self == subject { return [] }
    switch self {
    case .constant(let number): return [number]
    case .value, .reading, .member, .elapsed, .element, .isCurrent: return nil
    case .negative(let part), .magnitude(let part), .rounded(let part, _): return part.constants(beside: subject)
    case .sum(let a, let b), .difference(let a, let b), .product(let a, let b), .quotient(let a, let b),
      .remainder(let a, let b), .minimum(let a, let b), .maximum(let a, let b):
      guard let first = a.constants(beside: subject), let second = b.constants(beside: subject) else { return nil }
      return first + second
    }
  }

  func contains(_ part: Number) -> Bool {
    if self == part { return true }
    switch self {
    case .constant, .value, .reading, .member, .elapsed, .isCurrent: return false
    case .element(_, let number), .negative(let number), .magnitude(let number), .rounded(let number, _):
      return number.contains(part)
    case .sum(let a, let b), .difference(let a, let b), .product(let a, let b), .quotient(let a, let b),
      .remainder(let a, let b), .minimum(let a, let b), .maximum(let a, let b):
      return a.contains(part) || b.contains(part)
    }
  }
}

extension PanelDefinition {
  /// All conditions of the file, without those that choose looks.
  package var conditions: [Condition] {
    let computed = inputs.compactMap { $0.device.derivation?.ofSwitch }.flatMap { [$0.isOn, $0.isOff] }
    let transitions = states.flatMap(\.transitions).map(\.condition)
    return (computed + transitions).compactMap { $0 } + nevers.map(\.condition)
  }
}
