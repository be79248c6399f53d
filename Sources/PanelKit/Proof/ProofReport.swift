import CycleCore
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

/// The result of a proof as text.
package struct ProofReport {
  /// The panel as the file defines it, without limits.
  package let panel: PanelDefinition
  /// The panel file, as the user wrote it.
  package let file: String
  package let outcome: Proof.Outcome
  package let options: Options
  /// The violations. Under limits, only those that a scenario reproduces on the panel without limits.
  private let violations: [Proof.Path]

  package init(panel: PanelDefinition, file: String, outcome: Proof.Outcome, options: Options) {
    (self.panel, self.file, self.outcome, self.options) = (panel, file, outcome, options)
    violations =
      options.limits.isEmpty
      ? outcome.violations
      : outcome.violations.filter {
        CounterexampleReport(panel: panel, file: file, way: $0).failingScenario().text != nil
      }
  }

  /// Whether a limit makes a property violated that the panel may keep: a value at the end of its limit is neither the
  /// number that it would have nor the one that it is compared with.
  private var isUndecidedByLimit: Bool { violations.count < outcome.violations.count }

  /// The rules with a comparison of two numbers that the limits decide, and that comparison.
  private var decidedByLimits: [(never: Int, comparison: LimitedComparison)] {
    panel.nevers.indices.compactMap { never in
      LimitedComparison(in: panel.nevers[never].condition, of: panel, under: options.limits).map { (never, $0) }
    }
  }

  package struct Options {
    package var bounds = Search.Bounds()
    package var hasFaults = true
    package var limits: [RangeRestriction] = []
    /// The place for the scenarios of counterexamples; nil to print them.
    package var place: ScenarioDestination?
    package var span = Duration.zero

    package init(
      bounds: Search.Bounds = Search.Bounds(), hasFaults: Bool = true, limits: [RangeRestriction] = [],
      place: ScenarioDestination? = nil, span: Duration = Duration.zero
    ) {
      (self.bounds, self.hasFaults, self.limits, self.place, self.span) = (bounds, hasFaults, limits, place, span)
    }

    /// `song=0..3, at=1..4`, as the user wrote them; empty if there are none.
    var limitText: String { limits.map(\.text).joined(separator: ", ") }
  }

  /// All complete searches.
  private var searches: [Search] {
    outcome.parts.filter { !$0.isOfOneDay }.map(\.search) + outcome.others.map(\.search).filter(\.isComplete)
  }
  private var unreached: [PanelDefinition.Reach] { panel.reach.filter { result(of: $0) == "unreached" } }

  package var status: Int32 {
    if !violations.isEmpty { return ExitStatus.failed }
    if isUndecidedByLimit || !decidedByLimits.isEmpty { return ExitStatus.undecided }
    guard outcome.isComplete else { return outcome.isInterrupted ? ExitStatus.interrupted : ExitStatus.undecided }
    if unreached.isEmpty { return ExitStatus.success }
    return options.limits.isEmpty ? ExitStatus.failed : ExitStatus.undecided
  }

  /// - Parameter elapsed: the duration of the proof.
  package func lines(_ elapsed: Duration) throws -> [String] {
    guard violations.isEmpty else {
      let violated = try violations.flatMap { way in
        let counterexample = counterexample(way)
        return try counterexample.lines + counterexample.record(at: options.place).lines
      }
      return violated + rows.filter { $0.hasPrefix("  undecided") } + limitedSummary(elapsed)
    }
    if isUndecidedByLimit {
      let ways = outcome.violations.flatMap {
        counterexample($0).lines(saying: "is violated under the limit \(options.limitText)")
          + [
            "  no scenario can reproduce it without the limit, so it is undecided; try a wider limit, or limit values that are "
              + "compared with each other to the same numbers"
          ]
      }
      return ways + rows.filter { $0.hasPrefix("  undecided") } + limitedSummary(elapsed)
    }
    guard outcome.isComplete else {
      // The rows are left out if no property is decided.
      let isAnyDecided =
        outcome.parts.contains { $0.search.isComplete } || panel.reach.contains { result(of: $0) == "reached" }
      var lines = isAnyDecided ? ["\(file): \(panel.name)"] + rows : []
      var unfinished = outcome.parts.filter { !$0.search.isComplete }
      // Ctrl-C ends all searches that follow.
      if outcome.isInterrupted { unfinished = unfinished.first { $0.search.isInterrupted }.map { [$0] } ?? [] }
      for part in unfinished {
        let undecided = isAnyDecided || unfinished.count > 1 ? undecidedNames(in: part.search) : nil
        lines +=
          UnfinishedSearch(
            panel: panel, file: file, search: part.search, span: outcome.parts.count > 1 ? part.span : nil,
            options: options,
            undecided: undecided
          ).lines
      }
      return lines + limitedSummary(elapsed)
    }
    var lines: [String] = []
    if options.limits.isEmpty {
      lines += unreached.map { "\(place($0.written)): \(name($0)) is never reached; \(reason(for: $0))" }
    }
    let hasProperties = !panel.nevers.isEmpty || panel.interlocks.contains { !$0.isRest } || !panel.reach.isEmpty
    lines.append("\(file): \(panel.name)\(hasProperties ? "" : ": nothing to prove; add never: or reach: to the file")")
    lines += rows
    lines += decidedByLimits.map { never, comparison in
      row(
        "note",
        "the limits decide how \(comparison.names.joined(separator: " and ")) compare in \(panel.nevers[never].name); limit "
          + "them to the same numbers", "")
    }
    let condition = options.limits.isEmpty ? "" : "under the limit: "
    let findings = ReachabilityReport(searches, of: panel)
    lines += findings.lines(hasFaults: options.hasFaults).map { row("note", condition + $0, "") }
    lines.append(summary(elapsed))
    return lines
  }

  private static let together = "never switched on together"

  /// A row for each property that is not violated, and for each state of `reach`.
  private var rows: [String] {
    var rows: [String] = []
    func add(_ property: Violation.Property, _ name: String, _ text: String) {
      let result = result(of: property)
      if result != "violated" { rows.append(row(result, name, text)) }
    }
    for (place, never) in panel.nevers.enumerated() { add(.never(place), "never \(never.name)", never.text) }
    for (place, interlock) in panel.interlocks.enumerated() where !interlock.isRest {
      add(.interlock(place), panel.title(of: interlock), Self.together)
    }
    for reach in panel.reach {
      let limit = options.limits.isEmpty ? "" : "under the limit \(options.limitText)"
      let result = result(of: reach)
      let path = result == "undecided" ? "" : outcome.ways[reach.state].map(text) ?? limit
      rows.append(row(result, name(reach), path))
    }
    return rows
  }

  /// `violated`, `proved` or `undecided`.
  private func result(of property: Violation.Property) -> String {
    if outcome.violations.contains(where: { $0.trace.violation?.property == property }) {
      return violations.contains { $0.trace.violation?.property == property } ? "violated" : "undecided"
    }
    // A path that is too quick for a hand is no violation, and hides others.
    guard let part = outcome.part(of: property), !part.isOfOneDay else { return "undecided" }
    if case .never(let never) = property, decidedByLimits.contains(where: { $0.never == never }) { return "undecided" }
    return part.search.isComplete && part.search.marks.violations[property] == nil ? "proved" : "undecided"
  }

  /// The names of the properties and of the states of `reach` that an incomplete search has not decided. Each search also
  /// checks that chains of `when` end.
  private func undecidedNames(in search: Search) -> [String] {
    let goals = search.model.goals
    let names =
      goals.nevers.sorted().map { "never \(panel.nevers[$0].name)" }
      + goals.interlocks.sorted().map { panel.title(of: panel.interlocks[$0]) }
      + panel.reach.filter { goals.reach.contains($0.state) && result(of: $0) != "reached" }.map { name($0) }
    return names.isEmpty ? ["the end of each chain of when"] : names
  }

  private func counterexample(_ way: Proof.Path) -> CounterexampleReport {
    CounterexampleReport(panel: panel, file: file, limits: options.limitText, way: way)
  }

  /// The result for a state of `reach`: `reached`, `unreached` or `undecided`. A path that is too quick for a hand counts
  /// only if the search has replaced all such paths that can be replaced.
  private func result(of reach: PanelDefinition.Reach) -> String {
    let way = outcome.ways[reach.state]
    guard let part = outcome.part(ofReach: reach.state), part.search.isComplete, part.violations.isEmpty else {
      return way?.moments == nil ? "undecided" : "reached"
    }
    return way == nil ? "unreached" : "reached"
  }

  /// A JSON object for each property and each state of `reach`, and one for the whole proof.
  package func json(_ elapsed: Duration) throws -> [JSON] {
    func object(_ kind: String, _ name: String, _ text: String, _ result: String, _ more: [JSON.Member] = []) -> JSON {
      guard
        case .object(let members) = JSON.object([
          "file": .text(file), "kind": .text(kind), "name": .text(name), "text": .text(text), "result": .text(result),
        ])
      else { return .null }
      return .object(members + more)
    }
    func members(of way: Proof.Path) throws -> [JSON.Member] {
      let counterexample = counterexample(way)
      let report = try counterexample.record(at: options.place)
      let members = [
        JSON.Member(name: "inputs", value: .number(way.inputs)),
        JSON.Member(name: "counterexample", value: .texts(counterexample.lines.map(visible))),
      ]
      return members + report.members
    }
    func members(of property: Violation.Property) throws -> [JSON.Member] {
      try violations.first { $0.trace.violation?.property == property }.map(members) ?? []
    }
    var objects: [JSON] = []
    for (place, never) in panel.nevers.enumerated() {
      let word = result(of: .never(place))
      objects.append(object("never", never.name, never.text, word, try members(of: .never(place))))
    }
    for (place, interlock) in panel.interlocks.enumerated() where !interlock.isRest {
      let word = result(of: .interlock(place))
      let names = interlock.relays.map { panel.outputs[$0].name }.joined(separator: ", ")
      objects.append(object("interlock", names, Self.together, word, try members(of: .interlock(place))))
    }
    for way in violations where way.trace.violation?.property == .end {
      objects.append(
        object("end", "when and after end", counterexample(way).property, "violated", try members(of: way)))
    }
    for reach in panel.reach {
      let word = result(of: reach)
      let way = word == "reached" ? outcome.ways[reach.state] : nil
      objects.append(object("reach", name(reach), way.map(text) ?? "", word))
    }
    let word =
      switch status {
      case ExitStatus.success: "proved"
      case ExitStatus.failed: "failed"
      default: "undecided"
      }
    objects.append(
      .object([
        "file": .text(file), "kind": .text("summary"), "result": .text(word),
        "situations": .number(situationCount), "depth": .number(searches.map(\.depth).max() ?? 0),
        "milliseconds": .number(Int(elapsed / .milliseconds(1))),
        "limits": options.limits.isEmpty ? nil : .text(options.limitText),
        "interrupted": outcome.isInterrupted ? .flag(true) : nil,
      ]))
    return objects
  }

  private var situationCount: Int { searches.reduce(0) { $0 + $1.store.count } }

  /// The limits that the verdict depends on; the summary must show them.
  private func limitedSummary(_ elapsed: Duration) -> [String] { options.limits.isEmpty ? [] : [summary(elapsed)] }

  private func row(_ word: String, _ name: String, _ text: String) -> String {
    let row = "  \(word.padded(to: 12))\(text.isEmpty ? name : name.padded(to: 24))\(text)"
    return visible(row)
  }

  private func summary(_ elapsed: Duration) -> String {
    let counts = [
      counted(situationCount, "situation") + " in "
        + counted(searches.reduce(0) { $0 + $1.configurationCount }, "configuration"),
      "at most " + counted(searches.map(\.marks.mostClocks).max() ?? 0, "clock"), SecondsText.short(elapsed),
    ]
    let limits = options.limits.isEmpty ? "" : " Limited: \(options.limitText)."
    let faults =
      (searches.contains { $0.model.keptStartCount > 1 } ? ", kept values" : "") + (options.hasFaults ? ", faults" : "")
    return "\(counts.joined(separator: ", ")).\(limits) "
      + "Assumed arbitrary: contacts (except for debounce), sensors, random numbers, ends of sounds\(faults)."
  }

  /// The state as the file names it.
  private func name(_ reach: PanelDefinition.Reach) -> String {
    reach.written.source?.text ?? panel.states[reach.state].name
  }

  private func place(_ written: FilePassage) -> String {
    written.source.map { "\(file):\($0.position.line):\($0.position.column)" } ?? file
  }

  /// The length of a path as text: `after 1 input, at 20.011s`.
  private func text(of way: Proof.Path) -> String {
    let inputs = way.inputs == 0 ? "without an input" : "after \(counted(way.inputs, "input"))"
    let moment = way.moments?.last.map { ", at \(CounterexampleReport.text(ofMoment: $0))" } ?? ""
    let start = way.model.text(ofStart: way.trace)
    return inputs + moment + (start.isEmpty ? "" : ", from the start with \(start)")
  }

  /// The reason why a state is never reached: a transition to it whose condition never held.
  private func reason(for reach: PanelDefinition.Reach) -> String {
    guard let search = outcome.part(ofReach: reach.state)?.search else { return "" }
    let transitions = search.model.rules.table.transitions
    let leading = transitions.indices.filter { transitions[$0].target?.state == reach.state }
    for transition in leading {
      let comparisons = transitions[transition].written.source?.comparisons ?? []
      for (comparison, outcome) in zip(comparisons, search.marks.outcomes[transition])
      where !outcome.hasHeld && outcome.hasFailed {
        return "\(comparison.position.line):\(comparison.position.column) is never true: \(comparison.text)"
      }
    }
    guard let first = leading.first, let position = transitions[first].written.source?.position else {
      return "no transition leads there"
    }
    return "\(position.line):\(position.column) never fires: \(search.model.name(ofTransition: first))"
  }
}

extension String {
  /// The text with at least two blanks after it.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(2, width - count)) }
}

extension ProofModel {
  /// `top on, beam broken, rings 12`; empty for a start with all contacts at rest and all values initial.
  func text(ofStart trace: Trace) -> String {
    let moved = trace.moved.map { "\(panel.inputs[$0].name) \(panel.inputs[$0].device.word(ofPosition: $1))" }
    let unknown = trace.unknown.map { "\(panel.inputs[$0].name) unknown" }
    return (moved + unknown + trace.kept.map { "\($0.name) \($0.text)" }).joined(separator: ", ")
  }

  /// The name of a transition: `key.held -> stopped`.
  func name(ofTransition number: Int) -> String {
    let transition = rules.table.transitions[number]
    let cause =
      switch rules.table.occasions[number] {
      case .event(let event): panel.name(of: event)
      case .deadline(let index):
        HaltReason.Cause.deadline(PanelDeadline(owner: .state(rules.table.sources[number], index), entry: 0)).name(
          in: panel)
      case .done: "done"
      case .when: transition.written.source?.text ?? "when"
      case .never(let never): "never \(panel.nevers[never].name)"
      }
    return transition.target.map { "\(cause) -> \(panel.states[$0.state].name)" } ?? cause
  }
}
