/// What is known of conditions and numbers whatever a panel does.
extension PanelDefinition {
  /// Whether a condition holds whenever a state is current, or never does; nil if that depends on more.
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

  /// True if all of these are, false if one of them isn't; nil if that isn't known.
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

  /// The least and the greatest number that a number can be.
  func bounds(of number: Number) -> ResultBounds {
    switch number {
    case .constant(let number): return .constant(number)
    case .value(let value): return values[value].list.map { 0...$0.capacity } ?? values[value].min...values[value].max
    case .reading(let input): return inputs[input].device.scale?.range ?? Int.min...Int.max
    case .member(let group): return inputGroups[group].range
    case .elapsed: return 0...Int.max
    case .element(let list, _): return min(0, values[list.value].min)...max(0, values[list.value].max)
    case .negative(let part): return bounds(of: part).negated
    case .magnitude(let part): return bounds(of: part).magnitude
    case .sum(let a, let b): return bounds(of: a).sum(bounds(of: b))
    case .difference(let a, let b): return bounds(of: a).difference(bounds(of: b))
    case .product(let a, let b): return bounds(of: a).product(bounds(of: b))
    case .quotient(let a, let b), .remainder(let a, let b):
      // A divisor that a condition before it keeps from being 0.
      let (dividend, divisor) = (bounds(of: a), bounds(of: b))
      guard !divisor.contains(0) else { return Int.min...Int.max }
      return if case .quotient = number { dividend.quotient(divisor) } else { dividend.remainder(divisor) }
    case .minimum(let a, let b): return bounds(of: a).minimum(bounds(of: b))
    case .maximum(let a, let b): return bounds(of: a).maximum(bounds(of: b))
    }
  }
}
