import Terminal

/// Reads the regions of a panel file and their states.
struct StateReader {
  /// A region whose states are known by name and not read yet.
  struct Region {
    var name: String?
    var initial: Field?
    var states: [YAMLNode.Entry]
    /// Every place where an output is shown; known after reading.
    var shown: [(output: Int, position: Position)] = []
    /// Whether the initial state is one of the states; known after reading.
    var hasInitial = false
  }

  let names: Names
  let problems: ProblemList
  let region: Int
  /// Whether a transition could not be read.
  private(set) var hasUnreadTransition = false

  init(names: Names, problems: ProblemList, region: Int) {
    self.names = names
    self.problems = problems
    self.region = region
  }

  /// The regions of the file, or its one unnamed region.
  static func regions(_ fields: Fields, _ problems: ProblemList) -> [Region] {
    guard let field = fields["regions"] else { return [unnamed(fields, problems)].compactMap { $0 } }
    for key in ["initial", "states"] {
      if let other = fields[key] {
        problems.add(other.position, "\(quoted(key)) beside \"regions\"; write it in one of the regions")
      }
    }
    var regions: [Region] = []
    let entries = problems.entries(field)
    addEmpty(entries, field, problems)
    if entries.count > PanelReader.regionsAtMost {
      problems.add(field.position, "\(entries.count) regions; write at most \(PanelReader.regionsAtMost)")
    }
    for entry in entries.prefix(PanelReader.regionsAtMost) {
      Names.isGood(entry.key, at: entry.position, problems)
      guard let fields = problems.fields(entry.value, Grammar.region, at: entry.position) else { continue }
      regions.append(
        Region(name: entry.key, initial: fields["initial"], states: states(fields["states"], problems)))
    }
    return regions
  }

  private static func unnamed(_ fields: Fields, _ problems: ProblemList) -> Region? {
    for key in Grammar.region.keys where fields.isMissing(key.name) {
      problems.addMissing(key, of: Grammar.panel, at: fields.position)
    }
    guard fields["states"] != nil else { return nil }
    return Region(name: nil, initial: fields["initial"], states: states(fields["states"], problems))
  }

  private static func states(_ field: Field?, _ problems: ProblemList) -> [YAMLNode.Entry] {
    let entries = problems.entries(field)
    if let field { addEmpty(entries, field, problems) }
    for entry in entries { Names.isGood(entry.key, at: entry.position, problems) }
    return entries
  }

  /// Adds a problem for a key without a value or with an empty map; for other values that are no map there is one
  /// already.
  private static func addEmpty(_ entries: [YAMLNode.Entry], _ field: Field, _ problems: ProblemList) {
    guard entries.isEmpty else { return }
    switch field.node.content {
    case .map, .nothing:
      problems.add(field.position, "\(quoted(field.key.name)) is empty; it takes \(field.key.takes)")
    case .scalar, .list, .refused: break
    }
  }

  /// Reads the region's states; sets `shown` and `hasInitial` of `source`.
  mutating func read(_ source: inout Region) -> PanelDefinition.Region {
    var result = PanelDefinition.Region(name: source.name, initial: 0, states: [])
    if let field = source.initial, let text = problems.text(field), !source.states.isEmpty,
      let index = names.state(text, in: region, at: field.node.position, problems)
    {
      result.initial = index
      source.hasInitial = true
    }
    let shows = ShowReader(names: names, problems: problems)
    var transitions = TransitionReader(names: names, problems: problems, region: region)
    for entry in source.states {
      var state = PanelDefinition.State(name: entry.key)
      let countBefore = problems.count
      let fields = problems.fields(entry.value, Grammar.state, at: entry.position)
      // An unknown key may be a misspelt `on` or `after`, whose transitions are not read then.
      if problems.count > countBefore { hasUnreadTransition = true }
      if let fields {
        for (show, position) in shows.shows(fields["show"]) {
          state.show.append(show)
          source.shown.append((show.output, position))
        }
        state.play = sounds(fields["play"])
        if let enter = fields["enter"], let fields = problems.fields(enter.node, Grammar.enter, at: enter.position) {
          state.enter = transitions.assignments(fields["set"])
        }
        state.on = transitions.reactions(fields["on"])
        state.after = transitions.deadlines(fields["after"])
      }
      result.states.append(state)
    }
    hasUnreadTransition = hasUnreadTransition || transitions.hasUnreadTransition
    return result
  }

  private func sounds(_ field: Field?) -> [Int] {
    guard let field, let items = problems.items(field) else { return [] }
    return SoundList(names: names, problems: problems).read(items, in: field)
  }
}

/// Reads a list of sounds: of `play`, and of what an expectation says is playing.
struct SoundList {
  let names: Names
  let problems: ProblemList

  func read(_ items: [YAMLNode], in field: Field) -> [Int] {
    var sounds: [Int] = []
    var seen: Set<Int> = []
    for item in items {
      guard let name = problems.text(item, in: field), let sound = names.sound(name, at: item.position, problems) else {
        continue
      }
      if seen.insert(sound).inserted {
        sounds.append(sound)
      } else {
        problems.add(item.position, "\(quoted(name)) is in the list twice; write it once")
      }
    }
    return sounds
  }
}
