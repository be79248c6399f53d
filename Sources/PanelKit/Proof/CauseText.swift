import PanelEngine
import PanelLanguage

extension ProofModel {
  /// The name of a move: `key.clicked`, `after 20s`, `gpio.lost`.
  ///
  /// - Parameter alarms: the alarms of the situation.
  func cause(of move: Move, in situation: Situation, _ alarms: [TimedEvent]) -> String {
    switch move {
    case .start: return "(start)"
    case .pass: return "(time)"
    case .lose(let hardware): return panel.name(of: .lost(hardware))
    case .restore(let hardware): return panel.name(of: .restored(hardware))
    case .ask(let event): return panel.name(of: .asked(Int(event)))
    case .set(let value, let number):
      let definition = panel.values[Int(value)]
      return "set \(definition.name) \(definition.text(of: number))"
    case .event(let input, let event, let number):
      let name = panel.name(of: .input(Int(input), Int(event)))
      guard number >= 0, case .events(_, _, let numbers) = inputs[Int(input)],
        let scale = panel.inputs[Int(input)].device.scale
      else { return name }
      if panel.clockPart(of: Int(input)) != nil {
        return "\(panel.inputs[Int(input)].name) is \(scale.text(of: numbers[Int(number)]))"
      }
      return "\(name) \(scale.text(of: numbers[Int(number)]))"
    case .loseSensor(let input): return panel.name(of: .input(Int(input), Presence.lost))
    case .loseClock: return "clock is unknown"
    case .reading(let input, let place):
      guard case .sensor(let numbers) = inputs[Int(input)], let scale = panel.inputs[Int(input)].device.scale else {
        return panel.inputs[Int(input)].name
      }
      return "\(panel.inputs[Int(input)].name) reads \(Quantity.text(numbers[Int(place)], decimals: scale.decimals))"
    case .find(let input, let position):
      return "\(panel.inputs[Int(input)].name) is \(panel.inputs[Int(input)].device.word(ofPosition: Int(position)))"
    case .contact(let input):
      let input = Int(input)
      switch inputs[input] {
      case .position(let events):
        return panel.name(of: .input(input, events[1 - situation.frame[position: input]]))
      case .button(let button): return name(of: button.move(in: situation.phases[input]), input)
      case .none, .events, .sensor: return panel.inputs[input].name
      }
    case .alarm(let place):
      switch alarms[Int(place)].source {
      case .deadline(let deadline): return HaltReason.Cause.deadline(deadline).name(in: panel)
      case .sound(let sound, _): return panel.name(of: .finished(sound: sound))
      case .gesture(let input, let phase):
        guard case .button(let button) = inputs[input], let timeout = button.timeout(of: phase) else {
          return panel.inputs[input].name
        }
        let heard = timeout.step.events.filter { slice.events.contains(.input(input, $0)) }
        guard heard.count > 1 else { return name(of: timeout.step, input) }
        return heard.map { panel.name(of: .input(input, $0)) }.joined(separator: ", ")
      case .relay(let output, let step):
        let word =
          switch step {
          case .opens: "opens"
          case .closes: "closes"
          case .rests: "rests"
          }
        return "\(panel.outputs[output].name) \(word)"
      case .contact(let input, _): return panel.inputs[input].name
      case .age(let region, _): return panel.regions[region].name ?? "elapsed"
      }
    }
  }

  /// The name of the event of a step that the panel reacts to.
  private func name(of step: ButtonModel.Step, _ input: Int) -> String {
    let heard = step.events.last { slice.events.contains(.input(input, $0)) }
    return (heard ?? step.events.first).map { panel.name(of: .input(input, $0)) } ?? panel.inputs[input].name
  }
}
