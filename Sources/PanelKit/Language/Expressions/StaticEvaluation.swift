/// The properties of conditions and numbers that are known without running the panel.
extension PanelDefinition {
  /// Returns true if a condition always holds in a state, false if it never does; nil if it depends on more.
  func holds(_ condition: Condition, in state: Int) -> Bool? {
    switch condition {
    case .comparison(let left, let relation, let right): bounds(of: left).alwaysHolds(relation, bounds(of: right))
    case .state(let target): isInside(state, of: target.state) ? true : nil
    case .position, .isLost, .isUnknown, .elements, .sameElements, .output, .contact: nil
    case .not(let condition): holds(condition, in: state).map { !$0 }
    case .all(let conditions): Self.all(conditions.map { holds($0, in: state) })
    case .any(let conditions): Self.all(conditions.map { holds($0, in: state).map { !$0 } }).map { !$0 }
    }
  }

  /// Returns true if all parts are true, false if one is false; nil if unknown.
  private static func all(_ parts: [Bool?]) -> Bool? {
    if parts.contains(false) { return false }
    return parts.contains(nil) ? nil : true
  }

  private func isInside(_ state: Int, of outer: Int) -> Bool {
    var state = state
    while state != outer {
      guard state > 0 else { return false }
      state = regions[states[state].region].owner
    }
    return true
  }

  /// Returns the smallest and the largest possible result of a number.
  func bounds(of number: Number) -> ResultBounds {
    switch number {
    case .constant(let number): return .constant(number)
    case .value(let value):
      return (values[value].list.map { 0...$0.capacity } ?? values[value].min...values[value].max).bounds
    case .reading(let input): return inputs[input].device.scale?.range.bounds ?? Self.anyNumber
    case .member(let group): return inputGroups[group].range.bounds
    case .elapsed: return 0...Int128.max
    case .isCurrent: return 0...1
    case .element(let list, _): return (min(0, values[list.value].min)...max(0, values[list.value].max)).bounds
    case .negative(let part): return bounds(of: part).negated
    case .magnitude(let part): return bounds(of: part).magnitude
    case .sum(let a, let b): return bounds(of: a).sum(bounds(of: b))
    case .difference(let a, let b): return bounds(of: a).difference(bounds(of: b))
    case .product(let a, let b): return bounds(of: a).product(bounds(of: b))
    case .quotient(let a, let b), .remainder(let a, let b):
      // If the bounds of the divisor contain 0, a condition excludes it elsewhere.
      let (dividend, divisor) = (bounds(of: a), bounds(of: b))
      guard !divisor.contains(0) else { return Self.anyNumber }
      return if case .quotient = number { dividend.quotient(divisor) } else { dividend.remainder(divisor) }
    case .minimum(let a, let b): return bounds(of: a).minimum(bounds(of: b))
    case .maximum(let a, let b): return bounds(of: a).maximum(bounds(of: b))
    case .rounded(let part, let divisor): return bounds(of: part).rounded(by: divisor)
    }
  }

  private static let anyNumber = Int128.min...Int128.max
}
