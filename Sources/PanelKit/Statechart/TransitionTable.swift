/// All transitions of a panel in one array, where those of a state are a range: an event finds its own without a search through the
/// definition.
struct TransitionTable: Sendable {
  /// What a transition is asked at.
  enum Occasion: Equatable, Sendable {
    case event(PanelEvent)
    /// A deadline of the state that has the transition, by its place there.
    case deadline(Int)
    case done, when
    /// A property of the panel that is violated, by its place in ``PanelDefinition/nevers``.
    case never(Int)
  }

  /// A transition's number is its place here.
  let transitions: [PanelDefinition.Transition]
  // The parts that are read at an event are arrays of their own: to read one part of a transition would copy them all.
  /// The condition of each transition; nil for one without.
  let conditions: [Condition?]
  /// What each transition does between the leaving and the entering of states; nil for nothing.
  let actions: [PanelDefinition.Actions?]
  let targets: [PanelDefinition.Target?]
  let occasions: [Occasion]
  /// The number of each transition's event; -1 for those of deadlines, of `done` and of `when`.
  let triggers: [Int32]
  let events: EventNumbers
  /// For each event that a state is asked for, the regions that are asked, as places in ``hearingRegions``; nil for all regions: a state
  /// around them has a transition for the event.
  let hearing: [Range<Int>?]
  /// Those regions, by which event they are asked for: ``hearing`` has a range for each event.
  let hearingRegions: [Int]
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
  /// For each of the panel's properties its transition; nil if it has none.
  let byNever: [Int?]

  init(of panel: PanelDefinition, _ tree: StateTree) {
    var transitions: [PanelDefinition.Transition] = []
    var occasions: [Occasion] = []
    var sources: [Int] = []
    var domains: [Int] = []
    func add(_ added: [PanelDefinition.Transition], at occasion: Occasion, from source: Int) -> Range<Int> {
      transitions += added
      occasions += added.map { _ in occasion }
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
      for reaction in state.on { _ = add(reaction.transitions, at: .event(reaction.event), from: index) }
      byEvent.append(first..<transitions.count)
      byDeadline.append(state.after.enumerated().map { add($1.transitions, at: .deadline($0), from: index) })
      byDone.append(add(state.done, at: .done, from: index))
      byWhen.append(add(state.when, at: .when, from: index))
    }
    byNever = panel.nevers.enumerated().map { number, never in
      never.transition.map { add([$0], at: .never(number), from: 0).lowerBound }
    }
    self.transitions = transitions
    conditions = transitions.map(\.condition)
    actions = transitions.map { transition in
      let actions = PanelDefinition.Actions(
        assignments: transition.assignments, play: transition.play, send: transition.send)
      return actions.isEmpty ? nil : actions
    }
    targets = transitions.map(\.target)
    self.occasions = occasions
    let events = EventNumbers(of: panel)
    self.events = events
    triggers = occasions.map { if case .event(let event) = $0 { Int32(events[event]) } else { -1 } }
    (hearing, hearingRegions) = Self.hearing(in: panel, events)
    self.sources = sources
    self.domains = domains
    self.byEvent = byEvent
    self.byDeadline = byDeadline
    self.byDone = byDone
    self.byWhen = byWhen
  }
}

extension TransitionTable {
  private static func hearing(
    in panel: PanelDefinition, _ events: EventNumbers
  ) -> (places: [Range<Int>?], regions: [Int]) {
    var regions = [Set<Int>](repeating: [], count: events.count)
    var isHeardByAll = [Bool](repeating: false, count: events.count)
    for (index, state) in panel.states.enumerated() {
      for event in state.on.flatMap({ panel.members(of: $0.event) }).map({ events[$0] }) {
        // Of a state around others these are asked, and it only if they don't answer.
        if index == 0 || !state.regions.isEmpty { isHeardByAll[event] = true }
        regions[event].insert(state.region)
      }
    }
    var all: [Int] = []
    let places = events.all.map { event -> Range<Int>? in
      guard !isHeardByAll[event] else { return nil }
      all += regions[event].sorted()
      return all.count - regions[event].count..<all.count
    }
    return (places, all)
  }
}
