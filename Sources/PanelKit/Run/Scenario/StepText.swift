import PanelLanguage
import PanelNetwork

/// Converts steps of the world to text: to a line, as in a recording or on a console, and to an item of a scenario
/// file.
package struct StepText {
  private let panel: PanelDefinition

  package init(of panel: PanelDefinition) {
    self.panel = panel
  }

  /// A line: `press bell`, `turn knob=-3`; nil for a step that isn't one of the world.
  package func line(_ step: Step) -> String? {
    if case .restart(let restart) = step {
      return "restart " + restart.fields.map { "\($0)=\($1)" }.joined(separator: " ")
    }
    guard let (word, names, value) = parts(step) else { return nil }
    let list = names.joined(separator: ",")
    return list.isEmpty ? "\(word) \(value ?? "")" : "\(word) \(list)\(value.map { "=\(Self.word($0))" } ?? "")"
  }

  /// An item: `press: bell`, `turn: { knob: -3 }`, `wait: 3s`; nil for a step that only checks.
  package func item(_ step: Step) -> String? {
    if case .restart(let restart) = step {
      return "restart: { \(restart.fields.map { "\($0): \($1)" }.joined(separator: ", ")) }"
    }
    guard let (word, names, value) = parts(step) ?? timedParts(step) else { return nil }
    if case .draw = step { return "\(word): [ \(value?.split(separator: ",").joined(separator: ", ") ?? "") ]" }
    guard let value else {
      return names.count == 1 ? "\(word): \(names[0])" : "\(word): [ \(names.joined(separator: ", ")) ]"
    }
    return names.isEmpty ? "\(word): \(value)" : "\(word): { \(names[0]): \(value) }"
  }

  /// A text as one word of a line.
  private static func word(_ text: String) -> String { text.contains(" ") ? "\"\(text)\"" : text }

  /// The word of a step, the names after it, and the value of the name or of the word.
  private func parts(_ step: Step) -> (word: String, names: [String], value: String?)? {
    func input(_ number: Int) -> String { panel.inputs[number].name }
    switch step {
    case .press(let inputs): return ("press", inputs.map(input), nil)
    case .release(let inputs): return ("release", inputs.map(input), nil)
    case .turn(let number, let detents): return ("turn", [input(number)], "\(detents)")
    case .switch(let number, let isOn):
      return ("switch", [input(number)], panel.inputs[number].device.positions[isOn ? 1 : 0])
    case .unplug(let hardware): return ("unplug", [panel.name(of: hardware)], nil)
    case .plug(let hardware): return ("plug", [panel.name(of: hardware)], nil)
    case .sense(let number, let reading):
      return ("sense", [input(number)], panel.inputs[number].device.scale?.text(of: reading) ?? "\(reading)")
    case .event(let number, let event, let carried):
      let device = panel.inputs[number].device
      if type(of: device).control == .selector, let position = device.position(after: event) {
        return ("switch", [input(number)], device.positions[position])
      }
      let text = carried.map { device.scale?.text(of: $0) ?? "\($0)" }
      return ("event", [input(number)], ([device.events[event]] + [text].compactMap { $0 }).joined(separator: " "))
    case .unplugSensor(let number): return ("unplug", [input(number)], nil)
    case .plugSensor(let number): return ("plug", [input(number)], nil)
    case .unplugPort(let port): return ("unplug", [port], nil)
    case .plugPort(let port): return ("plug", [port], nil)
    case .remote(let command): return ("remote", [command.name(in: panel)], command.value(in: panel))
    case .draw(let results): return ("draw", [], results.map(String.init).joined(separator: ","))
    case .busy(let devices): return ("busy", devices.map(name), nil)
    case .idle(let devices): return ("idle", devices.map(name), nil)
    case .jam(let number, let position):
      return ("jam", [input(number)], panel.inputs[number].device.positions[position])
    case .free(let number): return ("free", [input(number)], nil)
    case .stutter(let span): return ("stutter", [], Quantity.text(span))
    case .powerCut(let span): return ("power-cut", [], Quantity.text(span))
    case .restart: return nil
    case .bounce(let number, let span): return ("bounce", [input(number)], Quantity.text(span))
    case .seed(let seed): return ("seed", [], "\(seed)")
    case .clock(let time): return ("clock", [], "\"\(time.text)\"")
    case .click, .hold, .wait, .nothing, .heard, .expect, .show, .reload: return nil
    }
  }

  /// Like ``parts(_:)``, for steps that take time. A recording has them as a press, a release and their moments.
  private func timedParts(_ step: Step) -> (word: String, names: [String], value: String?)? {
    switch step {
    case .click(let inputs): ("click", inputs.map { panel.inputs[$0].name }, nil)
    case .hold(let input, let span): ("hold", [panel.inputs[input].name], Quantity.text(span))
    case .wait(.span(let span)): ("wait", [], Quantity.text(span))
    case .reload(let panel): ("reload", [], panel.file)
    default: nil
    }
  }

  private func name(_ device: DeviceReference) -> String {
    switch device {
    case .input(let number): panel.inputs[number].name
    case .output(let number): panel.outputs[number].name
    }
  }
}
