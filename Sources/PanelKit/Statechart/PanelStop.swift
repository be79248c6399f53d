import Terminal

/// Why nothing happens on a panel any more. Its outputs are as in `safe:`, it is silent, and it hears nothing.
enum PanelStop: Equatable, Sendable {
  /// Transitions that follow from each other were broken off: they would go on for ever. The states are the last that they have
  /// led to.
  case endless([Int])
  /// Deadlines that don't wait were broken off in the same way: the state that has the last of them, and the one that it leads to.
  case restless([Int])
  /// A relay has opened and closed again and again without anything else happening: its output.
  case chattering(Int)
  /// What must never be has come about: the property, by its place in ``PanelDefinition/nevers``, what it came after, and in which
  /// states the panel was then.
  case violated(Int, after: Cause, in: String)

  enum Cause: Equatable, Sendable {
    case start
    case event(PanelEvent)
    case deadline(PanelDeadline)
    /// What a sensor has read, by the input's index.
    case reading(Int)
    /// The position in which an input was found, by its index.
    case found(Int)
    /// A relay has closed or opened, by its output.
    case contact(Int)
    /// What a value was set to from outside, by its place.
    case command(Int)
  }

  /// Whether a running panel stays so until it is told to end: it must not be started anew by itself.
  var stays: Bool { if case .violated = self { true } else { false } }

  /// The exit status of a panel that ends so.
  var exitStatus: Int32 {
    switch self {
    case .endless, .restless, .chattering: ExitStatus.failed
    case .violated: ExitStatus.propertyViolated
    }
  }

  /// The reason in two or three words.
  func title(in panel: PanelDefinition) -> String {
    switch self {
    case .endless: "when in an endless loop"
    case .restless: "after in an endless loop"
    case .chattering(let output): "\(panel.outputs[output].name) switches without end"
    case .violated(let never, _, _): panel.nevers[never].name
    }
  }

  /// The reason in a sentence.
  func text(in panel: PanelDefinition) -> String {
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

  /// The whole line of a log.
  func line(of panel: PanelDefinition) -> String {
    "\(text(in: panel)); all outputs are in their safe state\(stays ? " until the panel is restarted" : "")"
  }
}

extension PanelDefinition {
  fileprivate func stateNames(_ numbers: [Int]) -> String { numbers.map { states[$0].name }.joined(separator: ", ") }
}

extension PanelStop.Cause {
  /// The cause by its words in the file: `key.clicked`, `after 20s`, `every 10ms`.
  func name(in panel: PanelDefinition) -> String {
    guard case .deadline(let deadline) = self, let (state, index) = deadline.ofState else { return text(in: panel) }
    return panel.states[state].after[index].recurrence == .once ? "after \(text(in: panel))" : text(in: panel)
  }

  /// The cause in a sentence, behind "after".
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

extension PanelDefinition.Delay {
  /// As it is written: `20s`, `1s..4s`, a value's name.
  func text(in panel: PanelDefinition) -> String {
    switch self {
    case .fixed(let duration): Quantity.text(duration)
    case .drawn(let range, _):
      "\(Quantity.text(.milliseconds(range.lowerBound)))..\(Quantity.text(.milliseconds(range.upperBound)))"
    case .value(let value, _): panel.values[value].name
    }
  }
}
