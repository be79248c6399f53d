import HardwareDrivers

/// The events of an input that is pressed, as places in ``InputKind/events``.
package enum ButtonEvent {
  // Not one tuple, because its parts would be looked up at each use.
  package static let pressed = 0
  package static let released = 1
  package static let held = 2
  package static let clicked = 3
  package static let doubleClicked = 4
  package static let repeated = 5
  /// The places of the events of 3, 4 and 5 clicks.
  package static let multiClicked = 6...8
  package static let words = [
    "pressed", "released", "held", "clicked", "double-clicked", "repeated", "triple-clicked", "quadruple-clicked",
    "quintuple-clicked",
  ]

  /// The place of the event of 1 to 5 clicks.
  package static func place(ofClicks clicks: Int) -> Int {
    switch clicks {
    case 1: clicked
    case 2: doubleClicked
    default: multiClicked.lowerBound + clicks - 3
    }
  }
  /// The number of clicks of an event; nil for any other event.
  package static func clicks(of event: Int) -> Int? {
    switch event {
    case clicked: 1
    case doubleClicked: 2
    case multiClicked: event - multiClicked.lowerBound + 3
    default: nil
    }
  }
  /// The place of a button's event; nil for a loss of edges.
  package static func place(of event: Button.Event) -> Int? {
    switch event {
    case .pressed: pressed
    case .released: released
    case .held: held
    case .repeated: repeated
    case .clicked: clicked
    case .doubleClicked: doubleClicked
    case .multiClicked(let clicks): place(ofClicks: clicks)
    case .edgesLost: nil
    }
  }

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
  /// The number differs from the last one.
  package static let changed = 2
}
