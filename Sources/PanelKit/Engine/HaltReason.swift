import PanelLanguage
import Terminal

/// The reason why a panel has stopped. Its outputs are as in `safe:`, it is silent, and it ignores all events.
package enum HaltReason: Equatable, Sendable {
  /// Transitions follow from each other in an endless loop. The states are the last ones that they led to.
  case endless([Int])
  /// Deadlines without a wait follow from each other in an endless loop: the state of the last deadline, and the state
  /// that it leads to.
  case restless([Int])
  /// A relay has opened and closed repeatedly without any other event: its output.
  case chattering(Int)
  /// A forbidden condition holds: the place of the property in ``PanelDefinition/nevers``, the cause, and the states
  /// before it.
  case violated(Int, after: Cause, in: String)

  package enum Cause: Equatable, Sendable {
    case start
    case event(PanelEvent)
    case deadline(PanelDeadline)
    /// A reading of a sensor, by the input's index.
    case reading(Int)
    /// The position in which an input was found, by its index.
    case found(Int)
    /// A relay has closed or opened, by its output.
    case contact(Int)
    /// A value was set by a remote command, by its place.
    case command(Int)
  }

  /// Whether a running panel stays stopped until it is ended. It must not be restarted automatically.
  package var stays: Bool { if case .violated = self { true } else { false } }

  /// The exit status of a panel that stops for this reason.
  package var exitStatus: Int32 {
    switch self {
    case .endless, .restless, .chattering: ExitStatus.failed
    case .violated: ExitStatus.propertyViolated
    }
  }

  /// The reason in a few words.
  package func title(in panel: PanelDefinition) -> String {
    switch self {
    case .endless: "when in an endless loop"
    case .restless: "after in an endless loop"
    case .chattering(let output): "\(panel.outputs[output].name) switches without end"
    case .violated(let never, _, _): panel.nevers[never].name
    }
  }

  /// The reason as a sentence.
  package func text(in panel: PanelDefinition) -> String {
    switch self {
    case .endless(let states):
      return "endless loop of \"when\": \(panel.stateNames(states))"
    case .restless(let states):
      return "endless loop of \"after\": \(panel.stateNames(states))"
    case .chattering(let output):
      return "relay \(quoted(panel.outputs[output].name)) opens and closes without end"
    case .violated(let never, let cause, let states):
      let never = panel.nevers[never]
      let violation = "never \(never.name): \(never.text), after \(cause.text(in: panel))"
      return states.isEmpty ? violation : "\(violation) in \(states)"
    }
  }

  /// The complete log line.
  package func line(of panel: PanelDefinition) -> String {
    "\(text(in: panel)); all outputs are in their safe state\(stays ? " until the panel is restarted" : "")"
  }
}

extension PanelDefinition {
  fileprivate func stateNames(_ numbers: [Int]) -> String { numbers.map { states[$0].name }.joined(separator: ", ") }
}

extension HaltReason.Cause {
  /// The cause in the words of the file: `key.clicked`, `after 20s`, `every 10ms`.
  package func name(in panel: PanelDefinition) -> String {
    guard case .deadline(let deadline) = self, let (state, index) = deadline.ofState else { return text(in: panel) }
    return panel.states[state].after[index].recurrence == .once ? "after \(text(in: panel))" : text(in: panel)
  }

  /// The cause as text after "after".
  func text(in panel: PanelDefinition) -> String {
    switch self {
    case .start: return "the start"
    case .event(let event): return panel.name(of: event)
    case .command(let value): return "a command for \(panel.values[value].name)"
    case .reading(let input): return "a reading of \(panel.inputs[input].name)"
    case .contact(let output): return "a move of relay \(panel.outputs[output].name)"
    case .found(let input): return "the first reading of \(panel.inputs[input].name)"
    case .deadline(let deadline):
      switch deadline.owner {
      case .begin: return "the start"
      case .input(let input, _): return "a timer of \(panel.inputs[input].name)"
      case .state(let state, let index):
        let after = panel.states[state].after[index]
        let word =
          switch after.recurrence {
          case .once: ""
          case .again: "every "
          case .untouched: "untouched "
          }
        return word + after.delay.text(in: panel)
      }
    }
  }
}
