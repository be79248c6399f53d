import CycleCore
import PanelLanguage

/// A search through everything that can happen on a panel, with the fewest inputs first.
///
/// The search is breadth first, with two queues. The results of an input wait until everything that needs no input is
/// done.
package final class Search {
  package struct Bounds {
    package var situations = 200_000
    package var span = Duration.seconds(60)
  }

  let model: ProofModel
  private let codec: SituationCodec
  /// The greatest number of nodes.
  private var limit: Int
  private let hasTimeLeft: () -> Bool
  /// Called as often as the time is checked; ends the proof by returning false.
  private let goesOn: (Search) -> Bool
  /// Whether `goesOn` ended the search, or the evaluation of its result.
  private(set) var isInterrupted = false
  private(set) var table = SituationTable()
  package private(set) var store = ZoneStore()
  private(set) var marks: SearchFindings
  /// The moves between nodes: source, destination, and whether the move took a transition.
  private(set) var edges: [Edge] = []
  /// Whether the search covered everything that can happen.
  private var isCovered = false
  /// Whether the search covered everything that can happen, and its result was evaluated.
  var isComplete: Bool { isCovered && !isInterrupted }
  /// The number of inputs before the nodes of the current round.
  package private(set) var depth = 0
  private var queue: [Int32] = []
  private var later: [Int32] = []
  private var looks = 0
  /// Whether a bound was reached.
  private var isOut = false
  /// Whether that was the bound of the time.
  private(set) var isOutOfTime = false
  /// Whether a property was violated and the search continues for the others.
  private var looksForOthers = false

  struct Edge {
    var from: Int32
    var to: Int32
    var takes: Bool
    /// Whether the move is a deadline that occurs immediately, without time passing.
    var isAtOnce = false
  }

  /// - Parameters:
  ///   - hasTimeLeft: whether the search may continue; called at intervals.
  ///   - goesOn: called at intervals, and during the evaluation; ends the proof by returning false.
  init(
    _ model: ProofModel, within bounds: Bounds, hasTimeLeft: @escaping () -> Bool,
    while goesOn: @escaping (Search) -> Bool = { _ in true }
  ) {
    self.model = model
    limit = bounds.situations
    self.hasTimeLeft = hasTimeLeft
    self.goesOn = goesOn
    codec = SituationCodec(model)
    marks = SearchFindings(model)
  }

  /// The situation of a node, and its zone.
  func successor(_ node: Int) -> Successor {
    Successor(situation: situation(node), zone: store.zone(of: node))
  }

  func situation(_ node: Int) -> Situation { situation(numbered: Int(store.situations[node])) }

  /// A situation by its number in ``table``.
  func situation(numbered number: Int) -> Situation { table.situation(number, by: codec) }

  /// The number of nodes that are added after a violation, to search for the other properties.
  static let mostBehindViolation = 20_000

  /// Searches until everything is covered or a bound is reached. After a violation, the search covers all paths with as
  /// few inputs and then continues for a limited number of nodes.
  func run() {
    for start in Starts(model) {
      guard isWithinBounds else { return }
      model.forEachStart(start) { chance, _, situation in
        enter(MadeMove(move: .start(start.number), chance: chance), situation)
        return isWithinBounds
      }
    }
    while true {
      var place = 0
      while place < queue.count {
        guard isWithinBounds else { return }
        let node = Int(queue[place])
        place += 1
        if store.replacements[node] < 0 { leave(node) }
      }
      if let least = marks.leastViolation, least <= depth {
        guard isAnyPropertyLeft else { return }
        if !looksForOthers {
          looksForOthers = true
          limit = min(limit, store.count + Self.mostBehindViolation)
        }
      }
      guard !later.isEmpty else {
        isCovered = !isOut && model.gap == nil
        return
      }
      (queue, later) = (later, [])
      depth += 1
    }
  }

  /// Whether a property has not been violated, or a state of `reach` has not been reached.
  private var isAnyPropertyLeft: Bool {
    let goals = model.goals
    return goals.nevers.contains { marks.violations[.never($0)] == nil }
      || goals.interlocks.contains { marks.violations[.interlock($0)] == nil }
      || goals.reach.contains { marks.entries[$0] == nil }
  }

  /// Whether the proof may continue. Once false, it stays false.
  func mayContinue() -> Bool {
    if !isInterrupted { isInterrupted = !goesOn(self) }
    return !isInterrupted
  }

  /// Whether the search may continue. Once false, it stays false.
  private var isWithinBounds: Bool {
    looks &+= 1
    if store.count >= limit {
      isOut = true
    } else if looks & 0xFF == 0 {
      isOutOfTime = !hasTimeLeft()
      isOut = isOutOfTime || !mayContinue()
    }
    return !isOut
  }

  private func enter(_ step: MadeMove, _ situation: Situation) {
    let origin = ZoneStore.Origin(parent: -1, step: step, cost: 0)
    marks.note(model.log, in: situation, from: origin)
    guard situation.violations.isEmpty else { return }
    add(SuccessorGenerator.start(situation, in: model), from: origin, takes: true)
  }

  private func leave(_ node: Int) {
    let zone = store.zone(of: node)
    let departure = SuccessorGenerator(from: situation(node), in: model)
    let cost = store.origins[node].cost
    for move in departure.moves {
      let cost = cost + model.cost(of: move, in: departure.situation)
      departure.take(move, from: zone) { step, next in
        let origin = ZoneStore.Origin(parent: Int32(node), step: step, cost: cost)
        marks.note(model.log, in: next.situation, from: origin)
        // Nothing is searched after a violation.
        guard next.situation.violations.isEmpty else { return true }
        add(next, from: origin, takes: !model.log.taken.isEmpty, isAtOnce: departure.isAtOnce(move))
        return isWithinBounds
      }
    }
  }

  private func add(_ next: Successor, from origin: ZoneStore.Origin, takes: Bool, isAtOnce: Bool = false) {
    guard store.count < limit else { return }
    let situation = table.number(of: next.situation, by: codec)
    let known: Int
    switch store.add(next.zone, of: situation, from: origin) {
    case .known(let node): known = node
    case .added(let node):
      known = node
      marks.noteClocks(next.situation.clockCount)
      if origin.cost > depth { later.append(Int32(node)) } else { queue.append(Int32(node)) }
    }
    if origin.parent >= 0 {
      edges.append(Edge(from: origin.parent, to: Int32(known), takes: takes, isAtOnce: isAtOnce))
    }
  }
}
