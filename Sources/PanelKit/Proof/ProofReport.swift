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

  package init(panel: PanelDefinition, file: String, outcome: Proof.Outcome, options: Options) {
    (self.panel, self.file, self.outcome, self.options) = (panel, file, outcome, options)
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

  private var search: Search { outcome.search }
  private var unreached: [PanelDefinition.Reach] { panel.reach.filter { outcome.ways[$0.state] == nil } }

  package var status: Int32 {
    if !outcome.violations.isEmpty { return ExitStatus.failed }
    guard search.isComplete else { return search.isInterrupted ? ExitStatus.interrupted : ExitStatus.undecided }
    if unreached.isEmpty { return ExitStatus.success }
    return options.limits.isEmpty ? ExitStatus.failed : ExitStatus.undecided
  }

  /// - Parameter elapsed: the duration of the proof.
  package func lines(_ elapsed: Duration) throws -> [String] {
    guard outcome.violations.isEmpty else {
      let violated = try outcome.violations.flatMap { way in
        let counterexample = counterexample(way)
        return try counterexample.lines + counterexample.record(at: options.place).lines
      }
      return violated + undecided + limitedSummary(elapsed)
    }
    guard search.isComplete else {
      return UnfinishedSearch(panel: panel, file: file, search: search, options: options).lines
        + limitedSummary(elapsed)
    }
    var lines: [String] = []
    if options.limits.isEmpty {
      lines += unreached.map { "\(place($0.written)): \(name($0)) is never reached; \(reason(for: $0))" }
    }
    let hasProperties = !panel.nevers.isEmpty || !panel.interlocks.isEmpty || !panel.reach.isEmpty
    lines.append("\(file): \(panel.name)\(hasProperties ? "" : ": nothing to prove; add never: or reach: to the file")")
    lines += panel.nevers.map { row("proved", "never \($0.name)", $0.text) }
    lines += panel.interlocks.map { row("proved", panel.title(of: $0), "never switched on together") }
    for reach in panel.reach {
      let limit = options.limits.isEmpty ? "" : "under the limit \(options.limitText)"
      lines.append(row(reachResult(reach), name(reach), outcome.ways[reach.state].map(text) ?? limit))
    }
    let condition = options.limits.isEmpty ? "" : "under the limit: "
    lines += ReachabilityReport(search).lines(hasFaults: options.hasFaults).map { row("note", condition + $0, "") }
    lines.append(summary(elapsed))
    return lines
  }

  private func counterexample(_ way: Proof.Path) -> CounterexampleReport {
    CounterexampleReport(panel: panel, file: file, model: search.model, limits: options.limitText, way: way)
  }

  /// The result for a state of `reach`. A path that is too quick for a hand counts only if the search has replaced all
  /// such paths that can be replaced.
  private func reachResult(_ reach: PanelDefinition.Reach) -> String {
    let way = outcome.ways[reach.state]
    guard outcome.violations.isEmpty, search.isComplete else { return way?.moments == nil ? "undecided" : "reached" }
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
    func result(of property: Violation.Property) throws -> (String, [JSON.Member]) {
      if let way = outcome.violations.first(where: { $0.trace.violation?.property == property }) {
        return ("violated", try members(of: way))
      }
      return (outcome.violations.isEmpty && search.isComplete ? "proved" : "undecided", [])
    }
    var objects: [JSON] = []
    for (place, never) in panel.nevers.enumerated() {
      let (word, more) = try result(of: .never(place))
      objects.append(object("never", never.name, never.text, word, more))
    }
    for (place, interlock) in panel.interlocks.enumerated() {
      let (word, more) = try result(of: .interlock(place))
      let names = interlock.relays.map { panel.outputs[$0].name }.joined(separator: ", ")
      objects.append(object("interlock", names, "never switched on together", word, more))
    }
    for way in outcome.violations where way.trace.violation?.property == .end {
      objects.append(
        object("end", "when and after end", counterexample(way).property, "violated", try members(of: way)))
    }
    for reach in panel.reach {
      let word = reachResult(reach)
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
        "situations": .number(search.store.count), "depth": .number(search.depth),
        "milliseconds": .number(Int(elapsed / .milliseconds(1))),
        "limits": options.limits.isEmpty ? nil : .text(options.limitText),
        "interrupted": search.isInterrupted ? .flag(true) : nil,
      ]))
    return objects
  }

  /// A line for each property and each state of `reach` without a result, because the search found a violation and is
  /// not complete.
  private var undecided: [String] {
    let told = Set(outcome.violations.compactMap(\.trace.violation?.property))
    func isUndecided(_ property: Violation.Property) -> Bool {
      !told.contains(property) && (!search.isComplete || search.marks.violations[property] != nil)
    }
    let nevers = panel.nevers.enumerated().filter { isUndecided(.never($0.offset)) }.map(\.element)
    let interlocks = panel.interlocks.enumerated().filter { isUndecided(.interlock($0.offset)) }.map(\.element)
    return nevers.map { row("undecided", "never \($0.name)", $0.text) }
      + interlocks.map { row("undecided", panel.title(of: $0), "never switched on together") }
      + panel.reach.filter { reachResult($0) == "undecided" }.map { row("undecided", name($0), "") }
  }

  /// The limits that the verdict depends on; the summary must show them.
  private func limitedSummary(_ elapsed: Duration) -> [String] { options.limits.isEmpty ? [] : [summary(elapsed)] }

  private func row(_ word: String, _ name: String, _ text: String) -> String {
    let row = "  \(word.padded(to: 12))\(text.isEmpty ? name : name.padded(to: 24))\(text)"
    return visible(row)
  }

  private func summary(_ elapsed: Duration) -> String {
    let counts = [
      counted(search.store.count, "situation") + " in " + counted(search.configurationCount, "configuration"),
      "at most " + counted(search.marks.mostClocks, "clock"), SecondsText.short(elapsed),
    ]
    let limits = options.limits.isEmpty ? "" : " Limited: \(options.limitText)."
    let faults = (search.model.keptStartCount > 1 ? ", kept values" : "") + (options.hasFaults ? ", faults" : "")
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
    let start = search.model.text(ofStart: way.trace)
    return inputs + moment + (start.isEmpty ? "" : ", from the start with \(start)")
  }

  /// The reason why a state is never reached: a transition to it whose condition never held.
  private func reason(for reach: PanelDefinition.Reach) -> String {
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
