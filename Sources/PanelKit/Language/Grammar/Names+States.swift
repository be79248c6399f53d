import Terminal

/// Lookups of regions and states. An unknown name adds a problem that suggests the nearest known one.
extension Names {
  /// Looks up a region by name, or the only top-level region if the name is nil.
  package func region(_ name: String?, at position: Position, _ problems: ProblemList) -> Int? {
    guard let name else {
      let top = regions.indices.filter { regions[$0].owner == 0 }
      if top.count == 1 { return top[0] }
      problems.add(
        position, "there are \(top.count) regions; name one: \(listed(top.compactMap { regions[$0].name }))")
      return nil
    }
    if let index = regions.firstIndex(where: { $0.name == name }) { return index }
    if let member = memberOfEach(name), let index = regions.firstIndex(where: { $0.name == member }) { return index }
    if let first = repetitions(of: name).first {
      problems.add(position, "region \(quoted(name)) is repeated by each; name one of them: \(first.name ?? name)")
      return nil
    }
    if let having = regions.first(where: { $0.owner == 0 && $0.index[name] != nil }) {
      let subject = having.name.map { "state.\($0)" } ?? "state"
      problems.add(position, "\(quoted(name)) is a state, not a region; write \(subject) == \(name)")
      return nil
    }
    guard regions.contains(where: { $0.name != nil }) else {
      problems.add(
        position, "unknown region \(quoted(name)); there are no named regions, write \"state\" alone")
      return nil
    }
    let suggestion = problems.suggestion(for: name, among: regions.compactMap(\.name), called: "named regions")
    problems.add(position, "unknown region \(quoted(name)); \(suggestion)")
    return nil
  }

  /// Looks up a state in a region or inside the region's states.
  package func state(
    _ name: String, in region: Int, at position: Position, _ problems: ProblemList
  ) -> PanelDefinition.Target? {
    if let state = ownState(name, inside: region, problems) ?? regions[region].index[name] { return target(state) }
    addUnknownState(name, among: regions[region].states, of: region, at: position, problems)
    return nil
  }

  /// The state with this name in the repeated region that is being read, if that one is inside a region; nil for any
  /// other state.
  private func ownState(_ name: String, inside region: Int, _ problems: ProblemList) -> Int? {
    guard let repeated = problems.repeated else { return nil }
    let own = Self.member(repeated.number, of: repeated.name)
    guard let place = regions.firstIndex(where: { $0.name == own }) else { return nil }
    var around = place
    while around != region {
      guard regions[around].owner > 0 else { return nil }
      around = stateRegions[regions[around].owner]
    }
    return regions[place].index[name]
  }

  /// Looks up a state by name among these states, which are directly in a region.
  ///
  /// - Parameter isInitial: whether the region begins in the state.
  func state(
    _ name: String, among states: [Int], of region: Int, isInitial: Bool, at position: Position,
    _ problems: ProblemList
  ) -> Int? {
    if let state = states.first(where: { stateNames[$0] == name }) { return state }
    if let inner = regions[region].index[name], let outer = chain(from: inner).first(where: states.contains) {
      let around = stateNames[outer]
      let more = isInitial ? ", and initial: \(name) inside it" : ""
      problems.add(position, "state \(quoted(name)) is inside \(quoted(around)); write \(around)\(more)")
      return nil
    }
    addUnknownState(name, among: states.map { stateNames[$0] }, of: region, at: position, problems)
    return nil
  }

  private func addUnknownState(
    _ name: String, among known: [String], of region: Int, at position: Position, _ problems: ProblemList
  ) {
    // All repetitions of a region have the same states, and one problem.
    let plural = regions[region].name.map { name in
      "states of \(problems.repeated == nil ? name[...] : name.prefix { $0 != "(" })"
    }
    let suggestion = problems.suggestion(for: name, among: known, called: plural ?? "states")
    problems.add(position, "unknown state \(quoted(name)); \(suggestion)")
  }

  /// The regions that a region with `each` stands for; empty for any other name.
  func repetitions(of name: String) -> [Region] { regions.filter { $0.name?.hasPrefix("\(name)(") == true } }

  /// Returns the region directly around a state; -1 for the top level.
  func region(of state: Int) -> Int { stateRegions[state] }

  /// Returns the names of a state and the states around it, the outermost first; nil for the top level.
  func path(of state: Int) -> [String]? {
    guard state > 0 else { return nil }
    return chain(from: state).reversed().map { stateNames[$0] }
  }

  /// Returns a state and the states around it, without the top level.
  private func chain(from state: Int) -> [Int] {
    var chain: [Int] = []
    var state = state
    while state > 0 {
      chain.append(state)
      state = regions[stateRegions[state]].owner
    }
    return chain
  }

  /// Whether two states in one top-level region can be current at the same time: one is inside the other, or they are
  /// in parallel regions.
  func areCurrentTogether(_ one: Int, _ other: Int) -> Bool {
    let (ones, others) = (chain(from: one), chain(from: other))
    let taken = Dictionary(ones.map { (stateRegions[$0], $0) }, uniquingKeysWith: { first, _ in first })
    return others.allSatisfy { state in taken[stateRegions[state]].map { $0 == state } ?? true }
  }

  func hasStatesInside(_ state: Int) -> Bool { regions.contains { $0.owner == state } }

  private func target(_ state: Int) -> PanelDefinition.Target { .init(region: stateRegions[state], state: state) }

  /// Looks up a state by name. Adds a problem unless exactly one top-level region has such a state.
  ///
  /// - Parameter takesPath: whether the name may begin with the region: `lights.red`.
  package func state(
    _ name: String, at position: Position, takesPath: Bool = false, _ problems: ProblemList
  ) -> PanelDefinition.Target? {
    if takesPath, let point = name.firstIndex(of: ".") {
      guard let region = region(String(name[..<point]), at: position, problems) else { return nil }
      return state(String(name[name.index(after: point)...]), in: region, at: position, problems)
    }
    let top = regions.indices.filter { regions[$0].owner == 0 }
    let having = top.filter { regions[$0].index[name] != nil }
    if having.count == 1, let state = regions[having[0]].index[name] { return target(state) }
    if having.isEmpty {
      let suggestion = problems.suggestion(
        for: name, among: Array(top.lazy.flatMap { regions[$0].states }.prefix(200)), called: "states")
      problems.add(position, "unknown state \(quoted(name)); \(suggestion)")
    } else {
      let found = having.compactMap { regions[$0].name }
      let advice = takesPath ? "write \(found[0]).\(name)" : "write this inside the region that you mean"
      problems.add(position, "state \(quoted(name)) is in regions \(listed(found)); \(advice)")
    }
    return nil
  }
}
