import HardwareDrivers
import HardwareSimulation

/// `mute: { switch: GPIO27 }`
struct SwitchKind: LineInputKind {
  static let grammar = Place(
    name: "a switch", keys: [Key(name: "switch", takes: "a line: GPIO17")] + ContactSettings.keys)
  static let plural = "switches"
  static let control = InputControl.switch

  static let (on, off) = (0, 1)
  var events: [String] { ["on", "off"] }

  var line: String
  var contact = ContactSettings()

  init(line: String, contact: ContactSettings = ContactSettings()) {
    self.line = line
    self.contact = contact
  }

  init?(reading fields: DeviceFields) {
    contact = fields.contact()
    guard let line = fields.line("switch") else { return nil }
    fields.notePullDown(at: line)
    self.line = line
  }

  var lines: [String] { [line] }
  var debounce: Duration { contact.debounce }

  func device(on chip: any GPIOChip) -> Switch {
    var settings = Switch.Settings()
    settings.bias = Bias(contact.pull)
    settings.isActiveLow = contact.active == .low
    settings.debounce = contact.debounce
    return Switch(chip, line: LineName(line), settings: settings)
  }

  static func report(of event: Switch.Event) -> InputReport? {
    switch event {
    case .on: .event(on)
    case .off: .event(off)
    case .edgesLost(let count): .edgesLost(count ?? 1)
    }
  }

  func world(on chip: SimulatedChip, _ bench: Bench) -> InputWorld { .contact(contact.contact(at: line, of: chip)) }
}
