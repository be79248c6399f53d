import CycleCore
import PanelLanguage
import PanelRun

/// Searches everything that can happen on a panel for a path to a violation.
package struct Proof {
  package let panel: PanelDefinition
  package let sounds: [LoadedSound]
  package var bounds = Search.Bounds()
  /// Whether hardware can be lost: chips, the card and sensors.
  package var hasFaults = true
  package var limits: [RangeRestriction] = []
  /// The time since the proof began.
  package let elapsed: () -> Duration
  /// Called at intervals during the proof; ends it by returning false.
  var goesOn: (Search) -> Bool = { _ in true }

  package init(
    panel: PanelDefinition, sounds: [LoadedSound], bounds: Search.Bounds = Search.Bounds(), hasFaults: Bool = true,
    limits: [RangeRestriction] = [], elapsed: @escaping () -> Duration,
    goesOn: @escaping (Search) -> Bool = { _ in true }
  ) {
    (self.panel, self.sounds, self.bounds, self.hasFaults, self.limits, self.elapsed, self.goesOn) = (
      panel, sounds, bounds, hasFaults, limits, elapsed, goesOn
    )
  }

  /// A path from the start to a violation or to a state.
  struct Path {
    var trace: Trace
    /// The moments of its events, in nanoseconds; nil if no hand is quick enough for it.
    var moments: [Int]?
    /// The number of inputs among its events.
    var inputs: Int

    /// The rank among paths to the same property; the least is reported.
    fileprivate var rank: (Int, Int) {
      (trace.moved.count + trace.unknown.count + trace.kept.count, moments?.last ?? 0)
    }
    /// The order in which paths to different properties are reported.
    fileprivate var order: (Int, Int, Int, Int) { (inputs, rank.0, rank.1, trace.violation?.property.number ?? 0) }
  }

  package struct Outcome {
    var search: Search
    /// The shortest path to each violated property, the shortest of all first.
    var violations: [Path] = []
    /// The shortest path to each state of `reach` that was reached. Next to a violation, a path may be too quick for a
    /// hand; it is not searched for again.
    var ways: [Int: Path] = [:]
  }

  package func run() -> Outcome {
    var exactContacts: Set<Int> = []
    let panel = panel.limited(limits)
    // The certain result of an earlier search.
    var known: Outcome?
    while true {
      let model = ProofModel(
        panel, sounds: sounds, readings: limits.readings, exactContacts: exactContacts, hasFaults: hasFaults)
      let search = Search(model, within: bounds, hasTimeLeft: { elapsed() < bounds.span }, while: goesOn)
      search.run()
      // The contacts of paths that are quicker than their debounce period. The next search models them with that
      // period.
      var tooQuick: Set<Int> = []
      var outcome = outcome(of: search, &tooQuick)
      tooQuick.subtract(exactContacts)
      let isCertain = outcome.violations.contains { $0.moments != nil }
      guard !tooQuick.isEmpty, search.isComplete || !outcome.violations.isEmpty else {
        if let known, !isCertain, !search.isComplete { return known }
        if isCertain { outcome.violations.removeAll { $0.moments == nil } }
        return outcome
      }
      if isCertain {
        outcome.violations.removeAll { $0.moments == nil }
        known = outcome
      }
      exactContacts.formUnion(tooQuick)
    }
  }

  /// The result of a search. Collects the contacts of the paths that no hand is quick enough for.
  private func outcome(of search: Search, _ tooQuick: inout Set<Int>) -> Outcome {
    var outcome = Outcome(search: search)
    for (property, origins) in search.marks.violations {
      guard var way = shortest(origins, in: search, &tooQuick) else { continue }
      way.trace.violation = way.trace.violations.first { $0.property == property }
      outcome.violations.append(way)
    }
    if outcome.violations.isEmpty, search.isComplete, let circle = ZenoCycle(in: search),
      var way = shortest([search.store.origins[circle.node]], in: search, &tooQuick)
    {
      way.trace.violation = .circle(circle.states)
      outcome.violations = [way]
    }
    outcome.violations.sort { $0.order < $1.order }
    var tooQuickToReach: Set<Int> = []
    for (state, origins) in search.marks.entries {
      guard search.mayContinue() else { break }
      outcome.ways[state] = shortest(origins, in: search, &tooQuickToReach)
    }
    if !outcome.violations.contains(where: { $0.moments != nil }) { tooQuick.formUnion(tooQuickToReach) }
    return outcome
  }

  /// The path with the fewest switches that are not at rest at the start, and of those the earliest.
  private func shortest(_ origins: [ZoneStore.Origin], in search: Search, _ tooQuick: inout Set<Int>) -> Path? {
    let ways = origins.map { origin in
      let steps = search.store.path(to: Int(origin.parent)) + [origin.step]
      let trace = Trace(steps, in: search.model)
      return Path(trace: trace, moments: trace.order.moments, inputs: Int(origin.cost))
    }
    let possible = ways.filter { $0.moments != nil }
    if possible.isEmpty { for way in ways { tooQuick.formUnion(way.trace.contacts) } }
    return (possible.isEmpty ? ways : possible).min { $0.rank < $1.rank }
  }
}

extension Trace {
  /// The inputs that a person moves on the path.
  fileprivate var contacts: [Int] {
    events.compactMap { event in
      switch event.move {
      case .event(let input, _, _), .contact(let input), .find(let input, _): Int(input)
      case .reading, .loseSensor, .alarm, .lose, .restore, .ask, .pass, .start: nil
      }
    }
  }
}

extension Violation.Property {
  /// The place of the property in the order of the file: forbidden conditions, then interlocks.
  fileprivate var number: Int {
    switch self {
    case .never(let never): never
    case .interlock(let interlock): Int(Int32.max) + interlock
    case .end: .max
    }
  }
}
