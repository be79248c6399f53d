import CycleCore
import PanelEngine
import PanelLanguage

extension PanelRules {
  /// Applies an event of a remote command.
  package func hear(_ event: RemoteCommandInput.Event, at now: Moment, in frame: inout PanelFrame) {
    switch event {
    case .input(let input, let word):
      guard panel.inputs.indices.contains(input), panel.inputs[input].device.events.indices.contains(word),
        !panel.accept.presses.contains(input) || isHeard(word, of: input, from: .remote, in: &frame)
      else { return }
      react(to: .input(input, word), at: now, in: &frame)
    case .asked(let event):
      guard panel.accept.events.indices.contains(event) else { return }
      react(to: .asked(event), at: now, in: &frame)
    case .set(let value, let number): set(value, to: number, at: now, in: &frame)
    case .change(let value, let difference):
      guard panel.values.indices.contains(value) else { return }
      set(value, to: Saturating.sum(frame[value: value], difference), at: now, in: &frame)
    }
  }

  /// Sets a value, limited to its range, and applies the consequences.
  private func set(_ value: Int, to number: Int, at now: Moment, in frame: inout PanelFrame) {
    guard panel.values.indices.contains(value) else { return }
    let definition = panel.values[value]
    applyNumber(at: now, after: .command(value), in: &frame) {
      $0[value: value] = min(definition.max, max(definition.min, number))
    }
  }
}
