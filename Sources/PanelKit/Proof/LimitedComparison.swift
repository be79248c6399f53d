import PanelLanguage

/// A comparison of two numbers that has one result under the limits of a proof, and both results without them. A proof
/// under such limits does not decide a rule with this comparison.
struct LimitedComparison: Equatable {
  /// The names of the numbers, each once, in their order.
  let names: [String]

  private init(names: [String]) { self.names = names }

  /// Returns the first such comparison in a condition; nil if there is none.
  ///
  /// - Parameters:
  ///   - condition: a condition of the panel without limits. Comparisons with constants don't count: a limit moves these
  ///     constants into its range.
  ///   - panel: the panel without limits.
  init?(in condition: Condition, of panel: PanelDefinition, under limits: [RangeRestriction]) {
    switch condition {
    case .comparison(let left, let relation, let right):
      let subjects = (left.subjects + right.subjects).reduce(into: [RangeRestriction.Subject]()) { subjects, subject in
        if !subjects.contains(subject) { subjects.append(subject) }
      }
      guard subjects.count > 1, limits.contains(where: { subjects.contains($0.subject) }) else { return nil }
      func isOpen(_ range: (RangeRestriction.Subject) -> ClosedRange<Int>) -> Bool? {
        guard let left = left.range(range), let right = right.range(range) else { return nil }
        return relation.isOpen(left, right)
      }
      let limited = isOpen { subject in limits.first { $0.subject == subject }?.range ?? panel.range(of: subject) }
      guard isOpen({ panel.range(of: $0) }) == true, limited == false else { return nil }
      self.init(names: subjects.map { panel.name(of: $0) })
    case .not(let condition): self.init(in: condition, of: panel, under: limits)
    case .all(let conditions), .any(let conditions):
      guard let first = conditions.lazy.compactMap({ Self(in: $0, of: panel, under: limits) }).first else { return nil }
      self = first
    case .state, .position, .isLost, .isUnknown, .elements, .sameElements, .output, .contact: return nil
    }
  }
}

extension Relation {
  /// Whether the result for two numbers of these ranges can be true and can be false.
  fileprivate func isOpen(_ left: ClosedRange<Int128>, _ right: ClosedRange<Int128>) -> Bool {
    let isBefore = left.upperBound < right.lowerBound
    let isBehind = left.lowerBound > right.upperBound
    return switch self {
    case .equal, .notEqual: !isBefore && !isBehind && !(left == right && left.lowerBound == left.upperBound)
    case .less, .greaterOrEqual: !isBefore && left.lowerBound < right.upperBound
    case .lessOrEqual, .greater: !isBehind && left.upperBound > right.lowerBound
    }
  }
}

extension Number {
  /// The values and sensors in an expression.
  fileprivate var subjects: [RangeRestriction.Subject] {
    switch self {
    case .value(let value): [.value(value)]
    case .reading(let input): [.sensor(input: input)]
    case .negative(let part): part.subjects
    case .sum(let a, let b), .difference(let a, let b), .product(let a, let b): a.subjects + b.subjects
    default: []
    }
  }

  /// The numbers that an expression can have; nil for one with other parts than sums, differences and products by
  /// constants.
  fileprivate func range(_ range: (RangeRestriction.Subject) -> ClosedRange<Int>) -> ClosedRange<Int128>? {
    func wide(_ subject: RangeRestriction.Subject) -> ClosedRange<Int128> {
      let range = range(subject)
      return Int128(range.lowerBound)...Int128(range.upperBound)
    }
    switch self {
    case .constant(let number): return Int128(number)...Int128(number)
    case .value(let value): return wide(.value(value))
    case .reading(let input): return wide(.sensor(input: input))
    case .negative(let part):
      return part.range(range).map { -$0.upperBound ... -$0.lowerBound }
    case .sum(let a, let b):
      guard let a = a.range(range), let b = b.range(range) else { return nil }
      return a.lowerBound + b.lowerBound...a.upperBound + b.upperBound
    case .difference(let a, let b):
      guard let a = a.range(range), let b = b.range(range) else { return nil }
      return a.lowerBound - b.upperBound...a.upperBound - b.lowerBound
    case .product(let a, .constant(let factor)), .product(.constant(let factor), let a):
      guard let a = a.range(range), let low = Int64(exactly: a.lowerBound), let high = Int64(exactly: a.upperBound)
      else { return nil }
      let ends = [Int128(low) * Int128(factor), Int128(high) * Int128(factor)]
      return min(ends[0], ends[1])...max(ends[0], ends[1])
    default: return nil
    }
  }
}
