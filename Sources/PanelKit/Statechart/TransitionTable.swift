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
  let occasions: [Occasion]
  /// The number of each transition's event; -1 for those of deadlines, of `done` and of `when`.
  let triggers: [Int32]
  let events: EventNumbers
  /// For each event that a state is asked for, the regions that are asked, by the event's number; nil for all regions: a state around
  /// them has a transition for the event.
  let hearing: [[Int]?]
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
    self.occasions = occasions
    let events = EventNumbers(of: panel)
    self.events = events
    triggers = occasions.map { if case .event(let event) = $0 { Int32(events[event]) } else { -1 } }
    hearing = Self.hearing(in: panel, events)
    self.sources = sources
    self.domains = domains
    self.byEvent = byEvent
    self.byDeadline = byDeadline
    self.byDone = byDone
    self.byWhen = byWhen
  }
}

extension TransitionTable {
  private static func hearing(in panel: PanelDefinition, _ events: EventNumbers) -> [[Int]?] {
    var regions = [Set<Int>](repeating: [], count: events.count)
    var isHeardByAll = [Bool](repeating: false, count: events.count)
    for (index, state) in panel.states.enumerated() {
      for event in state.on.flatMap({ events.members(of: $0.event, in: panel) }) {
        // Of a state around others these are asked, and it only if they don't answer.
        if index == 0 || !state.regions.isEmpty { isHeardByAll[event] = true }
        regions[event].insert(state.region)
      }
    }
    return events.all.map { isHeardByAll[$0] ? nil : regions[$0].sorted() }
  }
}

/// Numbers the events that a panel's drivers tell, so that they are compared as numbers.
struct EventNumbers: Sendable {
  private var inputs: [Int] = []
  private var groups: [Int] = []
  private var sounds = 0
  private var soundGroups = 0
  private var hardware = 0
  private(set) var count = 0

  init(of panel: PanelDefinition) {
    inputs = panel.inputs.map { take($0.device.events.count) }
    groups = panel.inputGroups.map { group in take(panel.inputs[group.first].device.events.count) }
    sounds = take(panel.sounds.count)
    soundGroups = take(panel.soundGroups.count)
    hardware = take(2 * PluggableHardware.allCases.count)
  }

  /// The first of so many numbers.
  private mutating func take(_ count: Int) -> Int {
    defer { self.count += count }
    return self.count
  }

  var all: Range<Int> { 0..<count }

  subscript(event: PanelEvent) -> Int {
    switch event {
    case .input(let input, let word): inputs[input] + word
    case .anyInput(let group, let word): groups[group] + word
    case .finished(let sound): sounds + sound
    case .anyFinished(let group): soundGroups + group
    case .lost(let lost): hardware + 2 * lost.index
    case .restored(let restored): hardware + 2 * restored.index + 1
    }
  }

  /// The events that drivers tell which are an event: for one of any member of a group, those of each.
  func members(of event: PanelEvent, in panel: PanelDefinition) -> [Int] {
    switch event {
    case .anyInput(let group, let word): panel.inputGroups[group].members.map { self[.input($0, word)] }
    case .anyFinished(let group): panel.soundGroups[group].members.map { self[.finished(sound: $0)] }
    case .input, .finished, .lost, .restored: [self[event]]
    }
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
