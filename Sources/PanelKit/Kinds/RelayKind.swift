import HardwareDrivers
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `lock: { relay: GPIO24 }`
package struct RelayKind: LineOutputKind {
  package static let grammar = FieldSet(
    name: "a relay", summary: "relay, lock, motor", sample: "lock: { relay: GPIO24, active: low }",
    keys: [Key(name: "relay", takes: "a line: GPIO24", shape: .line), ActiveLevel.key, restKey])

  private static let restKey = Key(
    name: "rest", takes: "a duration: 5m", shape: .span(.zero ... .seconds(3600)), usual: "`0s`",
    meaning: "time for which the relay stays open after it has opened. A compressor needs a few minutes")

  var line: String
  /// The level that closes the relay.
  var active = ActiveLevel.high
  package var restTime = Duration.zero

  init(line: String, active: ActiveLevel = .high, restTime: Duration = .zero) {
    (self.line, self.active, self.restTime) = (line, active, restTime)
  }

  package init?(reading fields: DeviceFields) {
    active = fields.choice("active") ?? .high
    restTime = fields.duration("rest") ?? .zero
    guard let line = fields.line("relay") else { return nil }
    self.line = line
  }

  package var lines: [String] { [line] }
  package var pagePicture: PagePicture { .contact }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "relay board", direction: .output, circuits: [.relay(line: line, isActiveHigh: active == .high)]
    )
  }

  package func device(on chip: any GPIOChip) -> Relay {
    var settings = Relay.Settings()
    settings.isActiveLow = active == .low
    return Relay(chip, line: LineName(line), settings: settings)
  }

  package func model(of appearance: OutputAppearance, in values: PanelValues) -> Relay.Model {
    appearance == .on ? .on : .off
  }

  package static var isActing: Bool { true }
  package static var shown: Shape { .switched }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    if let switched = show.switched { return switched }
    show.addMisfit("relay", "on or off")
    return nil
  }

  package var expectation: String { "off or on" }

  package func look(named text: String) -> ObservedOutput? {
    switch text {
    case "off": .off
    case "on": .on
    default: nil
    }
  }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    view.isActive(line, active) ?? (appearance == .on) ? .on : .off
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    look == .on ? "\(Style.yellow)■\(Style.plain)  on" : "□  off"
  }
}
