import PanelLanguage
import Terminal

/// The states, transitions and conditions of a panel that its scenarios have covered.
package final class Coverage {
  private struct Location: Hashable, Comparable {
    var line: Int
    var column: Int

    init(_ position: Position) { (line, column) = (position.line, position.column) }

    static func < (one: Location, other: Location) -> Bool { (one.line, one.column) < (other.line, other.column) }
  }

  /// The outcomes of one comparison so far.
  private struct Outcomes {
    var wasTrue = false
    var wasFalse = false
    /// The smallest distance so far to the point where the comparison changes: ``Condition/distance(in:)``.
    var nearest = Int.max
  }

  private let panel: PanelDefinition
  private let show: PanelRendering
  /// The comparisons that are evaluated after every event: those of computed switches, and of each `never` with
  /// several.
  private let standing: [FilePassage.Comparison]
  /// The progress so far. It grows with each new state, transition and outcome. It also grows when a comparison of
  /// numbers or lists comes nearer to its point of change than before.
  package private(set) var marks = 0
  private var entered: [Bool]
  private var taken: Set<Location> = []
  private var outcomes: [Location: Outcomes] = [:]

  package init(of panel: PanelDefinition) {
    self.panel = panel
    show = PanelRendering(panel: panel)
    let switches = panel.inputs.compactMap { ($0.device.derivation?.ofSwitch)?.written.source?.comparisons }
    let nevers = panel.nevers.compactMap { $0.written.source?.comparisons }.filter { $0.count > 1 }
    standing = (switches + nevers).flatMap { $0 }
    entered = panel.states.map { _ in false }
  }

  // MARK: - Recording

  package func enter(_ state: Int) {
    if !entered[state] { marks += 1 }
    entered[state] = true
  }

  package func take(_ transition: PanelDefinition.Transition) {
    if let source = transition.written.source, taken.insert(Location(source.position)).inserted { marks += 1 }
  }

  package func isEntered(_ state: Int) -> Bool { entered[state] }

  /// Whether a transition that is written at this position has fired.
  package func isTaken(at position: Position) -> Bool { taken.contains(Location(position)) }

  /// Records the outcomes of the comparisons of computed switches and of `never` in a new frame.
  package func meet(_ frame: PanelFrame) {
    guard !frame.isStopped else { return }
    let world = ShownFrame(frame: frame, show: show)
    for comparison in standing { note(comparison, holds: comparison.condition.holds(in: world), in: frame) }
  }

  private func note(_ comparison: FilePassage.Comparison, holds: Bool, in frame: PanelFrame) {
    let distance = comparison.condition.distance(in: frame)
    func add(to outcomes: inout Outcomes) {
      if holds ? !outcomes.wasTrue : !outcomes.wasFalse { marks += 1 }
      if holds { outcomes.wasTrue = true } else { outcomes.wasFalse = true }
      guard let distance, distance < outcomes.nearest else { return }
      outcomes.nearest = distance
      marks += 1
    }
    add(to: &outcomes[Location(comparison.position), default: Outcomes()])
  }

  /// Records the outcomes of a transition's condition. In `a and b`, b is evaluated only if a holds.
  package func ask(_ transition: PanelDefinition.Transition, in frame: PanelFrame) {
    guard let condition = transition.condition, let source = transition.written.source, !source.comparisons.isEmpty
    else { return }
    _ = ask(condition, source.comparisons, in: frame)
  }

  private func ask(_ condition: Condition, _ comparisons: [FilePassage.Comparison], in frame: PanelFrame) -> Bool {
    let same = comparisons.filter { $0.condition == condition }
    guard same.isEmpty else {
      let holds = condition.holds(in: frame)
      for comparison in same { note(comparison, holds: holds, in: frame) }
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

  // MARK: - Report

  private struct Gap {
    var place: Location
    var text: String
  }

  /// The number of covered items among all, and the items that are not covered.
  private struct Share {
    var covered = 0
    var count = 0
    var findings: [Gap] = []

    mutating func add(_ isCovered: Bool, _ finding: @autoclosure () -> Gap) {
      count += 1
      if isCovered { covered += 1 } else { findings.append(finding()) }
    }
  }

  private var states: Share {
    var share = Share()
    for (number, state) in panel.states.enumerated().dropFirst() {
      guard let source = state.written.source else { continue }
      share.add(
        entered[number], Gap(place: Location(source.position), text: "state \(name(of: number)) was never entered"))
    }
    return share
  }

  /// The name of a state: `fast`, or `room(2).fast` in a region that is repeated.
  private func name(of state: Int) -> String {
    let name = panel.states[state].name
    var around = state
    while around > 0, case let region = panel.regions[panel.states[around].region] {
      if let member = region.name, member.hasSuffix(")") { return "\(member).\(name)" }
      around = region.owner
    }
    return name
  }

  /// The transitions as they are written: a transition with several events counts once.
  private var transitions: [(place: Location, source: FilePassage.Source, transition: PanelDefinition.Transition)] {
    var places: Set<Location> = []
    return panel.states.flatMap(\.transitions).compactMap { transition in
      guard let source = transition.written.source, places.insert(Location(source.position)).inserted else {
        return nil
      }
      return (Location(source.position), source, transition)
    }
  }

  private var takenTransitions: Share {
    var share = Share()
    for (place, source, transition) in transitions {
      let target = transition.target.map { " -> \(panel.states[$0.state].name)" } ?? ""
      share.add(taken.contains(place), Gap(place: place, text: "never fired: \(source.text)\(target)"))
    }
    return share
  }

  private var conditions: Share {
    var share = Share()
    for comparison in transitions.flatMap(\.source.comparisons) + standing {
      let place = Location(comparison.position)
      let outcome = outcomes[place] ?? Outcomes()
      let what = outcome.wasTrue ? "was always true" : outcome.wasFalse ? "was always false" : "was never checked"
      share.add(
        outcome.wasTrue && outcome.wasFalse, Gap(place: place, text: "\(what): \(comparison.text)"))
    }
    return share
  }

  /// The covered part of all states, transitions and conditions in percent, rounded down; 100 for a panel with none.
  package var percent: Int {
    let shares = [states, takenTransitions, conditions]
    let count = shares.reduce(0) { $0 + $1.count }
    return count == 0 ? 100 : shares.reduce(0) { $0 + $1.covered } * 100 / count
  }

  /// Returns a line with the shares, and one line for each item that is not covered, in the order of the file.
  ///
  /// - Parameters:
  ///   - file: the panel's file.
  ///   - tried: what was run: `3 scenarios`.
  package func lines(file: String, tried: String) -> [String] {
    let (states, transitions, conditions) = (self.states, takenTransitions, self.conditions)
    let shares = [("states", states), ("transitions", transitions), ("conditions both ways", conditions)]
    let texts = shares.map { "\($0) \($1.covered) of \($1.count)" } + [tried]
    // For a transition that never fired, the line about its condition adds nothing.
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

extension Condition {
  /// The distance of a comparison from the point where it changes; nil for other conditions.
  ///
  /// For numbers, differences below 8 count as they are; larger ones are grouped by powers of two. For lists, it is the
  /// number of elements that differ from the first difference on.
  func distance(in frame: PanelFrame) -> Int? {
    switch self {
    case .comparison(let left, _, let right):
      let (left, right) = (left.wide(in: frame), right.wide(in: frame))
      let far = Saturating.difference(max(left, right), min(left, right)).narrow
      return far < 8 ? far : 4 + Int.bitWidth - far.leadingZeroBitCount
    case .elements(let list, let wanted): return Self.missing(in: frame.elements(of: list), of: wanted)
    case .sameElements(let one, let other):
      return Self.missing(in: frame.elements(of: one), of: frame.elements(of: other))
    default: return nil
    }
  }

  private static func missing(in elements: some Collection<Int>, of wanted: some Collection<Int>) -> Int {
    let same = zip(elements, wanted).prefix { $0 == $1 }.count
    return max(elements.count, wanted.count) - same
  }
}
