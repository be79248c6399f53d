import HardwareDrivers
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// `bar: { bar: [GPIO12, GPIO13, GPIO16] }`
package struct BarKind: LineOutputKind {
  package static let grammar = FieldSet(
    name: "a bar", summary: "row of 1 to 32 lamps that shows a number", sample: "bar: { bar: [GPIO12, GPIO13] }",
    keys: [
      Key(name: "bar", takes: "a list of 1...32 lines: [GPIO12, GPIO13]", shape: .list(of: .line, count: 1...32)),
      Key(
        name: "from", takes: "start or end", shape: .choice(End.self), usual: "`start`",
        meaning: "end of the list whose lamp is lit first"),
      ActiveLevel.key,
    ])

  /// An end of the row.
  private enum End: String, CaseIterable, Sendable {
    case start, end
  }

  /// The lines of the lamps, 1...32.
  package var lines: [String]
  /// Whether the last lamp is lit first.
  private var isReversed = false
  /// The level that lights a lamp.
  var active = ActiveLevel.high

  init(lines: [String], active: ActiveLevel = .high) {
    self.lines = lines
    self.active = active
  }

  package init?(reading fields: DeviceFields) {
    active = fields.choice("active") ?? .high
    isReversed = fields.choice("from") == End.end
    guard let lines = fields.lines("bar") else { return nil }
    self.lines = lines
  }

  package var pagePicture: PagePicture { .bar(lines.count) }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "LED bar", direction: .output, circuits: [.leds(lines: lines, isActiveHigh: active == .high)])
  }

  package func device(on chip: any GPIOChip) -> LEDBar {
    var settings = LEDBar.Settings()
    settings.isActiveLow = active == .low
    let names = lines.map { LineName($0) }
    return LEDBar(chip, lines: isReversed ? names.reversed() : names, settings: settings)
  }

  package func model(of appearance: OutputAppearance, in values: PanelValues) -> LEDBar.Model {
    .init(level: lamps(appearance, in: values))
  }

  /// The number of lit lamps.
  private func lamps(_ appearance: OutputAppearance, in values: PanelValues) -> Int {
    switch appearance {
    case .off, .writing, .special: 0
    case .on, .blink, .pulse: lines.count
    case .count(let lamps): lamps
    case .value(let value): Int((values.share(of: value) * Double(lines.count)).rounded())
    case .level(let level): Int((level * Double(lines.count)).rounded())
    }
  }

  // MARK: - Appearance

  package static var shown: Shape { .oneOf([.whole(0...32), .value]) }

  package var rest: OutputAppearance { .count(0) }

  package func appearance(reading show: ShowField) -> OutputAppearance? {
    guard case .scalar(let text) = show.node.content, text != "on", text != "off" else { return addMisfit(show) }
    if let count = Quantity.whole(text) {
      if (0...lines.count).contains(count) { return .count(count) }
      show.problems.add(
        show.node.position, "bar \(quoted(show.entry.key)) can't show \(count); it has \(counted(lines.count, "lamp"))")
      return nil
    }
    if text.first?.isNumber ?? true { return addMisfit(show) }
    return show.value(text).map { .value($0) }
  }

  private func addMisfit(_ show: ShowField) -> OutputAppearance? {
    show.addMisfit("bar", "a number of lamps, 0...\(lines.count), or a value")
    return nil
  }

  // MARK: - Look

  package var expectation: String { "a number of lamps 0...\(lines.count)" }

  package func look(named text: String) -> ObservedOutput? {
    Quantity.whole(text).flatMap { (0...lines.count).contains($0) ? .count($0) : nil }
  }

  package func look(of appearance: OutputAppearance, in view: OutputView) -> ObservedOutput {
    guard view.chip != nil else { return .count(lamps(appearance, in: view.values)) }
    return .count(lines.count { view.isActive($0, active) == true })
  }

  package func picture(of look: ObservedOutput, in view: OutputView) -> String {
    guard case .count(let count) = look else { return "\(look)" }
    let lit = min(count, lines.count)
    return Style.yellow + String(repeating: "▮", count: lit) + Style.plain
      + String(repeating: "▯", count: lines.count - lit) + "  \(count)"
  }
}
