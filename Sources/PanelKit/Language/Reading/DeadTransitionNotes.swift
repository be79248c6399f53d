import Terminal

/// Finds parts of a state that never have an effect, or that end immediately.
struct DeadTransitionNotes {
  let panel: PanelDefinition
  let problems: ProblemList
  private let tree: StateTree

  init(panel: PanelDefinition, problems: ProblemList) {
    self.panel = panel
    self.problems = problems
    tree = StateTree(panel)
  }

  func addNotes() {
    for state in panel.states.indices {
      noteHiddenTimes(in: state)
      noteUntouchable(in: state)
      if state > 0 { noteClicksBack(from: state) }
    }
  }

  // MARK: - Times

  /// Adds a note for each deadline of a state that is after a time at which the state, or one around it, has certainly
  /// been left.
  private func noteHiddenTimes(in state: Int) {
    let ends = tree.chain(from: state).filter { $0 != 0 }.compactMap { outer in end(of: outer).map { (outer, $0) } }
    for (place, deadline) in panel.states[state].after.enumerated() {
      guard let position = position(of: deadline) else { continue }
      let earliest = span(of: deadline.delay).lowerBound
      let end = ends.first { outer, end in
        end.span < earliest || outer == state && end.span == earliest && end.place < place
      }
      guard let (outer, end) = end, outer != state || end.place != place else { continue }
      let what = outer == state ? "this state" : "state \(quoted(panel.states[outer].name))"
      problems.note(
        position, "never fires: after \(Quantity.text(.milliseconds(end.span))) \(what) is no longer current")
    }
  }

  /// The first time after which a state has certainly been left, in milliseconds, and its index among the deadlines of
  /// the state.
  private func end(of state: Int) -> (span: Int, place: Int)? {
    var first: (span: Int, place: Int)?
    for (place, deadline) in panel.states[state].after.enumerated() where deadline.recurrence == .once {
      let longest = span(of: deadline.delay).upperBound
      guard let last = deadline.transitions.last, last.condition == nil,
        deadline.transitions.allSatisfy({ $0.target.map { leaves(state, to: $0.state) } ?? false })
      else { continue }
      if longest < first?.span ?? .max { first = (longest, place) }
    }
    return first
  }

  /// Whether a transition leaves a state. A transition to a state inside it doesn't.
  private func leaves(_ state: Int, to target: Int) -> Bool {
    target == state || !tree.chain(from: target).contains(state)
  }

  /// The shortest and the longest time of a deadline, in milliseconds.
  private func span(of delay: PanelDefinition.Delay) -> ClosedRange<Int> {
    switch delay {
    case .fixed(let duration):
      let milliseconds = duration.wholeMilliseconds ?? Int(duration.components.seconds) * 1000
      return milliseconds...milliseconds
    case .drawn(let range, _): return range
    case .value(let value, _): return panel.values[value].min...panel.values[value].max
    }
  }

  private func position(of deadline: PanelDefinition.Deadline) -> Position? {
    deadline.transitions.first?.written.source?.position
  }

  /// Adds a note for each `untouched` of a panel without an input that can be touched.
  private func noteUntouchable(in state: Int) {
    guard !panel.inputs.contains(where: { type(of: $0.device).isTouched }) else { return }
    for deadline in panel.states[state].after {
      guard case .untouched = deadline.recurrence, let position = position(of: deadline) else { continue }
      let remedy =
        state == 0
        ? "leave it out" : "write after: { \(deadline.delay.text(in: panel)): \(target(of: deadline) ?? "STATE") }"
      problems.note(
        position, "this panel has nothing to touch: no button, keypad, switch or encoder; \(remedy)")
    }
  }

  private func target(of deadline: PanelDefinition.Deadline) -> String? {
    deadline.transitions.first?.target.map { panel.states[$0.state].name }
  }

  // MARK: - Clicks

  /// Adds a note for each `clicked` of a state that returns to the state where the same press started. Such a state
  /// lasts only while the button is down.
  private func noteClicksBack(from state: Int) {
    for reaction in panel.states[state].on {
      guard isOfButton(reaction.event), case .pressed(let press)? = Gesture(reaction.event),
        let back = reaction.transitions.first,
        back.condition == nil,
        let origin = back.target?.state, origin != state, let position = back.written.source?.position
      else { continue }
      let leadsHere = panel.states[origin].on.contains { other in
        panel.event(other.event, is: press) || panel.event(press, is: other.event)
          ? other.transitions.first.map { $0.condition == nil && $0.target?.state == state } ?? false : false
      }
      guard leadsHere else { continue }
      let (click, name) = (panel.name(of: reaction.event), panel.states[origin].name)
      problems.note(
        position,
        "the press that leads here ends with \(click), which leads back to \(quoted(name)); in \(quoted(name)) write \(click): \(panel.states[state].name)"
      )
    }
  }

  /// Whether an event is one of a button, a key or a chord.
  private func isOfButton(_ event: PanelEvent) -> Bool {
    let input: Int? =
      switch event {
      case .input(let input, _): input
      case .anyInput(let group, _): panel.inputGroups[group].first
      default: nil
      }
    guard let device = input.map({ panel.inputs[$0].device }) else { return false }
    return device.gesture != nil || device.derivation?.ofChord != nil
  }

  /// A click, by its first event, the press.
  private enum Gesture {
    case pressed(PanelEvent)

    init?(_ event: PanelEvent) {
      switch event {
      case .input(let input, ButtonEvent.clicked): self = .pressed(.input(input, ButtonEvent.pressed))
      case .anyInput(let group, ButtonEvent.clicked): self = .pressed(.anyInput(group: group, ButtonEvent.pressed))
      default: return nil
      }
    }
  }
}
