import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `bell: { button: GPIO17, hold: 1s }`
package struct ButtonKind: LineInputKind {
  package static let grammar = FieldSet(
    name: "a button", summary: "push button at a line", sample: "bell: { button: GPIO17, hold: 1s }",
    keys: [
      Key(name: "button", takes: "a line: GPIO17", shape: .line)
    ] + DeviceFields.gestureKeys + ContactSettings.keys + [DeviceFields.reportStartKey])
  package static let control = InputControl.button

  package var events: [String] { ButtonEvent.words }
  package var positions: [String] { ButtonEvent.positions }
  package func position(after event: Int) -> Int? { ButtonEvent.position(after: event) }

  var line: String
  var settings = Settings()
  /// Whether the file reacts to `clicked`.
  var emitsClicks = false

  /// The common settings of the buttons of one group.
  struct Settings: Equatable, Sendable {
    var contact = ContactSettings()
    /// The time that the button must be down to emit `held`, 10 ms...60 s. Nil if the file neither sets this nor reacts
    /// to the event.
    var hold: Duration?
    /// The time within which a second press must follow to emit `double-clicked`, 50 ms...5 s. Nil if the file neither
    /// sets this nor reacts to the event.
    var doubleClick: Duration?
    /// Whether the button's position at the start is an event.
    var reportsStart = false
  }

  init(line: String, settings: Settings = Settings()) {
    self.line = line
    self.settings = settings
  }

  package init?(reading fields: DeviceFields) {
    settings = Settings(reading: fields)
    guard let line = fields.line("button") else { return nil }
    fields.notePullDown(at: line)
    self.line = line
  }

  package var lines: [String] { [line] }
  package var debounce: Duration { settings.contact.debounce }
  package var reportsStart: Bool { settings.reportsStart }
  package var gesture: Gesture? {
    Gesture(hold: settings.hold, doubleClick: settings.doubleClick, emitsClicks: emitsClicks)
  }

  package mutating func enable(event: Int) {
    Self.enable(event, &settings.hold, &settings.doubleClick, &emitsClicks)
  }

  /// Sets the values that a button, a key or a chord needs to emit an event, unless the file sets them.
  // Not set for other events: waiting for a double click delays each click, and an event without a reaction would run
  // the cycle for nothing.
  static func enable(_ event: Int, _ hold: inout Duration?, _ doubleClick: inout Duration?, _ emitsClicks: inout Bool) {
    switch event {
    case ButtonEvent.clicked: emitsClicks = true
    case ButtonEvent.held: hold = hold ?? .seconds(1)
    case ButtonEvent.doubleClicked: doubleClick = doubleClick ?? .milliseconds(300)
    default: break
    }
  }

  package func device(on chip: any GPIOChip) -> Button { device(on: chip, at: nil) }

  package func device(on chip: any GPIOChip, at position: Int?) -> Button {
    let contact = settings.contact
    return Button(
      chip, line: LineName(line),
      settings: .init(
        bias: Bias(contact.pull), isActiveLow: contact.active == .low, debounce: contact.debounce, hold: settings.hold,
        doubleClick: settings.doubleClick, emitsClicks: emitsClicks), isPressed: position.map { $0 == 1 })
  }

  package static func report(of event: Button.Event) -> InputReport? {
    switch event {
    case .pressed: .event(ButtonEvent.pressed)
    case .released: .event(ButtonEvent.released)
    case .held: .event(ButtonEvent.held)
    case .clicked: .event(ButtonEvent.clicked)
    case .doubleClicked: .event(ButtonEvent.doubleClicked)
    case .edgesLost(let count): .edgesLost(count ?? 1)
    }
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "push button", direction: .input,
      circuits: [.button(line: line, isActiveHigh: settings.contact.active == .high, pull: settings.contact.pull)])
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    .contact(settings.contact.contact(at: line, of: chip))
  }
}

extension ButtonKind.Settings {
  init(reading fields: DeviceFields) {
    contact = fields.contact()
    if contact.isClosedAtRest, let active = fields["active"] {
      fields.problems.note(
        active.node.position,
        "\(quoted(fields.name)) is pressed while its contact is open; leave \"active\" out if the contact closes when pressed"
      )
    }
    (hold, doubleClick) = fields.gestures(after: contact.debounce)
    reportsStart = fields.reportsStart
  }
}

extension DeviceFields {
  static let reportStartKey = Key(
    name: "report-start", takes: "true or false", shape: .flag, usual: "`false`",
    meaning: "whether the position at the start is reported as an event")

  var reportsStart: Bool { problems.flag(self["report-start"]) ?? false }

  static let gestureKeys = [
    Key(
      name: "hold", takes: "a duration: 1s", shape: .span(.milliseconds(10) ... .seconds(60)),
      usual: "`1s` if the file uses `held`",
      meaning: "time until a press is `held`. This time must be longer than `debounce`"),
    Key(
      name: "double-click", takes: "a duration: 300ms", shape: .span(.milliseconds(50) ... .seconds(5)),
      usual: "`300ms` if the file uses `double-clicked`",
      meaning: "longest time from a release to the second press"),
  ]

  /// The times for `held` and for the second press of a double click.
  func gestures(after debounce: Duration) -> (hold: Duration?, doubleClick: Duration?) {
    let hold = duration("hold")
    let doubleClick = duration("double-click")
    if let hold, hold <= debounce, let field = self["hold"] {
      problems.add(
        field.node.position,
        "\"hold\" is \(Quantity.text(hold)); it must be longer than the debounce time, \(Quantity.text(debounce))")
    }
    return (hold, doubleClick)
  }
}
