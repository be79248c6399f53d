/// Something that holds or doesn't, in a frame of a panel: what an `if` says.
indirect enum Condition: Equatable, Sendable {
  case comparison(Number, Relation, Number)
  /// Whether this state is the region's current one.
  case state(PanelDefinition.Target)
  /// Whether an input is in this position, by its place in ``InputKind/positions``.
  case position(input: Int, Int)
  case isLost(PluggableHardware)
  /// Whether a list has these elements and no others.
  case elements(of: ListPlace, [Int])
  /// Whether two lists have the same elements.
  case sameElements(ListPlace, ListPlace)
  /// Whether an output looks so. Only a ``ConditionWorld`` knows how outputs look.
  case output(Int, ObservedOutput)
  case not(Condition)
  /// All of them hold; at least one.
  case all([Condition])
  /// One of them holds at least; at least one.
  case any([Condition])

  /// Whether the condition, which asks no output, holds in a frame.
  func holds(in frame: PanelFrame) -> Bool { holds(in: frame, looks: nil) }

  func holds(in world: some ConditionWorld) -> Bool { holds(in: world.frame) { world.look(of: $0) } }

  private func holds(in frame: PanelFrame, looks: ((_ output: Int) -> ObservedOutput)?) -> Bool {
    switch self {
    case .comparison(.value(let value), let relation, .constant(let constant)):
      return relation.holds(frame[value: value], constant)
    case .comparison(let left, let relation, let right):
      return relation.holds(left.result(in: frame), right.result(in: frame))
    case .state(let target): return frame[state: target.region] == target.state
    case .position(let input, let position): return frame[position: input] == position
    case .isLost(let hardware): return frame.isMissing(hardware)
    case .elements(let list, let wanted): return frame.elements(of: list).elementsEqual(wanted)
    case .sameElements(let one, let other): return frame.elements(of: one).elementsEqual(frame.elements(of: other))
    case .output(let output, let look): return looks?(output) == look
    case .not(let condition): return !condition.holds(in: frame, looks: looks)
    case .all(let conditions):
      for condition in conditions where !condition.holds(in: frame, looks: looks) { return false }
      return true
    case .any(let conditions):
      for condition in conditions where condition.holds(in: frame, looks: looks) { return true }
      return false
    }
  }
}

/// What conditions about outputs are asked of: a frame, and how each output looks.
protocol ConditionWorld {
  var frame: PanelFrame { get }
  func look(of output: Int) -> ObservedOutput
}

/// A list among a panel's values, and where its elements are in a frame.
struct ListPlace: Hashable, Sendable {
  /// The index of the value.
  var value: Int
  /// The place of its first element among those of all lists.
  var first: Int
  /// How many elements it can have, 1...64.
  var capacity: Int
}
