import PanelLanguage

/// All transitions of a panel in one array. Those of a state are a range, so an event finds its transitions without a
/// search through the definition.
package struct TransitionTable: Sendable {
  /// The occasion at which a transition is checked.
  package enum Occasion: Equatable, Sendable {
    case event(PanelEvent)
    /// A deadline of the state that has the transition, by its place there.
    case deadline(Int)
    case done, when
    /// A property of the panel that is violated, by its place in ``PanelDefinition/nevers``.
    case never(Int)
  }

  /// The transitions; a transition's number is its place here.
  package let transitions: [PanelDefinition.Transition]
  // The parts that are read at an event have their own arrays, because reading one part of a transition would copy all
  // of it.
  /// The condition of each transition; nil for one without.
  let conditions: [Condition?]
  /// The actions of each transition between leaving and entering states; nil if it has none.
  let actions: [PanelDefinition.Actions?]
  let targets: [PanelDefinition.Target?]
  package let occasions: [Occasion]
  /// The number of each transition's event; -1 for transitions without an event.
  let triggers: [Int32]
  let events: EventNumbering
  /// The regions that are checked for each event, as places in ``hearingRegions``. Nil for all regions, because a state
  /// around them has a transition for the event.
  let hearing: [Range<Int>?]
  /// The regions, sorted by event: ``hearing`` has a range for each event.
  let hearingRegions: [Int]
  /// The source state of each transition.
  package let sources: [Int]
  /// The region in which each transition leaves a state: the innermost one around its source and its target; -1 without
  /// a target.
  let domains: [Int]
  /// The range of each state's transitions by event.
  let byEvent: [Range<Int>]
  /// The ranges of the transitions of each state's deadlines.
  let byDeadline: [[Range<Int>]]
  /// The range of each state's transitions by `done`.
  let byDone: [Range<Int>]
  /// The range of each state's transitions by `when`.
  let byWhen: [Range<Int>]
  /// The transition of each property; nil if it has none.
  package let byNever: [Int?]

  package init(of panel: PanelDefinition, _ tree: StateTree) {
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
        assignments: transition.assignments, play: transition.play, send: transition.send,
        power: transition.power)
      return actions.isEmpty ? nil : actions
    }
    targets = transitions.map(\.target)
    self.occasions = occasions
    let events = EventNumbering(of: panel)
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
    in panel: PanelDefinition, _ events: EventNumbering
  ) -> (places: [Range<Int>?], regions: [Int]) {
    var regions = [Set<Int>](repeating: [], count: events.count)
    var isHeardByAll = [Bool](repeating: false, count: events.count)
    for (index, state) in panel.states.enumerated() {
      for event in state.on.flatMap({ panel.members(of: $0.event) }).map({ events[$0] }) {
        // The inner states of a nested state are checked first, so all regions are checked.
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
