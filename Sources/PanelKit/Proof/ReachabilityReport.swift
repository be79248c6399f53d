import PanelEngine
import PanelLanguage
import Terminal

/// Additional findings of a complete search: what never happens, and where a panel cannot leave.
struct ReachabilityReport {
  static let most = 20

  private let search: Search
  private var model: ProofModel { search.model }

  init(_ search: Search) {
    self.search = search
  }

  /// The findings as text, one line each; at most ``most``.
  func lines(hasFaults: Bool) -> [String] {
    let notes = neverEntered + conditions(hasFaults: hasFaults) + deadEnds
    guard notes.count > Self.most else { return notes }
    return notes.prefix(Self.most) + ["\(notes.count - Self.most) more not shown"]
  }

  /// The states that are never entered, without those inside them.
  private var neverEntered: [String] {
    let isEntered = search.marks.isEntered
    let parents = model.rules.tree.parents
    return isEntered.indices.dropFirst().filter { !isEntered[$0] && (parents[$0] == 0 || isEntered[parents[$0]]) }
      .map { "state \(model.panel.states[$0].name) is never entered" }
  }

  /// Transitions that are never taken, and conditions that always had the same result, in the order of the file.
  private func conditions(hasFaults: Bool) -> [String] {
    let (marks, rules) = (search.marks, model.rules)
    var notes: [(position: Position, text: String)] = []
    let followed = rules.table.transitions.indices.filter { isFollowed($0, hasFaults: hasFaults) }
    let outcomes = outcomes(of: followed)
    for number in followed {
      let transition = rules.table.transitions[number]
      guard let written = transition.written.source else { continue }
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
      let source = rules.table.sources[number]
      if !marks.isTaken[number], !isExplained, source == 0 || marks.isEntered[source] {
        notes.append((written.position, "never fired: \(model.name(ofTransition: number))"))
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
  private func outcomes(of transitions: [Int]) -> [Location: SearchFindings.Outcome] {
    var all: [Location: SearchFindings.Outcome] = [:]
    for number in transitions {
      let comparisons = model.rules.table.transitions[number].written.source?.comparisons ?? []
      for (comparison, outcome) in zip(comparisons, search.marks.outcomes[number]) {
        all[Location(comparison.position), default: .init()].hasHeld =
          outcome.hasHeld
          || all[Location(comparison.position)]?.hasHeld ?? false
        all[Location(comparison.position), default: .init()].hasFailed =
          outcome.hasFailed
          || all[Location(comparison.position)]?.hasFailed ?? false
      }
    }
    return all
  }

  /// Whether the search followed the event or deadline of a transition.
  private func isFollowed(_ number: Int, hasFaults: Bool) -> Bool {
    var asked = Dependencies()
    asked.add(model.rules.table.transitions[number].condition)
    if !hasFaults, !asked.hardware.isEmpty { return false }
    switch model.rules.table.occasions[number] {
    case .event(let event):
      if !hasFaults, model.isOfHardware(event) { return false }
      return model.slice.events.contains(event)
    case .deadline(let index): return model.slice.deadlines[model.rules.table.sources[number]][index]
    case .done, .when: return true
    // The property itself promises that this transition is not taken.
    case .never: return false
    }
  }

  /// States that are never left, and states without a path back to the initial state.
  private var deadEnds: [String] {
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
      let name = model.show.stateText(in: frame)
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
  fileprivate func isOfHardware(_ event: PanelEvent) -> Bool {
    switch event {
    case .lost, .restored: true
    case .input, .anyInput, .finished, .anyFinished, .asked: false
    }
  }

  private var topRegions: [Int] { panel.states[0].regions }

  /// Whether each region of the top level is in its initial state, or in a state inside it.
  fileprivate func isInitial(_ frame: PanelFrame) -> Bool {
    topRegions.allSatisfy { frame[state: $0] == panel.regions[$0].initial }
  }

  fileprivate var initialText: String {
    topRegions.map { panel.states[panel.regions[$0].initial].name }.joined(separator: ", ")
  }
}
