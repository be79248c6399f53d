import CycleCore
import PanelLanguage
import Terminal

/// The report of a proof whose search is not complete: the bound that was reached, the cause, and what to try.
struct UnfinishedSearch {
  /// The panel as the file defines it, without limits.
  let panel: PanelDefinition
  let file: String
  let search: Search
  /// The time that the search took; nil if it is the only search of the proof.
  let span: Duration?
  let options: ProofReport.Options
  /// The names of the undecided properties; nil if none is decided.
  let undecided: [String]?

  private var found: String {
    undecided.map { "no counterexample found so far\($0.isEmpty ? "" : " for \(listed($0))")" }
      ?? "no counterexample found so far, nothing proved"
  }

  var lines: [String] {
    if let gap = search.model.gap {
      return [
        "\(file): the search is incomplete: \(gap.text); \(found).",
        "  \(text(of: gap.remedy))",
      ]
    }
    let counts = StateSpaceBreakdown(search)
    if search.isInterrupted {
      return [
        "\(file): stopped by Ctrl-C at \(counted(search.store.count, "situation")) in \(SecondsText.short(options.span)), "
          + "up to \(counted(search.depth, "input")) deep: \(found).\(sources(counts))"
      ]
    }
    return [
      "\(file): search limit reached at \(met), up to \(counted(search.depth, "input")) deep: "
        + "\(found).\(sources(counts))",
      "  Try \((remedies(counts) + [higherBound]).joined(separator: ", or ")).",
    ]
  }

  private func text(of remedy: ProofModel.Gap.Remedy) -> String {
    switch remedy {
    case .fewerNumbers(let input): "Try \(limit(.sensor(input: input)) ?? Self.anyLimit(panel.inputs[input].name))."
    case .fewerValues(let value): "Try \(limit(.value(value)) ?? Self.anyLimit(panel.values[value].name))."
    case .leaveState: "Leave the state after a time."
    case .fewerPositions(let input): "Leave out positions of \(panel.inputs[input].name)."
    case .acceptLess(let name): "Remove \(name) from accept, if no remote command needs it."
    }
  }

  // MARK: - Reached bound

  private var isOutOfSituations: Bool { search.store.count >= options.bounds.situations }

  private var seconds: Int64 { options.bounds.span.components.seconds }

  private var met: String {
    let situations = counted(search.store.count, "situation")
    if isOutOfSituations { return situations }
    let own = span.map { max(1, $0.components.seconds) } ?? seconds
    return own < seconds ? "\(own)s of \(seconds)s, \(situations)" : "\(seconds)s, \(situations)"
  }

  private var higherBound: String {
    isOutOfSituations
      ? "--situations \(options.bounds.situations * 5)" : "--seconds \(seconds * 5)"
  }

  // MARK: - Causes

  /// The greatest number of causes that are named.
  private static let most = 3

  private func sources(_ counts: StateSpaceBreakdown) -> String {
    var sources = counts.numbers.map { "\(panel.name(of: $0.subject)) (\($0.count))" }
    if isOfTimes(counts) { sources.insert("\(times) (\(counts.times))", at: 0) }
    guard !sources.isEmpty else { return "" }
    return " Most situations are due to: \(sources.prefix(Self.most).joined(separator: ", "))."
  }

  /// Whether times and contacts have more combinations than any value has numbers.
  private func isOfTimes(_ counts: StateSpaceBreakdown) -> Bool { counts.times > (counts.numbers.first?.count ?? 1) }

  private var times: String {
    if search.model.slice.followsTouches { return "times of untouched" }
    let chords = panel.inputs.indices.filter {
      panel.inputs[$0].device.derivation?.ofChord != nil && search.model.slice.follows(input: $0)
    }
    return chords.isEmpty
      ? "contacts and times" : "times of \(chords.map { panel.inputs[$0].name }.joined(separator: ", "))"
  }

  // MARK: - Suggestions

  /// Suggestions to reduce the number of situations: limits for the subjects with the most numbers, or nearly as many.
  private func remedies(_ counts: StateSpaceBreakdown) -> [String] {
    let isOfTimes = isOfTimes(counts)
    let greatest = isOfTimes ? counts.times : counts.numbers.first?.count ?? 0
    let limits = counts.numbers.prefix(Self.most).filter { $0.count >= greatest / 10 }.compactMap { limit($0.subject) }
    var remedies = limits.isEmpty ? [] : [limits.joined(separator: " ")]
    if isOfTimes, search.model.slice.followsTouches {
      remedies.insert("after in a state that each key enters again, instead of untouched", at: 0)
    }
    return remedies
  }

  private static func anyLimit(_ name: String) -> String { "--limit \(name)=LOW..HIGH" }

  /// `--limit song=0..3`; nil if no limit would help.
  private func limit(_ subject: RangeRestriction.Subject) -> String? {
    let given = options.limits.first { $0.subject == subject }?.range
    let name = panel.name(of: subject)
    if let advice = LimitAdvice(subject, of: panel, within: given ?? panel.range(of: subject), under: options.limits) {
      return "--limit \(name)=\(panel.text(of: advice.range, subject))"
    }
    // The relevant numbers of a sensor are not known.
    if case .sensor = subject, given == nil { return Self.anyLimit(name) }
    return nil
  }
}
