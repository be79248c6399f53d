import Terminal

/// Finds events that a state of a `resume` waits for and that may have occurred while the panel was off. The position
/// of an input at the start is not an event.
struct ResumeNotes {
  let panel: PanelDefinition
  let problems: ProblemList
  private let tree: StateTree

  init(panel: PanelDefinition, problems: ProblemList) {
    self.panel = panel
    self.problems = problems
    tree = StateTree(panel)
  }

  /// Adds a note for each such event, unless the state also has a condition on the position.
  func addNotes() {
    var told: Set<Position> = []
    for resume in panel.regions.flatMap(\.resume) {
      for state in entered(with: resume.state) {
        for reaction in panel.states[state].on {
          guard let first = reaction.transitions.first,
            let target = reaction.transitions.lazy.compactMap(\.target).first,
            let position = first.written.source?.position, let over = over(reaction.event),
            !asks(over.subject, in: state), told.insert(position).inserted
          else { continue }
          let condition = first.condition == nil ? over.condition : "\(over.condition) and …"
          problems.note(
            position,
            "after a power cut \(quoted(panel.states[resume.state].name)) begins again, and \(quoted(over.name)) may be "
              + "\(over.word) already: \(panel.name(of: reaction.event)) does not occur then; write when: { "
              + "\(condition): \(panel.states[target.state].name) }")
        }
      }
    }
  }

  /// Returns a state and the inner states that are entered with it.
  private func entered(with state: Int) -> [Int] {
    var states = [state]
    var place = 0
    while place < states.count {
      states += panel.states[states[place]].regions.map { panel.regions[$0].initial }
      place += 1
    }
    return states
  }

  private enum Subject {
    case input(Int)
    case hardware(PluggableHardware)
  }

  /// Returns the condition that may hold at the start without the event; nil for an event without a lasting position. A
  /// press that began while the panel was off ends soon.
  private func over(_ event: PanelEvent) -> (subject: Subject, name: String, word: String, condition: String)? {
    switch event {
    case .input(let input, let word):
      let device = panel.inputs[input].device
      guard device.isReadAtStart, !device.reportsStart, let position = device.position(after: word),
        type(of: device).control != .button || position == 0
      else { return nil }
      let (name, text) = (panel.inputs[input].name, device.word(ofPosition: position))
      return (.input(input), name, text, "\(name) == \(text)")
    case .lost(let hardware) where hardware.hasLines:
      let name = panel.name(of: hardware)
      return (.hardware(hardware), name, "lost", "\(name) == lost")
    default: return nil
    }
  }

  /// Whether a `when` of a state, or of one around it, uses the position.
  private func asks(_ subject: Subject, in state: Int) -> Bool {
    tree.chain(from: state).contains { outer in
      panel.states[outer].when.contains { transition in
        var asked = Dependencies()
        asked.add(transition.condition)
        return switch subject {
        case .input(let input): asked.positions.contains(input)
        case .hardware(let hardware): asked.hardware.contains(hardware)
        }
      }
    }
  }
}
