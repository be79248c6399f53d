/// The ages of a state that a proof looks at one by one: `elapsed` in the state's transitions is compared with numbers, which cut the
/// ages into cells. Where an age is set to a value that is followed, each millisecond is a cell.
struct ElapsedCells {
  /// What is computed with an age is followed up to here, in milliseconds; beyond it all ages count as this one.
  static let longest = 60_000
  /// An age that is kept in a value is followed up to here.
  static let longestKept = 600_000
  /// The greatest number that an age is compared with.
  private static let mostCompared = 1_000_000_000

  /// Whether older ages than the greatest one matter, and the state can become so old.
  let isCutOff: Bool
  private let partners: [Number]
  /// Up to which age each millisecond is a cell; -1 if none is.
  private let exactUpTo: Int
  /// The greatest age that a cell begins with, in milliseconds, whatever values are.
  let greatest: Int

  /// The inputs at whose events something depends on the age; nil if it depends on it at other events too.
  private let inputs: Set<Int>?

  /// Whether anything depends on the age at a move.
  func matter(at move: Move, _ alarms: [Alarm]) -> Bool {
    guard let inputs else { return true }
    switch move {
    case .event(let input, _), .contact(let input), .find(let input, _), .reading(let input, _),
      .loseSensor(let input):
      return inputs.contains(Int(input))
    case .alarm(let place):
      if case .gesture(let input, _) = alarms[Int(place)].source { return inputs.contains(input) }
      return false
    case .lose, .restore, .ask, .pass, .start: return false
    }
  }

  /// Nil for a state in which nothing depends on its age.
  init?(_ state: PanelDefinition.State, of panel: PanelDefinition, in slice: Slice) {
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
    isCutOff = isEndless && !state.isLeft(within: exactUpTo)
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

  /// Nil if more than the transitions at events of inputs without a chord depend on the age.
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
      case .input(let input, _) where !(panel.inputs[input].device is any DerivedInputKind): inputs.insert(input)
      case .anyInput(let group, _): inputs.formUnion(panel.inputGroups[group].members)
      default: return nil
      }
    }
    let others = state.after.flatMap(\.transitions) + state.done + state.when
    var exit = CutFinder(of: age)
    for assignment in state.exit.assignments { exit.look(at: assignment.change) }
    return exit.isComputedWith || others.contains(where: uses) ? nil : inputs
  }

  /// Where the cell behind an age begins, in milliseconds; the first cell begins with 0. Nil behind the last.
  func start(after age: Int, in frame: PanelFrame) -> Int? {
    var next = age < exactUpTo ? age + 1 : Int.max
    for partner in partners {
      let cut = partner.result(in: frame)
      for start in [cut, Saturating.sum(cut, 1)] where start > age { next = min(next, start) }
    }
    return next <= greatest ? next : nil
  }
}

extension PanelDefinition.State {
  /// Whether a deadline leads out of the state after so many milliseconds or fewer, whatever is the case then.
  fileprivate func isLeft(within milliseconds: Int) -> Bool {
    after.contains { deadline in
      guard case .fixed(let delay) = deadline.delay, deadline.recurrence == .once,
        delay <= .milliseconds(milliseconds), let last = deadline.transitions.last
      else { return false }
      return last.condition == nil && deadline.transitions.allSatisfy { $0.target != nil }
    }
  }
}
