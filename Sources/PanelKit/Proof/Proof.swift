import CycleCore
import HardwareDrivers
import PanelEngine
import PanelLanguage
import PanelRun

/// Searches everything that can happen on a panel for a path to a violation. Each property is searched for in the part
/// of the panel that can influence it.
package struct Proof {
  package let panel: PanelDefinition
  package let sounds: [PanelSound]
  package var bounds = Search.Bounds()
  /// Whether hardware can be lost: chips, the card and sensors.
  package var hasFaults = true
  package var limits: [RangeRestriction] = []
  /// Whether each search follows only the part of the panel that can influence its properties.
  package var isSliced = true
  /// The time since the proof began.
  package let elapsed: () -> Duration
  /// Called at intervals during the proof; ends it by returning false.
  var goesOn: (Search) -> Bool = { _ in true }

  package init(
    panel: PanelDefinition, sounds: [PanelSound], bounds: Search.Bounds = Search.Bounds(), hasFaults: Bool = true,
    limits: [RangeRestriction] = [], elapsed: @escaping () -> Duration,
    goesOn: @escaping (Search) -> Bool = { _ in true }
  ) {
    (self.panel, self.sounds, self.bounds, self.hasFaults, self.limits, self.elapsed, self.goesOn) = (
      panel, sounds, bounds, hasFaults, limits, elapsed, goesOn
    )
  }

  /// A path from the start to a violation or to a state.
  struct Path {
    /// The model of the search that found the path.
    var model: ProofModel
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
    /// The searches, in the order in which they ran.
    var parts: [Part] = []
    /// The searches of regions that no property depends on. Only their findings are reported, and only if they are
    /// complete.
    var others: [Part] = []

    /// The shortest path to each violated property, the shortest of all first.
    var violations: [Path] { parts.flatMap(\.violations).sorted { $0.order < $1.order } }
    /// The shortest path to each state of `reach` that was reached. Next to a violation, a path may be too quick for a
    /// hand; it is not searched for again.
    var ways: [Int: Path] { parts.reduce(into: [:]) { $0.merge($1.ways) { first, _ in first } } }
    /// Whether each search covered everything that can happen.
    var isComplete: Bool { parts.allSatisfy { $0.search.isComplete } }
    /// Whether Ctrl-C ended the proof.
    var isInterrupted: Bool { parts.contains { $0.search.isInterrupted } }

    /// The search that decides a property.
    func part(of property: Violation.Property) -> Part? { parts.first { $0.search.model.goals.contains(property) } }
    /// The search that decides whether a state of `reach` is reached.
    func part(ofReach state: Int) -> Part? { parts.first { $0.search.model.goals.reach.contains(state) } }
  }

  /// The result of one search.
  struct Part {
    var search: Search
    /// Whether the search followed only the sun of one day: what it found can happen, and what it did not find is not
    /// decided.
    var isOfOneDay = false
    /// The time that the search took.
    var span = Duration.zero
    /// The shortest path to each violated property.
    var violations: [Path] = []
    var ways: [Int: Path] = [:]
  }

  /// The greatest number of situations of a search for findings alone.
  private static let mostOtherSituations = 20_000

  package func run() -> Outcome {
    let panel = panel.limited(limits)
    let slices = isSliced ? panel.propertySlices() : [PropertySlice(whole: panel)]
    var outcome = Outcome()
    outcome.parts = searches(slices)
    guard isSliced, outcome.isComplete, outcome.violations.isEmpty else { return outcome }
    var few = bounds
    if !slices.isEmpty { few.situations = min(few.situations, Self.mostOtherSituations) }
    for slice in panel.otherSlices(than: slices) {
      let part = search(slice, within: few)
      // A panel without properties has only these searches.
      if slices.isEmpty { outcome.parts.append(part) } else { outcome.others.append(part) }
    }
    return outcome
  }

  /// Searches the slices, each in its share of the time: a small rule after a large one has its share, too. What a slice
  /// leaves of its share is for those that had too little.
  private func searches(_ slices: [PropertySlice]) -> [Part] {
    var parts = [[Part]](repeating: [], count: slices.count)
    var due = Array(slices.indices)
    while !due.isEmpty {
      for (place, slice) in due.enumerated() {
        var share = bounds
        let passed = elapsed()
        share.span = passed + (bounds.span - passed) / (due.count - place)
        parts[slice] = searches(slices[slice], within: share)
      }
      let late = due.filter { slice in parts[slice].contains { $0.search.isOutOfTime } }
      // A search that would not get much more time is not repeated.
      guard late.count < due.count, elapsed() + bounds.span / 8 < bounds.span else { break }
      due = late
    }
    return parts.flatMap { $0 }
  }

  /// Searches a slice for its properties. With cells of values, and without the clock of `between` switches with the
  /// sun, a search proves in fewer situations. What it does not prove is searched for again with all numbers.
  private func searches(_ slice: PropertySlice, within bounds: Search.Bounds) -> [Part] {
    let withoutSun = isSliced ? slice.withoutSun : nil
    let cells = isSliced ? ValueCells(of: withoutSun ?? slice) : nil
    guard cells != nil || withoutSun != nil else { return [search(slice, within: bounds)] }
    let reach = ProofGoals(reach: slice.goals.reach)
    if !slice.goals.withoutReach.isEmpty {
      let goals = slice.goals.withoutReach
      let part = search((withoutSun ?? slice).limited(to: goals), within: bounds, cells)
      if part.search.isComplete, part.search.marks.violations.isEmpty, part.violations.isEmpty {
        return [part] + (reach.isEmpty ? [] : [searchOnOneDay(slice.limited(to: reach), within: bounds)])
      }
    }
    return [searchOnOneDay(slice, within: bounds)]
  }

  /// Searches with the sun of the day on which a scenario begins, which finds most violations and ways to states. What it
  /// does not find is searched for with each sunrise and sunset.
  private func searchOnOneDay(_ slice: PropertySlice, within bounds: Search.Bounds) -> Part {
    var sun: [Int: ClosedRange<Int>] = [:]
    if let clock = slice.panel.clock {
      // The first day of a simulated clock: 1 January 2000.
      let (rise, set) = clock.sun(at: clock.simulatedZone.reading(at: 946_684_800_000_000))
      for (part, minutes) in [(ClockDefinition.Part.sunrise, rise), (.sunset, set)] {
        if let input = clock.inputs[part], limits.readings[input] == nil { sun[input] = minutes...minutes }
      }
    }
    guard !sun.isEmpty, slice.withoutSun != nil else { return search(slice, within: bounds) }
    var part = search(slice, within: bounds, readings: sun)
    part.isOfOneDay = true
    let isFound = slice.goals.reach.allSatisfy { part.ways[$0] != nil }
    if !part.violations.isEmpty || slice.goals.withoutReach.isEmpty && isFound { return part }
    return search(slice, within: bounds)
  }

  private func search(
    _ slice: PropertySlice, within bounds: Search.Bounds, _ cells: ValueCells? = nil,
    readings: [Int: ClosedRange<Int>] = [:]
  ) -> Part {
    let begun = elapsed()
    var exactContacts: Set<Int> = []
    // The certain result of an earlier search.
    var known: Part?
    while true {
      let model = ProofModel(
        slice, sounds: sounds, readings: limits.readings.merging(readings) { limit, _ in limit },
        exactContacts: exactContacts, hasFaults: hasFaults,
        cells: cells)
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
        outcome.span = elapsed() - begun
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
  private func outcome(of search: Search, _ tooQuick: inout Set<Int>) -> Part {
    var outcome = Part(search: search)
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
      return Path(model: search.model, trace: trace, moments: trace.order.moments, inputs: Int(origin.cost))
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
      case .reading, .loseSensor, .loseClock, .alarm, .lose, .restore, .ask, .set, .pass, .start: nil
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
