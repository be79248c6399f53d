/// The events of an input that is pressed, as places in ``InputKind/events``.
package enum ButtonEvent {
  // Not one tuple, because its parts would be looked up at each use.
  package static let pressed = 0
  package static let released = 1
  package static let held = 2
  package static let clicked = 3
  package static let doubleClicked = 4
  package static let words = ["pressed", "released", "held", "clicked", "double-clicked"]
  /// The words of the positions.
  package static let positions = ["released", "pressed"]

  /// The place in ``positions`` of the position after an event; nil if the event does not change it.
  package static func position(after event: Int) -> Int? {
    switch event {
    case pressed: 1
    case released: 0
    default: nil
    }
  }
}

/// The events of an input with two positions, as places in ``InputKind/events``.
package enum SwitchEvent {
  package static let on = 0
  package static let off = 1
}

/// The events and positions of a sensor that can be lost, as places in ``InputKind/events`` and
/// ``InputKind/positions``.
package enum Presence {
  package static let isLost = 0
  package static let isThere = 1
  package static let lost = 0
  package static let restored = 1
}
