import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `mute: { switch: GPIO27 }`, or with its own words for on and off: `door: { switch: GPIO13, words: { on: shut, off:
/// open } }`
package struct SwitchKind: LineInputKind {
  package static let grammar = FieldSet(
    name: "a switch", summary: "contact that keeps its position, at a line; or a computed condition",
    sample: "mute: { switch: GPIO27 }",
    keys: [
      Key(
        name: "switch", takes: "a line: GPIO17, or conditions: { on: air > 28, off: air < 25 }",
        shape: .oneOf([.line, .fields(ComputedSwitchKind.conditions)]),
        meaning:
          "line of the contact, such as `GPIO17`. A computed switch has no contact. For a computed switch, write a map of "
          + "conditions, such as `{ on: air > 28, off: air < 25 }`"),
      Key(
        name: "words", takes: "a map: { on: shut, off: open }", shape: .fields(wordsGrammar),
        usual: "`{ on: on, off: off }`", meaning: "names of the two positions, and of the events"),
    ] + ContactSettings.makeKeys(debounce: SwitchDebounce.key) + [DeviceFields.reportStartKey])
  package static let plural = "switches"
  package static let control = InputControl.switch

  package var events: [String] { [words.on, words.off] }
  package var positions: [String] { [words.off, words.on] }
  package func position(after event: Int) -> Int? { event == SwitchEvent.on ? 1 : 0 }

  /// The file's words for the two positions.
  struct Words: Equatable, Sendable {
    var on = "on"
    var off = "off"
  }

  var line: String
  var contact = ContactSettings()
  var words = Words()
  private let times: SwitchDebounce
  package var reportsStart = false

  init(line: String, words: Words = Words()) {
    (self.line, self.words) = (line, words)
    times = SwitchDebounce(on: contact.debounce, off: contact.debounce)
  }

  package init?(reading fields: DeviceFields) {
    contact = fields.contact()
    times = fields.switchDebounce(usual: contact.debounce)
    if let words = Self.words(fields) { self.words = words }
    reportsStart = fields.reportsStart
    guard let line = fields.line("switch") else { return nil }
    fields.notePullDown(at: line)
    self.line = line
  }

  /// A switch with a map instead of a line is derived from other inputs.
  package static func members(reading fields: DeviceFields) -> [any InputKind]? {
    if case .map = fields["switch"]?.node.content { return ComputedSwitchKind(reading: fields).map { [$0] } }
    return SwitchKind(reading: fields).map { [$0] }
  }

  package var lines: [String] { [line] }
  package var debounce: Duration { times.shorter }
  package var longestDebounce: Duration { times.longer }
  package func settlingTime(to position: Int) -> Duration { times.time(to: position) }

  static let wordsGrammar = FieldSet(
    name: "words",
    keys: [
      Key(name: "on", takes: "a word: shut", isRequired: true, shape: .name, meaning: "your name of the position `on`"),
      Key(
        name: "off", takes: "a word: open", isRequired: true, shape: .name, meaning: "your name of the position `off`"),
    ])

  static func words(_ device: DeviceFields) -> Words? {
    let problems = device.problems
    guard let field = device["words"], let fields = problems.fields(field.node, wordsGrammar, at: field.position),
      let on = problems.text(fields["on"]), let off = problems.text(fields["off"])
    else { return nil }
    for (key, word) in [("on", on), ("off", off)] {
      guard let position = fields[key]?.node.position, Names.isGood(word, at: position, problems) else { return nil }
    }
    guard on != off else {
      problems.add(field.position, "both positions are called \(quoted(on)); give each a different word")
      return nil
    }
    return Words(on: on, off: off)
  }

  package func device(on chip: any GPIOChip) -> Switch { device(on: chip, at: nil) }

  package func device(on chip: any GPIOChip, at position: Int?) -> Switch {
    var settings = Switch.Settings()
    settings.bias = Bias(contact.pull)
    settings.isActiveLow = contact.active == .low
    (settings.debounce, settings.offDebounce) = (times.on, times.off)
    return Switch(chip, line: LineName(line), settings: settings, isOn: position.map { $0 == 1 })
  }

  package static func report(of event: Switch.Event) -> InputReport? {
    switch event {
    case .on: .event(SwitchEvent.on)
    case .off: .event(SwitchEvent.off)
    case .edgesLost(let count): .edgesLost(count ?? 1)
    }
  }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "switch", direction: .input,
      circuits: [
        .switch(line: line, isActiveHigh: contact.active == .high, pull: contact.pull, word: words.on)
      ])
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> SimulatedInput {
    .contact(contact.contact(at: line, of: chip))
  }
}
