import Terminal

/// The states of a panel file as written, with known names and unread contents.
package struct StateDraft {
  struct Region {
    var name: String?
    /// The state around the region, by its number; 0 for the top level.
    var owner: Int
    var initial: Field?
    var resume: Field?
    var states: [Int] = []
    /// The region of the file that this one repeats.
    var repeated: RepeatedRegion?
    /// Whether the initial state is one of the states; known after reading.
    var hasInitial = false
  }

  package struct State {
    var name: String
    var position: Position
    /// nil for the top level, and for a state that isn't a map.
    package var fields: Fields?
    var region = -1
    var regions: [Int] = []
  }

  /// The states in the order of the file, each before those inside it. The first one is the top level.
  package var states = [State(name: "", position: .start)]
  var regions: [Region] = []
  /// Whether a state's keys could not be read: a misspelt `on` or `after` may be among them.
  var hasUnreadKey = false
}

/// Collects the regions and states of a panel file.
package struct StateCollector {
  static let regionsAtMost = 64
  /// The greatest number of an `each`.
  static let mostRepetitions = 32
  static let deepest = 8

  let problems: ProblemList
  package private(set) var draft = StateDraft()

  private let misplaced: MisplacedKeys

  /// - Parameter names: the declarations of the file.
  package init(names: Names, problems: ProblemList) {
    self.problems = problems
    misplaced = MisplacedKeys(names: names, problems: problems)
  }

  /// Collects the regions and states inside the top level.
  package mutating func collect(_ fields: Fields) {
    if fields["regions"] == nil {
      for key in Grammar.region.keys where key.isRequired && fields.isMissing(key.name) {
        problems.addMissing(key, of: Grammar.panel, at: fields.position)
      }
    }
    collectInside(0, fields, depth: 1)
  }

  /// Collects the regions and states inside a state.
  private mutating func collectInside(_ owner: Int, _ fields: Fields, depth: Int, _ around: RepeatedRegion? = nil) {
    guard let field = fields["regions"] else {
      if fields["states"] != nil { collectRegion(nil, in: owner, fields, depth: depth, around) }
      return
    }
    for key in ["initial", "resume", "states"] {
      if let other = fields[key] {
        problems.add(other.position, "\(quoted(key)) can't be beside \"regions\"; write it in one of the regions")
      }
    }
    let entries = problems.entries(field)
    addEmpty(entries, field)
    if entries.count > Self.regionsAtMost {
      problems.add(field.position, "there are \(entries.count) regions; write at most \(Self.regionsAtMost)")
    }
    for entry in entries.prefix(Self.regionsAtMost) {
      Names.isGood(entry.key, at: entry.position, problems)
      if let other = draft.regions.first(where: { $0.name == entry.key }), other.owner != owner {
        problems.add(entry.position, "duplicate region \(quoted(entry.key)); choose another name")
      }
      guard let fields = problems.fields(entry.value, Grammar.region, at: entry.position) else { continue }
      if let each = fields["each"] {
        collectRepeated(entry.key, in: owner, fields, each, depth: depth, around)
      } else {
        // The regions inside a repeated one are repeated with it.
        let name = around.map { Names.member($0.number, of: entry.key) } ?? entry.key
        collectRegion(name, in: owner, fields, depth: depth, around)
      }
    }
  }

  /// Collects a region with `each`, once for each of its numbers.
  private mutating func collectRepeated(
    _ name: String, in owner: Int, _ fields: Fields, _ each: Field, depth: Int, _ around: RepeatedRegion?
  ) {
    guard around == nil else {
      return problems.add(each.position, "\"each\" can't be inside another region with each; leave one of them out")
    }
    guard let text = problems.text(each) else { return }
    let ends = text.parts(between: "..").map { Quantity.whole(String($0)) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, first <= last,
      last <= Self.mostRepetitions
    else {
      return problems.add(
        each.node.position, "\(quoted(text)) is not a range of 1 to \(Self.mostRepetitions); write each: 1..4")
    }
    if draft.regions.count + last - first >= Self.regionsAtMost {
      return problems.add(each.position, "there are more than \(Self.regionsAtMost) regions; repeat fewer")
    }
    for number in first...last {
      let repeated = RepeatedRegion(name: name, number: number, numbers: first...last)
      problems.repeated = repeated
      collectRegion(Names.member(number, of: name), in: owner, fields, depth: depth, repeated)
    }
    problems.repeated = nil
  }

  private mutating func collectRegion(
    _ name: String?, in owner: Int, _ fields: Fields, depth: Int, _ repeated: RepeatedRegion?
  ) {
    let region = draft.regions.count
    draft.regions.append(
      .init(name: name, owner: owner, initial: fields["initial"], resume: fields["resume"], repeated: repeated))
    draft.states[owner].regions.append(region)
    guard let field = fields["states"] else { return }
    guard depth <= Self.deepest else {
      return problems.add(field.position, "states nested more than \(Self.deepest) levels deep; use fewer levels")
    }
    let entries = problems.entries(field)
    addEmpty(entries, field)
    for entry in entries {
      Names.isGood(entry.key, at: entry.position, problems)
      let countBefore = problems.count
      guard !misplaced.isNoState(entry) else {
        draft.hasUnreadKey = true
        continue
      }
      let inner = problems.fields(
        misplaced.removed(from: entry.value), Grammar.state, at: entry.position, advice: MisplacedKeys.advice)
      if problems.count > countBefore { draft.hasUnreadKey = true }
      let state = draft.states.count
      draft.states.append(.init(name: entry.key, position: entry.position, fields: inner, region: region))
      draft.regions[region].states.append(state)
      guard let inner else { continue }
      if owner != 0 || depth > 0, inner["states"] != nil, inner.isMissing("initial"), inner["regions"] == nil {
        problems.addMissing(Grammar.region.keys[0], of: Grammar.state, at: entry.position)
      }
      collectInside(state, inner, depth: depth + 1, repeated)
    }
  }

  /// Adds a problem for a key without a value or with an empty map. For other values that aren't maps, a problem exists
  /// already.
  private func addEmpty(_ entries: [YAMLNode.Entry], _ field: Field) {
    guard entries.isEmpty else { return }
    switch field.node.content {
    case .map, .nothing:
      problems.add(field.position, "\(quoted(field.key.name)) is empty; it takes \(field.key.takes)")
    case .scalar, .list, .refused: break
    }
  }
}

/// Reads the states of a panel file, after their names are known.
struct StateReader {
  let names: Names
  let problems: ProblemList
  private(set) var draft: StateDraft
  /// Whether a transition could not be read.
  private(set) var hasUnreadTransition: Bool
  /// Every place where a state shows an output.
  private(set) var shown: [(output: Int, state: Int, position: Position)] = []

  init(_ draft: StateDraft, names: Names, problems: ProblemList) {
    self.draft = draft
    self.names = names
    self.problems = problems
    hasUnreadTransition = draft.hasUnreadKey
  }

  mutating func regions() -> [PanelDefinition.Region] {
    draft.regions.indices.map { region in
      let source = draft.regions[region]
      begin(source.repeated)
      defer { begin(nil) }
      var result = PanelDefinition.Region(
        name: source.name, owner: source.owner, initial: source.states.first ?? 0, states: source.states)
      result.repeated = source.repeated
      if let field = source.initial, let text = problems.text(field), !source.states.isEmpty,
        let initial = names.state(
          text, among: source.states, of: region, isInitial: true, at: field.node.position, problems)
      {
        result.initial = initial
        draft.regions[region].hasInitial = true
      }
      if let field = source.resume { result.resume = resume(field, of: region, source) }
      return result
    }
  }

  /// The states of a `resume`.
  private func resume(
    _ field: Field, of region: Int, _ source: StateDraft.Region
  ) -> [PanelDefinition.Region.Resume] {
    guard source.owner == 0 else {
      problems.add(
        field.position,
        "\"resume\" can't be in a region inside a state; only regions of the top level resume, leave it out")
      return []
    }
    guard let items = problems.items(field) else { return [] }
    if items.isEmpty { problems.add(field.position, "\"resume\" is empty; it takes \(field.key.takes)") }
    var resumed: [PanelDefinition.Region.Resume] = []
    for item in items {
      guard let text = problems.text(item, in: field),
        let state = names.state(
          text, among: source.states, of: region, isInitial: false, at: item.position, problems)
      else { continue }
      if resumed.contains(where: { $0.state == state }) {
        problems.add(item.position, "\(quoted(text)) is in the list twice; write it once")
      } else {
        resumed.append(.init(state: state, position: item.position))
      }
    }
    return resumed
  }

  /// The states except the top level.
  mutating func states() -> [PanelDefinition.State] {
    draft.states.indices.dropFirst().map { state($0) }
  }

  /// Begins to read a part of a region with `each`; nil for any other part of the file.
  private func begin(_ repeated: RepeatedRegion?) {
    names.usage.each = repeated?.number
    problems.repeated = repeated
  }

  private mutating func state(_ index: Int) -> PanelDefinition.State {
    let source = draft.states[index]
    begin(draft.regions[source.region].repeated)
    defer { begin(nil) }
    var state = PanelDefinition.State(name: source.name, region: source.region, regions: source.regions)
    state.written = FilePassage(source: .init(position: source.position, text: source.name))
    guard let fields = source.fields else { return state }
    var transitions = TransitionReader(names: names, problems: problems, of: index)
    let scope = ExpressionContext(state: index, isShown: true)
    for (show, position) in ShowReader(names: names, problems: problems, scope: scope).shows(fields["show"]) {
      state.show.append(show)
      shown.append((show.output, index, position))
    }
    (state.play, state.playSettings) = PlayReader(names: names, problems: problems, scope: scope).read(
      fields["play"], settingsBy: SoundSettingsReader(problems: problems))
    state.enter = transitions.actions(fields["enter"], Grammar.enter)
    state.exit = transitions.actions(fields["exit"], Grammar.exit)
    state.on = transitions.reactions(fields["on"]) + transitions.alarms(fields["at"])
    // Deadlines at the same moment fire in the order of the file.
    for field in fields.all {
      switch field.key.name {
      case "after": state.after += transitions.deadlines(field)
      case "every": state.after += transitions.repetitions(field)
      case "untouched": state.after += transitions.untouched(field)
      case "when":
        state.when = transitions.whens(field)
        state.after += checks(of: state.when)
      default: break
      }
    }
    if let field = fields["done"] {
      state.done = transitions.transitions(at: field)
      if source.regions.isEmpty {
        problems.add(field.position, "\"done\" needs states inside this state; add states, one of them final")
      }
    }
    readFinal(fields, &state, source)
    hasUnreadTransition = hasUnreadTransition || transitions.hasUnreadTransition
    return state
  }

  /// The ages at which a `when` of a state changes because of `elapsed`.
  private func checks(of whens: [PanelDefinition.Transition]) -> [PanelDefinition.Deadline] {
    let ages = Set(whens.compactMap(\.condition).flatMap(\.agesOfChange)).sorted()
    return ages.map { .init(delay: .fixed(.milliseconds($0)), transitions: []) }
  }

  private func readFinal(_ fields: Fields, _ state: inout PanelDefinition.State, _ source: StateDraft.State) {
    guard let field = fields["final"], let isFinal = problems.flag(field) else { return }
    state.isFinal = isFinal
    guard isFinal else { return }
    if draft.regions[source.region].owner == 0 {
      problems.add(field.position, "\"final\" can't be at the top level, because a panel has no end; leave it out")
    } else if let other = fields.all.first(where: { $0.key.name != "final" }) {
      problems.add(
        other.position,
        "\(quoted(other.key.name)) can't be beside \"final\"; a final state has no other keys, write it in the state around it"
      )
    }
  }
}
