import PanelLanguage

extension Condition {
  /// Whether a condition without outputs holds in a frame. A condition that depends on an input without a reading is
  /// unknown, and does not hold.
  package func holds(in frame: PanelFrame) -> Bool { truth(in: frame, looks: nil) == true }

  package func holds(in world: some ConditionWorld) -> Bool { truth(in: world.frame) { world.look(of: $0) } == true }

  /// The truth of a condition without outputs; nil if it depends on an input that has not been read yet.
  func truth(in frame: PanelFrame) -> Bool? { truth(in: frame, looks: nil) }

  /// Evaluates the condition in Kleene's three-valued logic: an unknown part decides nothing, but the other parts may.
  private func truth(in frame: PanelFrame, looks: ((_ output: Int) -> ObservedOutput)?) -> Bool? {
    switch self {
    case .comparison(.value(let value), let relation, .constant(let constant)):
      return relation.holds(frame[value: value], constant)
    case .comparison(let left, let relation, let right):
      let (a, b) = (left.wide(in: frame), right.wide(in: frame))
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
package protocol ConditionWorld {
  var frame: PanelFrame { get }
  func look(of output: Int) -> ObservedOutput
}

extension Number {
  /// Computes the number in a frame; ``Int/unknown`` if it depends on a sensor that has not been read yet. A result that
  /// doesn't fit in 64 bits is clamped.
  package func result(in frame: PanelFrame) -> Int {
    switch self {
    case .constant(let number): number
    case .value(let value): frame[value: value]
    case .reading(let input): frame[reading: input]
    default: wide(in: frame).narrow
    }
  }

  /// Computes the number with 128 bits.
  package func wide(in frame: PanelFrame) -> Int128 {
    switch self {
    case .constant(let number): Int128(number)
    case .value(let value): Int128(frame[value: value])
    case .reading(let input): frame[reading: input].wide
    case .member(let group): Int128(frame[member: group])
    case .elapsed(let region): Int128(frame.elapsed(in: region))
    case .isCurrent(let target): frame[state: target.region] == target.state ? 1 : 0
    case .element(let list, let place):
      switch place.result(in: frame) {
      case .unknown: .unknown
      case let place: Int128(frame.element(place, of: list))
      }
    case .negative(let number): Saturating.difference(0, number.wide(in: frame))
    case .magnitude(let number): Saturating.magnitude(number.wide(in: frame))
    case .sum(let a, let b): Saturating.sum(a.wide(in: frame), b.wide(in: frame))
    case .difference(let a, let b): Saturating.difference(a.wide(in: frame), b.wide(in: frame))
    case .product(let a, let b): Saturating.product(a.wide(in: frame), b.wide(in: frame))
    case .quotient(let a, let b): Saturating.quotient(a.wide(in: frame), b.wide(in: frame))
    case .remainder(let a, let b): Saturating.remainder(a.wide(in: frame), b.wide(in: frame))
    case .minimum(let a, let b): Saturating.minimum(a.wide(in: frame), b.wide(in: frame))
    case .maximum(let a, let b): Saturating.maximum(a.wide(in: frame), b.wide(in: frame))
    case .rounded(let number, let divisor): Saturating.rounded(number.wide(in: frame), by: Int128(divisor))
    }
  }
}

extension StateTree {
  package func isCurrent(_ state: Int, in frame: PanelFrame) -> Bool {
    state == 0 || frame[state: panel.states[state].region] == state
  }
}

extension PanelDefinition {
  /// The number that an input has; nil for an input whose state is no number, that is unknown, or whose sensor is lost.
  package func number(of input: Int, in frame: PanelFrame) -> Int? {
    let device = inputs[input].device
    guard device.isNumber, !device.isSensor || frame[position: input] == Presence.isThere else { return nil }
    let number = frame[reading: input]
    return number == .unknown ? nil : number
  }
}
