import Terminal

/// Which states, transitions and conditions of a panel its scenarios have tried.
final class Coverage {
  private struct Place: Hashable, Comparable {
    var line: Int
    var column: Int

    init(_ position: Position) { (line, column) = (position.line, position.column) }

    static func < (one: Place, other: Place) -> Bool { (one.line, one.column) < (other.line, other.column) }
  }

  /// What a comparison of a condition has been.
  private struct Outcomes {
    var wasTrue = false
    var wasFalse = false
  }

  private let panel: PanelDefinition
  private let show: PanelShow
  /// The comparisons that are asked after every event, each by itself: of computed switches, and of each `never` that has several.
  private let standing: [Written.Comparison]
  private var entered: [Bool]
  private var taken: Set<Place> = []
  private var outcomes: [Place: Outcomes] = [:]

  init(of panel: PanelDefinition) {
    self.panel = panel
    show = PanelShow(panel: panel)
    let switches = panel.inputs.compactMap { ($0.device as? ComputedSwitchKind)?.written.source?.comparisons }
    let nevers = panel.nevers.compactMap { $0.written.source?.comparisons }.filter { $0.count > 1 }
    standing = (switches + nevers).flatMap { $0 }
    entered = panel.states.map { _ in false }
  }

  // MARK: - What happens

  func enter(_ state: Int) { entered[state] = true }

  func take(_ transition: PanelDefinition.Transition) {
    if let source = transition.written.source { taken.insert(Place(source.position)) }
  }

  /// Whether a state has been entered.
  func isEntered(_ state: Int) -> Bool { entered[state] }

  /// Whether a transition has been taken that is written at a place.
  func isTaken(at position: Position) -> Bool { taken.contains(Place(position)) }

  /// The panel has come to a frame, by which it has asked the conditions of its computed switches and of `never`.
  func meet(_ frame: PanelFrame) {
    guard !frame.isStopped else { return }
    let world = ShownFrame(frame: frame, show: show)
    for comparison in standing { note(comparison, holds: comparison.condition.holds(in: world)) }
  }

  private func note(_ comparison: Written.Comparison, holds: Bool) {
    let place = Place(comparison.position)
    if holds { outcomes[place, default: Outcomes()].wasTrue = true }
    if !holds { outcomes[place, default: Outcomes()].wasFalse = true }
  }

  /// The condition of a transition is asked. Of `a and b`, b is asked only where a holds.
  func ask(_ transition: PanelDefinition.Transition, in frame: PanelFrame) {
    guard let condition = transition.condition, let source = transition.written.source, !source.comparisons.isEmpty
    else { return }
    _ = ask(condition, source.comparisons, in: frame)
  }

  private func ask(_ condition: Condition, _ comparisons: [Written.Comparison], in frame: PanelFrame) -> Bool {
    let same = comparisons.filter { $0.condition == condition }
    guard same.isEmpty else {
      let holds = condition.holds(in: frame)
      for comparison in same { note(comparison, holds: holds) }
      return holds
    }
    switch condition {
    case .not(let inside): return !ask(inside, comparisons, in: frame)
    case .all(let parts):
      for part in parts where !ask(part, comparisons, in: frame) { return false }
      return true
    case .any(let parts):
      for part in parts where ask(part, comparisons, in: frame) { return true }
      return false
    default: return condition.holds(in: frame)
    }
  }

  /// How much has been tried: it grows with each state, transition and outcome that is new.
  var marks: Int {
    entered.count { $0 } + taken.count + outcomes.values.reduce(0) { $0 + ($1.wasTrue ? 1 : 0) + ($1.wasFalse ? 1 : 0) }
  }

  // MARK: - What is told

  private struct Finding {
    var place: Place
    var text: String
  }

  /// How many of all are covered, and what is not.
  private struct Share {
    var covered = 0
    var count = 0
    var findings: [Finding] = []

    mutating func add(_ isCovered: Bool, _ finding: @autoclosure () -> Finding) {
      count += 1
      if isCovered { covered += 1 } else { findings.append(finding()) }
    }
  }

  private var states: Share {
    var share = Share()
    for (number, state) in panel.states.enumerated().dropFirst() {
      guard let source = state.written.source else { continue }
      share.add(entered[number], Finding(place: Place(source.position), text: "state \(state.name) was never entered"))
    }
    return share
  }

  /// The transitions as they are written: several events of one transition are one.
  private var transitions: [(place: Place, source: Written.Source, transition: PanelDefinition.Transition)] {
    var places: Set<Place> = []
    let all = panel.states.flatMap { state in
      state.on.flatMap(\.transitions) + state.after.flatMap(\.transitions) + state.done + state.when
    }
    return all.compactMap { transition in
      guard let source = transition.written.source, places.insert(Place(source.position)).inserted else { return nil }
      return (Place(source.position), source, transition)
    }
  }

  private var takenTransitions: Share {
    var share = Share()
    for (place, source, transition) in transitions {
      let target = transition.target.map { " -> \(panel.states[$0.state].name)" } ?? ""
      share.add(taken.contains(place), Finding(place: place, text: "never taken: \(source.text)\(target)"))
    }
    return share
  }

  private var conditions: Share {
    var share = Share()
    for comparison in transitions.flatMap(\.source.comparisons) + standing {
      let place = Place(comparison.position)
      let outcome = outcomes[place] ?? Outcomes()
      let what = outcome.wasTrue ? "was always true" : outcome.wasFalse ? "was always false" : "was never asked"
      share.add(
        outcome.wasTrue && outcome.wasFalse, Finding(place: place, text: "\(what): \(comparison.text)"))
    }
    return share
  }

  /// How much of all states, transitions and conditions is covered, in percent, rounded down; 100 for a panel with none.
  var percent: Int {
    let shares = [states, takenTransitions, conditions]
    let count = shares.reduce(0) { $0 + $1.count }
    return count == 0 ? 100 : shares.reduce(0) { $0 + $1.covered } * 100 / count
  }

  /// A line with the shares, and one for each thing that is not covered, in the order of the file.
  ///
  /// - Parameters:
  ///   - file: the panel's file.
  ///   - tried: what has tried them: `3 scenarios`.
  func lines(file: String, tried: String) -> [String] {
    let (states, transitions, conditions) = (self.states, takenTransitions, self.conditions)
    let shares = [("states", states), ("transitions", transitions), ("conditions both ways", conditions)]
    let texts = shares.map { "\($0) \($1.covered) of \($1.count)" } + [tried]
    // Of a transition that was never taken it says nothing more that its condition never held.
    let untaken = Set(transitions.findings.map(\.place))
    let findings = (states.findings + transitions.findings + conditions.findings.filter { !untaken.contains($0.place) })
      .sorted { $0.place < $1.place }
    let places = findings.map { "\($0.place.line):\($0.place.column)" }
    let width = places.map(\.count).max() ?? 0
    return ["\(file): \(texts.joined(separator: ", "))"]
      + zip(places, findings).map { place, finding in
        "  \(place)\(String(repeating: " ", count: width - place.count))  \(finding.text)"
      }
  }
}
