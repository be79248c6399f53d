/// A condition on a panel's frame, as in an `if`.
package indirect enum Condition: Equatable, Sendable {
  case comparison(Number, Relation, Number)
  /// Whether this state is the region's current one.
  case state(PanelDefinition.Target)
  /// Whether an input is in this position, by its index in ``InputKind/positions``.
  case position(input: Int, Int)
  case isLost(PluggableHardware)
  /// Whether an input has not been read yet.
  case isUnknown(input: Int)
  /// Whether a list has these elements and no others.
  case elements(of: ListSlots, [Int])
  /// Whether two lists have the same elements.
  case sameElements(ListSlots, ListSlots)
  /// Whether an output has this appearance. Only a ``ConditionWorld`` knows the appearance of outputs.
  case output(Int, ObservedOutput)
  /// Whether the contact of a relay in an interlock is closed, or open.
  case contact(output: Int, isClosed: Bool)
  case not(Condition)
  /// Whether all conditions hold. The list is not empty.
  case all([Condition])
  /// Whether at least one condition holds. The list is not empty.
  case any([Condition])

  /// Whether a part checks what an output shows.
  package var readsOutputs: Bool {
    switch self {
    case .output: true
    case .not(let condition): condition.readsOutputs
    case .all(let conditions), .any(let conditions): conditions.contains(where: \.readsOutputs)
    default: false
    }
  }

  /// The result of a condition that depends on nothing, such as `each == 1`; nil for any other.
  var constantResult: Bool? {
    switch self {
    case .comparison(.constant(let left), let relation, .constant(let right)): return relation.holds(left, right)
    case .not(let condition): return condition.constantResult.map { !$0 }
    case .all(let conditions): return Self.constantResult(conditions, decides: false)
    case .any(let conditions): return Self.constantResult(conditions, decides: true)
    default: return nil
    }
  }

  /// - Parameter decisive: the result of one condition that decides that of all.
  private static func constantResult(_ conditions: [Condition], decides decisive: Bool) -> Bool? {
    var isConstant = true
    for condition in conditions {
      let result = condition.constantResult
      if result == decisive { return decisive }
      if result == nil { isConstant = false }
    }
    return isConstant ? !decisive : nil
  }
}
