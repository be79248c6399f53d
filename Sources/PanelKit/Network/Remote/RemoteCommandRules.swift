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
      let sum = Saturating.sum(frame[value: value].wide, difference.wide)
      let isTime = panel.values[value].isTime
      set(value, to: (isTime ? Saturating.remainder(sum, 1440) : sum).narrow, at: now, in: &frame)
    }
  }
}
