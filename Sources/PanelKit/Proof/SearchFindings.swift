import PanelEngine
import PanelLanguage

/// The results of a search so far: entered states, taken transitions, and the results of their conditions.
struct SearchFindings {
  /// The origin of a result: the node before it, the last move, and the number of inputs.
  typealias Origin = ZoneStore.Origin

  /// The number of origins that are kept for each result, all with the fewest inputs. The earliest in time is selected
  /// later.
  static let mostOrigins = 16

  private(set) var isEntered: [Bool]
  private(set) var isTaken: [Bool]
  /// The results of the comparisons of each transition's condition.
  private(set) var outcomes: [[Outcome]]

  struct Outcome {
    var hasHeld = false
    var hasFailed = false
  }

  /// The entries with the fewest inputs, for each state of `reach`.
  private(set) var entries: [Int: [Origin]] = [:]
  /// The violations with the fewest inputs, for each violated property.
  private(set) var violations: [Violation.Property: [Origin]] = [:]
  private(set) var mostClocks = 0

  private let goals: ProofGoals

  init(_ model: ProofModel) {
    isEntered = model.panel.states.map { _ in false }
    isTaken = model.rules.table.transitions.map { _ in false }
    outcomes = model.rules.table.transitions.map { transition in
      (transition.written.source?.comparisons ?? []).map { _ in Outcome() }
    }
    goals = model.goals
  }

  mutating func note(_ log: MoveRecorder, in situation: Situation, from origin: Origin) {
    for transition in log.taken { isTaken[transition] = true }
    for (transition, comparison, holds) in log.asked {
      if holds {
        outcomes[transition][comparison].hasHeld = true
      } else {
        outcomes[transition][comparison].hasFailed = true
      }
    }
    for state in log.entered {
      isEntered[state] = true
      if goals.reach.contains(state) { Self.keep(origin, among: &entries[state, default: []]) }
    }
    // Any other violation only stops the panel.
    for violation in situation.violations where goals.contains(violation.property) {
      Self.keep(origin, among: &violations[violation.property, default: []])
    }
  }

  /// The fewest inputs that have led to a violation; nil if there is none.
  var leastViolation: Int? { violations.values.compactMap { $0.first.map { Int($0.cost) } }.min() }

  mutating func noteClocks(_ count: Int) { mostClocks = max(mostClocks, count) }

  private static func keep(_ origin: Origin, among kept: inout [Origin]) {
    if let least = kept.first?.cost {
      guard origin.cost <= least else { return }
      if origin.cost < least { kept = [] }
    }
    if kept.count < mostOrigins { kept.append(origin) }
  }
}
