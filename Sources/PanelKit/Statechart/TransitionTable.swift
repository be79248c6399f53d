/// All transitions of a panel in one array, where those of a state are a range: an event finds its own without a search through the
/// definition.
struct TransitionTable: Sendable {
  let transitions: [PanelDefinition.Transition]
  /// The event of each transition; nil for those of deadlines, of `done` and of `when`.
  let triggers: [PanelEvent?]
  /// For each transition the state that has it.
  let sources: [Int]
  /// For each transition with a target the region in which a state is left: the innermost one around its source and its target; -1
  /// without a target.
  let domains: [Int]
  /// For each state the range of its transitions by event.
  let byEvent: [Range<Int>]
  /// For each state the ranges of its deadlines' transitions.
  let byDeadline: [[Range<Int>]]
  /// For each state the range of its transitions by `done`.
  let byDone: [Range<Int>]
  /// For each state the range of its transitions by `when`.
  let byWhen: [Range<Int>]

  init(of panel: PanelDefinition, _ tree: StateTree) {
    var transitions: [PanelDefinition.Transition] = []
    var triggers: [PanelEvent?] = []
    var sources: [Int] = []
    var domains: [Int] = []
    func add(_ added: [PanelDefinition.Transition], at event: PanelEvent?, from source: Int) -> Range<Int> {
      transitions += added
      triggers += added.map { _ in event }
      sources += added.map { _ in source }
      domains += added.map { transition in transition.target.map { tree.domain(from: source, to: $0.state) } ?? -1 }
      return transitions.count - added.count..<transitions.count
    }
    var byEvent: [Range<Int>] = []
    var byDeadline: [[Range<Int>]] = []
    var byDone: [Range<Int>] = []
    var byWhen: [Range<Int>] = []
    for (index, state) in panel.states.enumerated() {
      let first = transitions.count
      for reaction in state.on { _ = add(reaction.transitions, at: reaction.event, from: index) }
      byEvent.append(first..<transitions.count)
      byDeadline.append(state.after.map { add($0.transitions, at: nil, from: index) })
      byDone.append(add(state.done, at: nil, from: index))
      byWhen.append(add(state.when, at: nil, from: index))
    }
    self.transitions = transitions
    self.triggers = triggers
    self.sources = sources
    self.domains = domains
    self.byEvent = byEvent
    self.byDeadline = byDeadline
    self.byDone = byDone
    self.byWhen = byWhen
  }
}

/// What the entering and the leaving of a state do.
struct StateEffects: Sendable {
  /// The times of waiting that are not fixed.
  let delays: [PanelDefinition.Delay]
  /// The numbers of the deadlines that wait until nobody touches the panel.
  let untouched: [Int]
  let enter: PanelDefinition.Actions
  let play: [PanelDefinition.Playing]
  let exit: PanelDefinition.Actions

  /// Nil for a state whose entering and leaving do nothing.
  init?(_ state: PanelDefinition.State) {
    delays = state.after.map(\.delay).filter { $0.wait != nil }
    untouched = state.after.compactMap { deadline in
      if case .untouched(let number) = deadline.recurrence { number } else { nil }
    }
    (enter, play, exit) = (state.enter, state.play, state.exit)
    if delays.isEmpty, untouched.isEmpty, enter.isEmpty, play.isEmpty, exit.isEmpty { return nil }
  }
}
