import Terminal

/// Finds events that a state of a `resume` waits for and that may have occurred while the panel was off. The position
/// of an input at the start is not an event; the loss of a chip is one, so it is not noted.
struct DowntimeEventNotes {
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
            !asks(over.input, in: state), told.insert(position).inserted
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

  /// Returns the condition that may hold at the start without the event; nil for an event without a lasting position. A
  /// press that began while the panel was off ends soon.
  private func over(_ event: PanelEvent) -> (input: Int, name: String, word: String, condition: String)? {
    guard case .input(let input, let word) = event else { return nil }
    let device = panel.inputs[input].device
    guard device.isReadAtStart, !device.reportsStart, let position = device.position(after: word),
      type(of: device).control != .button || position == 0
    else { return nil }
    let (name, text) = (panel.inputs[input].name, device.word(ofPosition: position))
    return (input, name, text, "\(name) == \(text)")
  }

  /// Whether a `when` of a state, or of one around it, uses the position.
  private func asks(_ input: Int, in state: Int) -> Bool {
    tree.chain(from: state).contains { outer in
      panel.states[outer].when.contains { transition in
        var asked = Dependencies()
        asked.add(transition.condition)
        return asked.positions.contains(input)
      }
    }
  }
}
