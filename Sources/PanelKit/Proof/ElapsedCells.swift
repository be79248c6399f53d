import PanelEngine
import PanelLanguage

/// The ages of a state that a proof distinguishes. The numbers that `elapsed` is compared with in the state's
/// transitions divide the ages into cells. If a followed value is set to an age, each millisecond is a cell.
struct ElapsedCells {
  /// The greatest age that is followed when the file computes with it, in milliseconds. All greater ages count as this
  /// one.
  static let longest = 60_000
  /// The greatest age that is followed when it is stored in a value, in milliseconds.
  static let longestKept = 600_000
  /// The greatest number that an age is compared with, in milliseconds.
  private static let mostCompared = 1_000_000_000

  /// Whether ages above the greatest one matter and the state can reach them.
  let isCutOff: Bool
  private let partners: [Number]
  /// The greatest age up to which each millisecond is a cell; -1 if no cell is exact.
  let exactUpTo: Int
  /// The greatest age at which a cell begins for any values, in milliseconds.
  let greatest: Int

  /// The inputs whose events depend on the age; nil if other events depend on it too.
  private let inputs: Set<Int>?

  /// Whether anything depends on the age at a move.
  func matter(at move: Move, _ alarms: [TimedEvent]) -> Bool {
    guard let inputs else { return true }
    switch move {
    case .event(let input, _, _), .contact(let input), .find(let input, _), .reading(let input, _),
      .loseSensor(let input):
      return inputs.contains(Int(input))
    case .alarm(let place):
      if case .gesture(let input, _) = alarms[Int(place)].source { return inputs.contains(input) }
      return false
    case .loseClock, .lose, .restore, .ask, .set, .pass, .start: return false
    }
  }

  /// Nil for a state whose age nothing depends on.
  init?(_ state: PanelDefinition.State, of panel: PanelDefinition, in slice: ConeOfInfluence) {
    guard state.region >= 0, slice.asked.elapsed.contains(state.region) else { return nil }
    let age = Number.elapsed(region: state.region)
    var finder = CutFinder(of: age)
    for transition in state.transitions { if let condition = transition.condition { finder.look(at: condition) } }
    var exactUpTo = finder.isComputedWith ? Self.longest : -1
    var isEndless = finder.isComputedWith
    for assignment in state.assignments where slice.follows(value: assignment.value) {
      var used = CutFinder(of: age)
      used.look(at: assignment.change)
      guard used.isComputedWith else { continue }
      let isAge = assignment.change == .to(.number(age))
      if !isAge || panel.values[assignment.value].max > Self.longestKept { isEndless = true }
      exactUpTo = max(exactUpTo, isAge ? min(panel.values[assignment.value].max, Self.longestKept) : Self.longest)
    }
    guard exactUpTo >= 0 || !finder.partners.isEmpty else { return nil }
    isCutOff = isEndless && !panel.isLeft(state, within: exactUpTo)
    inputs = Self.inputs(state, of: panel, age)
    partners = finder.partners
    self.exactUpTo = exactUpTo
    let mostCompared = partners.map { partner in
      switch partner {
      case .constant(let number): number
      case .value(let value): panel.values[value].max
      default: Self.longest
      }
    }.max()
    greatest = max(exactUpTo, min(mostCompared ?? 0, Self.mostCompared) + 1, 1)
  }

  /// Returns nil if anything depends on the age except transitions at events of inputs outside of chords.
  private static func inputs(_ state: PanelDefinition.State, of panel: PanelDefinition, _ age: Number) -> Set<Int>? {
    var inputs: Set<Int> = []
    func uses(_ transition: PanelDefinition.Transition) -> Bool {
      var finder = CutFinder(of: age)
      if let condition = transition.condition { finder.look(at: condition) }
      for assignment in transition.assignments { finder.look(at: assignment.change) }
      return finder.isComputedWith || !finder.partners.isEmpty
    }
    for reaction in state.on where reaction.transitions.contains(where: uses) {
      switch reaction.event {
      case .input(let input, _) where panel.inputs[input].device.derived == nil: inputs.insert(input)
      case .anyInput(let group, _): inputs.formUnion(panel.inputGroups[group].members)
      default: return nil
      }
    }
    let others = state.after.flatMap(\.transitions) + state.done + state.when
    var exit = CutFinder(of: age)
    for assignment in state.exit.assignments { exit.look(at: assignment.change) }
    return exit.isComputedWith || others.contains(where: uses) ? nil : inputs
  }

  /// The age at which the next cell after an age begins, in milliseconds; nil after the last cell. The first cell
  /// begins at 0.
  func start(after age: Int, in frame: PanelFrame) -> Int? {
    var next = age < exactUpTo ? age + 1 : Int.max
    for partner in partners {
      let cut = partner.result(in: frame)
      for start in [cut, cut < Int.max ? cut + 1 : cut] where start > age { next = min(next, start) }
    }
    return next <= greatest ? next : nil
  }
}

extension PanelDefinition {
  /// Whether a deadline always leaves a state after this number of milliseconds or fewer.
  fileprivate func isLeft(_ state: State, within milliseconds: Int) -> Bool {
    state.after.contains { deadline in
      guard deadline.recurrence == .once, longest(deadline.delay) <= .milliseconds(milliseconds),
        let last = deadline.transitions.last
      else { return false }
      return last.condition == nil && deadline.transitions.allSatisfy { $0.target != nil }
    }
  }

  /// The longest time that a deadline can take.
  private func longest(_ delay: Delay) -> Duration {
    switch delay {
    case .fixed(let duration): duration
    case .drawn(let range, _): .milliseconds(range.upperBound)
    case .value(let value, _): .milliseconds(values[value].max)
    }
  }
}
