import PanelEngine
import PanelLanguage

/// A `between` switch with the sun in a search that does not follow the clock: it moves at any time, and becomes unknown
/// together with the clock. That is more than can happen, so such a search proves, but a violation that it finds may not
/// exist.
struct PeriodSwitch: InputKind {
  static let grammar = FieldSet(
    name: "a period of the day", keys: [Key(name: "switch", takes: "nothing, because no file has it", shape: .text)])
  static let control = InputControl.switch
  static var isTouched: Bool { false }

  let events: [String]
  let positions: [String]
  let reportsStart: Bool
  var lines: [String] { [] }

  init?(reading fields: DeviceFields) { nil }

  private init(inPlaceOf device: any InputKind) {
    (events, positions, reportsStart) = (device.events, device.positions, device.reportsStart)
  }

  func position(after event: Int) -> Int? { event == SwitchEvent.on ? 1 : 0 }

  /// The panel with such switches in place of all `between` switches with the sun; nil if it has none.
  static func panel(inPlaceOf panel: PanelDefinition) -> PanelDefinition? {
    let sun = [ClockDefinition.Part.sunrise, .sunset].compactMap { panel.clock?.inputs[$0] }
    var changed: PanelDefinition?
    for (input, definition) in panel.inputs.enumerated() {
      guard let rule = definition.device.derivation?.ofSwitch, rule.isForgetful else { continue }
      var asked = Dependencies()
      asked.add(rule.isOn)
      if asked.readings.isDisjoint(with: sun) { continue }
      changed = changed ?? panel
      changed?.inputs[input].device = PeriodSwitch(inPlaceOf: definition.device)
    }
    return changed
  }
}
