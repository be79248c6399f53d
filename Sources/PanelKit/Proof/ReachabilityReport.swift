import PanelEngine
import PanelLanguage
import Terminal

/// Additional findings of complete searches: what never happens, and where a panel cannot leave.
struct ReachabilityReport {
  static let most = 20

  private let searches: [Search]
  private let panel: PanelDefinition
  private let tree: StateTree
  private let table: TransitionTable

  /// - Parameter panel: the panel of the file.
  init(_ searches: [Search], of panel: PanelDefinition) {
    self.searches = searches
    self.panel = panel
    tree = StateTree(panel)
    table = TransitionTable(of: panel, tree)
  }

  /// The findings as text, one line each; at most ``most``.
  func lines(hasFaults: Bool) -> [String] {
    let notes = neverEntered + conditions(hasFaults: hasFaults) + deadEnds
    guard notes.count > Self.most else { return notes }
    return notes.prefix(Self.most) + ["\(notes.count - Self.most) more not shown"]
  }

  /// A search that follows a state's region; nil if there is none. All of them enter the same states and take the same
  /// transitions.
  private func search(following state: Int) -> Search? {
    state == 0 ? searches.first : searches.first { $0.model.regions.contains(tree.topRegions[state]) }
  }

  private func isEntered(_ state: Int) -> Bool { search(following: state)?.marks.isEntered[state] ?? true }

  /// The states that are never entered, without those inside them.
  private var neverEntered: [String] {
    panel.states.indices.dropFirst().filter { state in
      !isEntered(state) && (tree.parents[state] == 0 || isEntered(tree.parents[state]))
    }.map { "state \(panel.states[$0].name) is never entered" }
  }

  /// Transitions that are never taken, and conditions that always had the same result, in the order of the file.
  private func conditions(hasFaults: Bool) -> [String] {
    var notes: [(position: Position, text: String)] = []
    let outcomes = outcomes(hasFaults: hasFaults)
    for number in table.transitions.indices {
      let followers = followers(of: number, hasFaults: hasFaults)
      guard !followers.isEmpty, let written = table.transitions[number].written.source else { continue }
      var isExplained = false
      for comparison in written.comparisons {
        guard let outcome = outcomes[Location(comparison.position)], outcome.hasHeld != outcome.hasFailed else {
          continue
        }
        let text = "\(outcome.hasHeld ? "always" : "never") true: \(comparison.text)"
        if !notes.contains(where: { $0.position == comparison.position && $0.text == text }) {
          notes.append((comparison.position, text))
        }
        isExplained = true
      }
      if !followers.contains(where: { $0.marks.isTaken[number] }), !isExplained, isEntered(table.sources[number]) {
        notes.append((written.position, "never fired: \(followers[0].model.name(ofTransition: number))"))
      }
    }
    return notes.sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
      .map { "\($0.position.line):\($0.position.column): \($0.text)" }
  }

  private struct Location: Hashable {
    let line: Int
    let column: Int

    init(_ position: Position) { (line, column) = (position.line, position.column) }
  }

  /// The results of each comparison where it is written. A transition of several events collects the results of all of
  /// them.
  private func outcomes(hasFaults: Bool) -> [Location: SearchFindings.Outcome] {
    var all: [Location: SearchFindings.Outcome] = [:]
    for number in table.transitions.indices {
      for search in followers(of: number, hasFaults: hasFaults) {
        let comparisons = table.transitions[number].written.source?.comparisons ?? []
        for (comparison, outcome) in zip(comparisons, search.marks.outcomes[number]) {
          let known = all[Location(comparison.position)] ?? .init()
          all[Location(comparison.position)] = SearchFindings.Outcome(
            hasHeld: outcome.hasHeld || known.hasHeld, hasFailed: outcome.hasFailed || known.hasFailed)
        }
      }
    }
    return all
  }

  /// The searches that follow the event or deadline of a transition.
  private func followers(of number: Int, hasFaults: Bool) -> [Search] {
    let source = table.sources[number]
    // A transition of the top level fires in the region that it leads to.
    let state = source > 0 ? source : table.transitions[number].target?.state ?? 0
    return searches.filter { search in
      (state == 0 || search.model.regions.contains(tree.topRegions[state]))
        && search.model.follows(transition: number, hasFaults: hasFaults)
    }
  }

  /// States that are never left, and states without a path back to the initial state.
  private var deadEnds: [String] {
    var notes: [String] = []
    // A search whose regions another one follows, too, finds nothing else.
    for search in searches
    where !searches.contains(where: { $0.model.regions.isStrictSuperset(of: search.model.regions) }) {
      for note in Self.deadEnds(of: search) where !notes.contains(note) { notes.append(note) }
    }
    return notes
  }

  private static func deadEnds(of search: Search) -> [String] {
    let model = search.model
    let graph = SearchGraph(search)
    let isAlive = graph.isAlive
    let situations = graph.nodes.map { (node: $0, frame: search.situation($0).frame) }
    var isInitial = [Bool](repeating: false, count: isAlive.count)
    for (node, frame) in situations { isInitial[node] = model.isInitial(frame) }
    let returns = graph.leadsTo(isInitial)

    // A name is reported only if this holds in all situations of that name.
    var (living, returning) = (Set<String>(), Set<String>())
    var names = [Int: String]()
    for (node, frame) in situations {
      let name = model.stateText(in: frame)
      names[node] = name
      if isAlive[node] { living.insert(name) }
      if returns[node] { returning.insert(name) }
    }
    var notes: [String] = []
    func add(_ note: String) { if !notes.contains(note) { notes.append(note) } }
    if graph.goesOn {
      for (node, _) in situations where !living.contains(names[node]!) {
        add("\(names[node]!): no transition leaves it")
      }
    }
    let initial = model.initialText
    for (from, to) in graph.moves where returns[from] && !returns[to] {
      guard let name = names[to], !returning.contains(name), living.contains(name) else { continue }
      add("from \(name) no path leads back to \(initial)")
    }
    return notes
  }
}

extension ProofModel {
  /// Whether the search follows the event or deadline of a transition.
  fileprivate func follows(transition number: Int, hasFaults: Bool) -> Bool {
    var asked = Dependencies()
    asked.add(rules.table.transitions[number].condition)
    if !hasFaults, !asked.hardware.isEmpty { return false }
    switch rules.table.occasions[number] {
    case .event(let event):
      if !hasFaults, isOfHardware(event) { return false }
      return slice.events.contains(event)
    case .deadline(let index): return slice.deadlines[rules.table.sources[number]][index]
    case .done, .when: return true
    // The property itself promises that this transition is not taken.
    case .never: return false
    }
  }

  private func isOfHardware(_ event: PanelEvent) -> Bool {
    switch event {
    case .lost, .restored: true
    case .input, .anyInput, .finished, .anyFinished, .asked: false
    }
  }

  private var topRegions: [Int] { panel.states[0].regions.filter(regions.contains) }

  /// Whether each region of the top level is in its initial state, or in a state inside it.
  fileprivate func isInitial(_ frame: PanelFrame) -> Bool {
    topRegions.allSatisfy { frame[state: $0] == panel.regions[$0].initial }
  }

  fileprivate var initialText: String {
    topRegions.map { panel.states[panel.regions[$0].initial].name }.joined(separator: ", ")
  }
}
