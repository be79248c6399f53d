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
    ] + DeviceFields.debouncedGestureKeys + ContactSettings.keys + [DeviceFields.reportStartKey])
  package static let control = InputControl.button

  package var events: [String] { ButtonEvent.words }
  package var positions: [String] { ButtonEvent.positions }
  package func position(after event: Int) -> Int? { ButtonEvent.position(after: event) }

  var line: String
  var settings = Settings()

  /// The common settings of the buttons of one group.
  struct Settings: Equatable, Sendable {
    var contact = ContactSettings()
    var presses = GestureSettings()
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
  package var gesture: Gesture? { settings.presses.gesture }

  package mutating func enable(event: Int) { settings.presses.enable(event: event) }

  package func device(on chip: any GPIOChip) -> Button { device(on: chip, at: nil) }

  package func device(on chip: any GPIOChip, at position: Int?) -> Button {
    let (contact, presses) = (settings.contact, settings.presses)
    return Button(
      chip, line: LineName(line),
      settings: .init(
        bias: Bias(contact.pull), isActiveLow: contact.active == .low, debounce: contact.debounce, hold: presses.hold,
        repetition: presses.repetition, doubleClick: presses.doubleClick, mostClicks: presses.mostClicks,
        emitsClicks: presses.emitsClicks), isPressed: position.map { $0 == 1 })
  }

  package static func report(of event: Button.Event) -> InputReport? {
    if case .edgesLost(let count) = event { return .edgesLost(count ?? 1) }
    return ButtonEvent.place(of: event).map { .event($0) }
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
    presses = fields.gestures(after: contact.debounce)
    reportsStart = fields.reportsStart
  }
}

extension DeviceFields {
  static let reportStartKey = Key(
    name: "report-start", takes: "true or false", shape: .flag, usual: "`false`",
    meaning: "whether the position at the start is reported as an event")

  var reportsStart: Bool { problems.flag(self["report-start"]) ?? false }
}
