import HardwareDrivers
import HardwareSimulation
import PanelLanguage
import PanelWiring

extension Pull {
  static let key = Key(
    name: "pull", takes: "up, down or none", shape: .choice(Pull.self), usual: "`up`",
    meaning:
      "resistor inside the GPIO chip, which holds the line high (`up`) or low (`down`) while the contact is open")
}

/// The wiring of a button or a switch, and its debounce time.
package struct ContactSettings: Equatable, Sendable {
  static let keys = makeKeys(
    debounce: Key(
      name: "debounce", takes: "a duration: 5ms", shape: .span(.zero ... .seconds(10)), usual: "`5ms`",
      meaning: "time that a contact must be stable before a change counts, in both directions"))

  static func makeKeys(debounce: Key) -> [Key] {
    [
      debounce,
      Pull.key,
      Key(
        name: "active", takes: "low or high", shape: .choice(ActiveLevel.self),
        usual: "`low`. With `pull: down`: `high`. With `pull: none`: required",
        meaning: "level of the line while the button is pressed or the switch is on"),
    ]
  }

  /// The time for which a level must be stable, 0...10 s.
  var debounce = Duration.milliseconds(5)
  var pull = Pull.up
  /// The level when the button is pressed or the switch is on. The default is `high` with a pull-down, else `low`.
  var active = ActiveLevel.low

  /// Whether the pull resistor alone makes the input active. This is so with a normally closed contact, which keeps the
  /// input inactive until it opens.
  var isClosedAtRest: Bool { pull == .up && active == .high || pull == .down && active == .low }

  /// The level of the inactive input if something other than the pull resistor holds the line: a normally closed
  /// contact, or a resistor on the board with `pull: none`. Nil if the pull resistor holds it.
  var inactive: ActiveLevel? {
    guard isClosedAtRest || pull == .none else { return nil }
    return active == .low ? .high : .low
  }

  /// The simulated contact at a line with this wiring.
  func contact(at line: String, of chip: SimulatedChip) -> Contact {
    chip.contact(at: LineName(line), closed: Level(active), open: inactive.map { Level($0) })
  }
}

extension DeviceFields {
  /// The settings of ``ContactSettings/keys``.
  func contact() -> ContactSettings {
    var contact = ContactSettings()
    if case .span? = self["debounce"]?.key.shape, let debounce = duration("debounce") { contact.debounce = debounce }
    if let pull: Pull = choice("pull") { contact.pull = pull }
    contact.active = contact.pull == .down ? .high : .low
    if let active: ActiveLevel = choice("active") { contact.active = active }
    if contact.pull == .none, let pull = self["pull"], isMissing("active") {
      problems.add(
        pull.node.position,
        "\"active\" is required with pull: none; write low for a contact to ground, high for a contact to the supply")
    }
    return contact
  }
}

extension Bias {
  init(_ pull: Pull) {
    switch pull {
    case .up: self = .pullUp
    case .down: self = .pullDown
    case .none: self = .disabled
    }
  }
}

extension Level {
  init(_ level: ActiveLevel) {
    self = level == .low ? .low : .high
  }
}
