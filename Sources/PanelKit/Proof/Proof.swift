import CycleCore

/// Looks for a way to what must not come about on a panel, by all that can happen on it.
struct Proof {
  let panel: PanelDefinition
  let sounds: [PanelSound]
  var bounds = Search.Bounds()
  /// Whether the chip and the card can be lost.
  var hasFaults = true
  /// The time since the proof began.
  let elapsed: () -> Duration

  /// A way from the start to something.
  struct Way {
    var trace: Trace
    /// When its events come, in nanoseconds; nil if no hand is quick enough for it.
    var moments: [Int]?
    /// How many of its events are inputs.
    var inputs: Int

    /// What is least for the way that is told.
    fileprivate var rank: (Int, Int) { (trace.moved.count, moments?.last ?? 0) }
  }

  struct Outcome {
    var search: Search
    /// The shortest way to a violation; nil if there is none, or none was found.
    var violation: Way?
    /// For each state that must be reachable, as far as it was reached, the shortest way there.
    var ways: [Int: Way] = [:]
  }

  func run() -> Outcome {
    var exactContacts: Set<Int> = []
    while true {
      let model = ProofModel(panel, sounds: sounds, exactContacts: exactContacts, hasFaults: hasFaults)
      let search = Search(model, within: bounds) { elapsed() < bounds.span }
      search.run()
      var outcome = Outcome(search: search)
      // The contacts of ways that are too quick for their debounce; they are searched again with the time that they take.
      var tooQuick: Set<Int> = []
      outcome.violation = shortest(search.marks.violations, in: search, &tooQuick)
      if outcome.violation == nil, search.isComplete, let circle = SearchCircle(in: search) {
        outcome.violation = shortest([search.store.origins[circle.node]], in: search, &tooQuick)
        outcome.violation?.trace.violation = .circle(circle.states)
      }
      if outcome.violation?.moments != nil { return outcome }
      for (state, origins) in search.marks.entries {
        outcome.ways[state] = shortest(origins, in: search, &tooQuick)
      }
      tooQuick.subtract(exactContacts)
      guard !tooQuick.isEmpty, search.isComplete || outcome.violation != nil else { return outcome }
      exactContacts.formUnion(tooQuick)
    }
  }

  /// The way with the fewest switches that are not at rest at the start, and of those the earliest.
  private func shortest(_ origins: [ZoneStore.Origin], in search: Search, _ tooQuick: inout Set<Int>) -> Way? {
    let ways = origins.map { origin in
      let steps = search.store.path(to: Int(origin.parent)) + [origin.step]
      let trace = Trace(steps, in: search.model)
      return Way(trace: trace, moments: trace.order.moments, inputs: Int(origin.cost))
    }
    let possible = ways.filter { $0.moments != nil }
    if possible.isEmpty { for way in ways { tooQuick.formUnion(way.trace.contacts) } }
    return (possible.isEmpty ? ways : possible).min { $0.rank < $1.rank }
  }
}

extension Trace {
  /// The inputs that somebody moves on the way.
  fileprivate var contacts: [Int] {
    events.compactMap { event in
      switch event.move {
      case .event(let input, _), .contact(let input): Int(input)
      case .reading, .loseSensor, .alarm, .lose, .restore, .pass, .start: nil
      }
    }
  }
}
