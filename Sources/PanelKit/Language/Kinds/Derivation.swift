/// The rule by which a derived input follows other inputs.
package enum Derivation: Equatable, Sendable {
  /// A switch whose contact is a condition.
  case condition(SwitchRule)
  /// Several buttons as one.
  case chord(ChordRule)

  /// The rule of a switch; nil for anything else.
  package var ofSwitch: SwitchRule? { if case .condition(let rule) = self { rule } else { nil } }
  /// The rule of a chord; nil for anything else.
  package var ofChord: ChordRule? { if case .chord(let rule) = self { rule } else { nil } }
}

/// The conditions of a computed switch. While neither holds, it keeps its position.
package struct SwitchRule: Equatable, Sendable {
  /// The condition for on; nil until the inputs are known.
  package var isOn: Condition?
  /// The condition for off; nil if the switch is off whenever it is not on.
  package var isOff: Condition?
  /// The comparisons of both conditions.
  package var written = FilePassage()
  /// The time for which the condition for on must hold until it counts, 0s...1h.
  package var debounceOn: Duration
  /// The time for which the condition for off must hold until it counts, 0s...1h.
  package var debounceOff: Duration
  /// Whether the position at the start is an event.
  package var reportsStart: Bool
  /// Whether the switch is unknown again when its conditions are.
  package var isForgetful = false

  package init(
    isOn: Condition? = nil, isOff: Condition? = nil, written: FilePassage = FilePassage(),
    debounceOn: Duration, debounceOff: Duration, reportsStart: Bool
  ) {
    (self.isOn, self.isOff, self.written, self.reportsStart) = (isOn, isOff, written, reportsStart)
    (self.debounceOn, self.debounceOff) = (debounceOn, debounceOff)
  }

  /// The values that the conditions compare.
  package var comparedValues: Set<Int> {
    var asked = Dependencies()
    asked.add(isOn)
    asked.add(isOff)
    return asked.values
  }

  /// The time until a position counts: 1 is on, 0 off. An unknown position counts immediately.
  package func debounce(to position: Int) -> Duration {
    switch position {
    case 0: debounceOff
    case 1: debounceOn
    default: .zero
    }
  }
}

/// The buttons of a chord. It is pressed when all of them are down and were pressed within a time.
package struct ChordRule: Equatable, Sendable {
  /// The indices of the buttons; empty until the inputs are known.
  package var buttons: [Int] = []
  /// The greatest time between the first and the last press, 1 ms...10 s.
  package var within: Duration
  /// The time until a press is held; nil if nothing waits for that.
  package var hold: Duration?
  /// The time within which a second press is a double click; nil if nothing waits for that.
  package var doubleClick: Duration?
  /// Whether the file reacts to clicks.
  package var emitsClicks = false

  package init(
    buttons: [Int] = [], within: Duration, hold: Duration? = nil, doubleClick: Duration? = nil,
    emitsClicks: Bool = false
  ) {
    (self.buttons, self.within, self.hold, self.doubleClick, self.emitsClicks) = (
      buttons, within, hold, doubleClick, emitsClicks
    )
  }
}
