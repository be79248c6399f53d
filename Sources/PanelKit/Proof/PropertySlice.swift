import PanelEngine
import PanelLanguage

/// The part of a panel that can influence some properties: a panel in which all other regions of the top level stay in
/// their initial states.
///
/// What is proved of the slice holds for the whole panel. A region outside the slice sets nothing that the slice reads,
/// enters none of its states, and keeps no transition of it from firing. A forbidden condition outside the slice can
/// only stop the panel, which removes behavior.
struct PropertySlice {
  private(set) var goals: ProofGoals
  /// The followed regions of the top level.
  private(set) var regions: Set<Int>
  private(set) var panel: PanelDefinition
  private(set) var cone: ConeOfInfluence
  /// The forbidden conditions of the slice: those of the goals, and those whose remedies change the slice.
  private var nevers: Set<Int>
  /// The interlocks of the slice: those of the goals, and those whose contacts a condition asks for.
  private var interlocks: Set<Int>
  private let whole: PanelDefinition
  private let topRegions: [Int]

  /// The whole panel.
  init(whole panel: PanelDefinition) {
    goals = .all(of: panel)
    regions = goals.regions
    (nevers, interlocks) = (goals.nevers, goals.interlocks)
    whole = panel
    topRegions = StateTree(panel).topRegions
    self.panel = panel
    cone = ConeOfInfluence(of: panel)
  }

  init(of panel: PanelDefinition, for goals: ProofGoals, _ tree: StateTree) {
    whole = panel
    topRegions = tree.topRegions
    self.goals = goals
    (nevers, interlocks) = (goals.nevers, goals.interlocks)
    regions = goals.regions.union(goals.reach.map { tree.topRegions[$0] })
    // The end of all regions is an event of the top level.
    if !panel.states[0].done.isEmpty { regions = Set(panel.states[0].regions) }
    self.panel = panel
    cone = ConeOfInfluence(of: panel)
    // Each round adds a region, a forbidden condition or an interlock, or is the last.
    var size: Int
    repeat {
      size = regions.count + nevers.count + interlocks.count
      cut()
      follow()
    } while regions.count + nevers.count + interlocks.count > size
  }

  /// The slice of a panel whose `between` switches with the sun do not follow the clock; nil if there are none.
  var withoutSun: PropertySlice? {
    PeriodSwitch.panel(inPlaceOf: whole).map { PropertySlice(of: $0, for: goals, StateTree($0)) }
  }

  /// The same slice for some of its properties.
  func limited(to goals: ProofGoals) -> PropertySlice {
    var slice = self
    slice.goals = goals
    return slice
  }

  /// Whether two searches would have the same situations.
  func isAlike(_ other: PropertySlice) -> Bool {
    func compared(_ cone: ConeOfInfluence) -> Dependencies {
      var asked = cone.asked
      // The appearances of outputs depend on states and values, and states belong to the followed regions.
      (asked.outputs, asked.regions) = ([], [])
      return asked
    }
    return regions == other.regions && compared(cone) == compared(other.cone) && cone.events == other.cone.events
      && cone.deadlines == other.cone.deadlines
  }

  /// The values that keep their initial numbers in the whole panel.
  var constants: Set<Int> {
    let assignments = whole.states.flatMap(\.assignments) + whole.nevers.compactMap(\.transition).flatMap(\.assignments)
    let changed = Set(assignments.map(\.value)).union(whole.accept.values)
    return Set(whole.values.indices.filter { whole.values[$0].kept == nil && !changed.contains($0) })
  }

  /// An estimate of the slice's size, to search small slices first.
  var size: (Int, Int) {
    let asked = cone.asked
    return (regions.count, cone.events.count + asked.values.count + asked.positions.count + asked.readings.count)
  }

  // MARK: - The panel of the slice

  /// Keeps the parts of the panel that are followed. All numbers stay the same: those of states, transitions and times.
  private mutating func cut() {
    panel = whole
    for state in panel.states.indices where state > 0 && !regions.contains(topRegions[state]) {
      panel.states[state].show = []
      panel.states[state].enter = .init()
      panel.states[state].exit = .init()
      panel.states[state].isFinal = false
      panel.states[state].replaceTransitions(Self.withoutEffect)
    }
    panel.states[0].replaceTransitions(withoutTarget)
    panel.states[0].when = panel.states[0].when.map { isFollowed($0.target) ? $0 : Self.withoutEffect($0) }
    for region in panel.regions.indices where panel.regions[region].owner == 0 && !regions.contains(region) {
      panel.regions[region].resume = []
    }
    for never in panel.nevers.indices {
      let isKept = nevers.contains(never)
      if !isKept { panel.nevers[never].condition = Self.nothing }
      panel.nevers[never].transition = panel.nevers[never].transition.map(isKept ? withoutTarget : Self.withoutEffect)
    }
    for interlock in panel.interlocks.indices where !interlocks.contains(interlock) {
      panel.interlocks[interlock].relays = []
    }
    panel.reach.removeAll { !goals.reach.contains($0.state) }
    cone = ConeOfInfluence(of: panel)
  }

  /// A condition that never holds.
  private static let nothing = Condition.comparison(.constant(0), .equal, .constant(1))

  /// A transition that never fires.
  private static func withoutEffect(_ transition: PanelDefinition.Transition) -> PanelDefinition.Transition {
    var transition = transition
    transition.condition = nothing
    (transition.assignments, transition.play, transition.send, transition.power) = ([], [], [], nil)
    transition.target = nil
    return transition
  }

  /// A transition that stays in the region that it leads to, if that region is outside the slice.
  private func withoutTarget(_ transition: PanelDefinition.Transition) -> PanelDefinition.Transition {
    var transition = transition
    if !isFollowed(transition.target) { transition.target = nil }
    return transition
  }

  private func isFollowed(_ target: PanelDefinition.Target?) -> Bool {
    target.map { regions.contains(topRegions[$0.state]) } ?? false
  }

  // MARK: - What influences the slice

  private mutating func follow() {
    for region in cone.asked.regions.union(cone.asked.elapsed) { regions.insert(topRegion(around: region)) }
    for (place, interlock) in whole.interlocks.enumerated()
    where interlock.relays.contains(where: cone.asked.contacts.contains) {
      interlocks.insert(place)
    }
    for (number, state) in whole.states.enumerated() where number > 0 && !regions.contains(topRegions[number]) {
      let changes =
        state.show.contains { cone.asked.outputs.contains($0.output) }
        || state.assignments.contains { cone.follows(value: $0.value) } || state.sounds.contains { cone.follows($0) }
        || state.transitions.contains { isFollowed($0.target) }
      if changes { regions.insert(topRegions[number]) }
    }
    followTopLevel()
    for (place, never) in whole.nevers.enumerated() {
      if let remedy = never.transition, isFollowed(remedy.target) || changes(remedy) { nevers.insert(place) }
    }
  }

  /// Follows the regions that decide whether a transition of the top level fires.
  private mutating func followTopLevel() {
    let top = whole.states[0]
    for transition in top.transitions where changes(transition) {
      if let target = transition.target { regions.insert(topRegions[target.state]) }
    }
    // It fires unless each region has a transition of its own.
    for reaction in top.on where reaction.transitions.contains(where: { $0.target == nil && changes($0) }) {
      let responding = top.regions.filter { mayRespond($0, to: reaction.event) }
      if responding.count == top.regions.count { regions.formUnion(responding) }
    }
  }

  /// Whether a transition sets a followed value, or plays a followed sound.
  private func changes(_ transition: PanelDefinition.Transition) -> Bool {
    transition.assignments.contains { cone.follows(value: $0.value) } || transition.play.contains { cone.follows($0) }
  }

  private func mayRespond(_ region: Int, to event: PanelEvent) -> Bool {
    whole.states.indices.contains { state in
      topRegions[state] == region
        && whole.states[state].on.contains { whole.event($0.event, is: event) || whole.event(event, is: $0.event) }
    }
  }

  private func topRegion(around region: Int) -> Int {
    whole.regions[region].owner == 0 ? region : topRegions[whole.regions[region].owner]
  }
}

extension PanelDefinition.State {
  fileprivate mutating func replaceTransitions(
    _ replacement: (PanelDefinition.Transition) -> PanelDefinition.Transition
  ) {
    for place in on.indices { on[place].transitions = on[place].transitions.map(replacement) }
    for place in after.indices { after[place].transitions = after[place].transitions.map(replacement) }
    when = when.map(replacement)
    done = done.map(replacement)
  }
}

extension PanelDefinition {
  /// The slices of all properties, those with the fewest regions first. Properties with the same situations share one.
  func propertySlices() -> [PropertySlice] {
    let tree = StateTree(self)
    var slices: [PropertySlice] = []
    func add(_ goals: ProofGoals) {
      let slice = PropertySlice(of: self, for: goals, tree)
      guard let place = slices.firstIndex(where: { $0.isAlike(slice) }) else { return slices.append(slice) }
      var all = slices[place].goals
      all.formUnion(goals)
      slices[place] = PropertySlice(of: self, for: all, tree)
    }
    for never in nevers.indices { add(ProofGoals(nevers: [never])) }
    for interlock in interlocks.indices where !interlocks[interlock].isRest { add(ProofGoals(interlocks: [interlock])) }
    for reach in reach { add(ProofGoals(reach: [reach.state])) }
    // A chain of transitions without an end stays within regions that influence each other.
    for region in states[0].regions where mayLoop(region, tree) {
      if !slices.contains(where: { $0.regions.contains(region) }) { add(ProofGoals(regions: [region])) }
    }
    return slices.sorted { $0.size < $1.size }
  }

  /// The slices of the regions that no property depends on. Only findings about their states are expected of them.
  func otherSlices(than slices: [PropertySlice]) -> [PropertySlice] {
    let tree = StateTree(self)
    var others: [PropertySlice] = []
    for region in states[0].regions where !(slices + others).contains(where: { $0.regions.contains(region) }) {
      others.append(PropertySlice(of: self, for: ProofGoals(regions: [region]), tree))
    }
    return others
  }

  /// Whether transitions can follow from each other without time passing.
  private func mayLoop(_ region: Int, _ tree: StateTree) -> Bool {
    states.indices.contains { state in
      guard state > 0 else {
        return states[0].when.contains { $0.target.map { tree.topRegions[$0.state] == region } ?? false }
      }
      guard tree.topRegions[state] == region else { return false }
      return !states[state].when.isEmpty || !states[state].done.isEmpty
        || states[state].after.contains { deadline in
          switch deadline.delay {
          case .fixed(let duration): duration == .zero
          case .drawn(let range, _): range.lowerBound <= 0
          case .value(let value, _): values[value].min <= 0
          }
        }
    }
  }
}
