import Terminal

/// Finds states that certainly lead to each other endlessly at the same moment. A proof finds circles that depend on a
/// condition, or they end the run. The check uses no recursion, because a file can have a chain of a hundred thousand
/// states.
struct EndlessLoopCheck {
  private let panel: PanelDefinition
  private let draft: StateDraft
  private let problems: ProblemList
  private let tree: StateTree
  /// Whether the conditions of the file can be evaluated, because the file has no problems so far.
  private let isSound: Bool
  /// For each state, whether no other region inside a state around it can lead out of that state.
  private let isAlone: [Bool]
  /// For each state, whether it or a state inside it has a `when` or a `done`.
  private let hasWhen: [Bool]

  init(panel: PanelDefinition, draft: StateDraft, problems: ProblemList) {
    self.panel = panel
    self.draft = draft
    self.problems = problems
    isSound = problems.count == 0
    let tree = StateTree(panel)
    self.tree = tree
    var isAlone = panel.states.map { _ in true }
    var hasWhen = panel.states.map { !$0.when.isEmpty || !$0.done.isEmpty }
    // Each state precedes the states inside it.
    for state in panel.states.indices.dropFirst() where tree.parents[state] > 0 {
      let parent = tree.parents[state]
      isAlone[state] = isAlone[parent] && panel.states[parent].regions.count == 1
    }
    for state in panel.states.indices.reversed() where state > 0 && tree.parents[state] > 0 && hasWhen[state] {
      hasWhen[tree.parents[state]] = true
    }
    self.isAlone = isAlone
    self.hasWhen = hasWhen
  }

  /// Adds a problem for each circle.
  func addEndless() {
    for (circle, first) in circles(panel.states.indices.map { stateAtOnce(after: $0) }) {
      problems.add(
        first, "endless loop of \"after: 0s\": \(listed(circle)); give one of these states a duration above 0s")
    }
    for (circle, first) in circles(panel.states.indices.map { stateByWhen(after: $0) }) {
      problems.add(first, "endless loop of \"when\": \(listed(circle)); these conditions are always true, change one")
    }
  }

  // MARK: - Certain transitions

  /// The state that a state certainly leads to immediately by its deadlines; nil if it leads to none.
  private func stateAtOnce(after state: Int) -> Int? {
    guard let now = panel.states[state].after.first(where: mayBeAtOnce), now.delay == .fixed(.zero), isAlone[state],
      !hasWhen[state], panel.nevers.allSatisfy({ $0.transition?.target == nil }),
      tree.chain(from: state).dropFirst().allSatisfy({ around in
        panel.states[around].when.isEmpty && !panel.states[around].after.contains(where: mayBeAtOnce)
      })
    else { return nil }
    return target(of: now.transitions.first, in: state)
  }

  private func mayBeAtOnce(_ deadline: PanelDefinition.Deadline) -> Bool {
    switch deadline.delay {
    case .fixed(let delay): delay == .zero
    case .drawn(let range, _): range.lowerBound == 0
    case .value(let value, _): !panel.values.indices.contains(value) || panel.values[value].min <= 0
    }
  }

  /// The state that a state without inner states certainly leads to by `when`; nil if it leads to none.
  private func stateByWhen(after state: Int) -> Int? {
    guard panel.states[state].regions.isEmpty, isAlone[state],
      let target = target(of: panel.states[state].when.first, in: state), !tree.chain(from: state).contains(target)
    else { return nil }
    return target
  }

  /// The target of a transition that is checked first and whose condition always holds; nil for any other.
  private func target(of transition: PanelDefinition.Transition?, in state: Int) -> Int? {
    guard let transition else { return nil }
    if let condition = transition.condition, !isSound || panel.holds(condition, in: state) != true { return nil }
    return transition.target?.state
  }

  // MARK: - Circles

  /// The names of the states of each circle, and the position of its first state.
  ///
  /// - Parameter next: the next state of each state; nil if it has none.
  private func circles(_ next: [Int?]) -> [(names: [String], first: Position)] {
    var circles: [(names: [String], first: Position)] = []
    var visitedFrom = [Int?](repeating: nil, count: next.count)
    for start in next.indices where visitedFrom[start] == nil {
      var state = start
      while visitedFrom[state] == nil {
        visitedFrom[state] = start
        guard let following = next[state] else { break }
        state = following
      }
      // A walk that returned to one of its own states has closed a circle. A walk that ended at a state without a
      // successor, or met an earlier walk, has not.
      guard visitedFrom[state] == start, next[state] != nil else { continue }
      var circle = [state]
      while let following = next[circle[circle.count - 1]], following != state { circle.append(following) }
      circles.append((circle.map { panel.states[$0].name }, draft.states[circle.min() ?? state].position))
    }
    return circles
  }
}
