/// A condition on a panel's frame, as in an `if`.
indirect enum Condition: Equatable, Sendable {
  case comparison(Number, Relation, Number)
  /// Whether this state is the region's current one.
  case state(PanelDefinition.Target)
  /// Whether an input is in this position, by its index in ``InputKind/positions``.
  case position(input: Int, Int)
  case isLost(PluggableHardware)
  /// Whether an input has not been read yet.
  case isUnknown(input: Int)
  /// Whether a list has these elements and no others.
  case elements(of: ListPlace, [Int])
  /// Whether two lists have the same elements.
  case sameElements(ListPlace, ListPlace)
  /// Whether an output has this appearance. Only a ``ConditionWorld`` knows the appearance of outputs.
  case output(Int, ObservedOutput)
  /// Whether the contact of a relay in an interlock is closed, or open.
  case contact(output: Int, isClosed: Bool)
  case not(Condition)
  /// Whether all conditions hold. The list is not empty.
  case all([Condition])
  /// Whether at least one condition holds. The list is not empty.
  case any([Condition])

  /// Whether a condition without outputs holds in a frame. A condition that depends on an input without a reading is
  /// unknown, and does not hold.
  func holds(in frame: PanelFrame) -> Bool { truth(in: frame, looks: nil) == true }

  func holds(in world: some ConditionWorld) -> Bool { truth(in: world.frame) { world.look(of: $0) } == true }

  /// The truth of a condition without outputs; nil if it depends on an input that has not been read yet.
  func truth(in frame: PanelFrame) -> Bool? { truth(in: frame, looks: nil) }

  /// Evaluates the condition in Kleene's three-valued logic: an unknown part decides nothing, but the other parts may.
  private func truth(in frame: PanelFrame, looks: ((_ output: Int) -> ObservedOutput)?) -> Bool? {
    switch self {
    case .comparison(.value(let value), let relation, .constant(let constant)):
      return relation.holds(frame[value: value], constant)
    case .comparison(let left, let relation, let right):
      let (a, b) = (left.result(in: frame), right.result(in: frame))
      return a == .unknown || b == .unknown ? nil : relation.holds(a, b)
    case .state(let target): return frame[state: target.region] == target.state
    case .position(let input, let position):
      let actual = frame[position: input]
      return actual == PanelFrame.unknownPosition ? nil : actual == position
    case .isLost(let hardware): return frame.isMissing(hardware)
    case .isUnknown(let input): return frame[position: input] == PanelFrame.unknownPosition
    case .elements(let list, let wanted): return frame.elements(of: list).elementsEqual(wanted)
    case .sameElements(let one, let other): return frame.elements(of: one).elementsEqual(frame.elements(of: other))
    case .output(let output, let look): return looks?(output) == look
    case .contact(let output, let isClosed):
      // A panel without conditions on contacts does not track them. A scenario then uses the state of the relay's line.
      guard frame.knowsContacts else { return looks.map { ($0(output) == .on) == isClosed } }
      let contact = frame[contact: output]
      return contact == PanelFrame.unknownPosition ? nil : (contact == PanelFrame.closedContact) == isClosed
    case .not(let condition): return condition.truth(in: frame, looks: looks).map { !$0 }
    case .all(let conditions):
      var isUnknown = false
      for condition in conditions {
        switch condition.truth(in: frame, looks: looks) {
        case false?: return false
        case nil: isUnknown = true
        case true?: break
        }
      }
      return isUnknown ? nil : true
    case .any(let conditions):
      var isUnknown = false
      for condition in conditions {
        switch condition.truth(in: frame, looks: looks) {
        case true?: return true
        case nil: isUnknown = true
        case false?: break
        }
      }
      return isUnknown ? nil : false
    }
  }
}

/// The environment of conditions on outputs: a frame, and the appearance of each output.
protocol ConditionWorld {
  var frame: PanelFrame { get }
  func look(of output: Int) -> ObservedOutput
}

/// A list among a panel's values, and the position of its elements in a frame.
struct ListPlace: Hashable, Sendable {
  /// The index of the value.
  var value: Int
  /// The index of its first element among the elements of all lists.
  var first: Int
  /// The maximum length, 1...64.
  var capacity: Int
}
