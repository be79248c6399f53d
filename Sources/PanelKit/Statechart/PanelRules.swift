import CycleCore

/// What a panel does: the statechart of its file as pure functions from frame to frame.
///
/// All transitions are in one array, where those of a state are a range: an event finds its own without a search
/// through the definition. A class, because every filter captures it: a reference is one pointer.
final class PanelRules: Sendable {
  /// How many steps one event may have. More mean that they would go on for ever.
  static let mostSteps = 100

  let panel: PanelDefinition
  private let transitions: [PanelDefinition.Transition]
  /// The event of each transition; nil for those of deadlines and of `done`.
  private let triggers: [PanelEvent?]
  /// For each transition the state that has it.
  private let sources: [Int]
  /// For each transition with a target the region in which a state is left: the innermost one around its source and its target.
  private let domains: [Int]
  /// For each state the range of its transitions by event.
  private let byEvent: [Range<Int>]
  /// For each state the ranges of its deadlines' transitions.
  private let byDeadline: [[Range<Int>]]
  /// For each state the range of its transitions by `done`.
  private let byDone: [Range<Int>]
  /// For each state the range of its transitions by `when`.
  private let byWhen: [Range<Int>]
  private let hasWhen: Bool
  /// For each input the position that it is in after each of its events; empty for an input without positions.
  private let positions: [[Int?]]
  /// For each state what its entering and its leaving do; nil if they do nothing.
  private let actions: [Actions?]
  private let tree: StateTree
  /// Whether a state has others inside, or is final.
  private let isNested: Bool

  private struct Actions {
    let play: [Int]
    let enter: [PanelDefinition.Assignment]
    let exit: [PanelDefinition.Assignment]
  }

  init(panel: PanelDefinition) {
    self.panel = panel
    let tree = StateTree(panel)
    self.tree = tree
    isNested = panel.regions.contains { $0.owner != 0 }
    var transitions: [PanelDefinition.Transition] = []
    var triggers: [PanelEvent?] = []
    var sources: [Int] = []
    var domains: [Int] = []
    func add(_ added: [PanelDefinition.Transition], at event: PanelEvent?, from source: Int) -> Range<Int> {
      transitions += added
      triggers += added.map { _ in event }
      sources += added.map { _ in source }
      domains += added.map { transition in transition.target.map { tree.domain(from: source, to: $0.state) } ?? -1 }
      return transitions.count - added.count..<transitions.count
    }
    var byEvent: [Range<Int>] = []
    var byDeadline: [[Range<Int>]] = []
    var byDone: [Range<Int>] = []
    var byWhen: [Range<Int>] = []
    for (index, state) in panel.states.enumerated() {
      let first = transitions.count
      for reaction in state.on { _ = add(reaction.transitions, at: reaction.event, from: index) }
      byEvent.append(first..<transitions.count)
      byDeadline.append(state.after.map { add($0.transitions, at: nil, from: index) })
      byDone.append(add(state.done, at: nil, from: index))
      byWhen.append(add(state.when, at: nil, from: index))
    }
    self.transitions = transitions
    self.triggers = triggers
    self.sources = sources
    self.domains = domains
    self.byEvent = byEvent
    self.byDeadline = byDeadline
    self.byDone = byDone
    self.byWhen = byWhen
    hasWhen = panel.states.contains { !$0.when.isEmpty }
    actions = panel.states.map { state in
      let isNothing = state.play.isEmpty && state.enter.isEmpty && state.exit.isEmpty
      return isNothing ? nil : Actions(play: state.play, enter: state.enter, exit: state.exit)
    }
    positions = panel.inputs.map { input in
      let device = input.device
      return device.positions.isEmpty ? [] : device.events.indices.map { device.position(after: $0) }
    }
  }

  /// The first frame: every region in its initial state, entered once.
  var seed: PanelFrame {
    var frame = PanelFrame(
      regionCount: panel.regions.count, values: panel.values.map(\.initial), soundCount: panel.sounds.count,
      inputCount: panel.inputs.count, repetitionCount: panel.repetitionCount,
      sourceCount: PanelDevices(of: panel).sourceCount)
    var finished: [Int] = []
    for region in panel.states[0].regions { enterDefault(region, resumes: false, in: &frame, &finished) }
    settle(finished, in: &frame)
    return frame
  }

  // MARK: - What happens

  /// Applies an event: each innermost current state is asked for a transition, and the states around it if it has none.
  func react(to event: PanelEvent, in frame: inout PanelFrame) {
    guard !frame.isEndless else { return }
    if case .input(let input, let word) = event, !positions[input].isEmpty, let position = positions[input][word] {
      frame[position: input] = position
    }
    guard let chosen = chooseForAll(in: frame, { choose(event, among: byEvent[$0], in: $1) }) else {
      // The input has moved all the same.
      if hasWhen { settle([], in: &frame) }
      return
    }
    take(chosen.first, chosen.all, in: &frame)
  }

  /// Applies a deadline that has come. One that was set for an earlier entering of the state is ignored.
  func react(to deadline: PanelDeadline, in frame: inout PanelFrame) {
    let state = deadline.state
    let entry = state == 0 ? 0 : frame[entry: panel.states[state].region]
    guard !frame.isEndless, entry == deadline.entry, tree.isCurrent(state, in: frame) else { return }
    if let repetition = panel.states[state].after[deadline.index].repetition {
      guard frame[repetition: repetition] == deadline.repetition else { return }
      frame[repetition: repetition] += 1
    }
    guard let choice = choose(nil, among: byDeadline[state][deadline.index], in: frame) else { return }
    take(choice, nil, in: &frame)
  }

  /// A sound has come to its end.
  func end(sound: Int, in frame: inout PanelFrame) {
    frame[ended: sound] = true
    react(to: .finished(sound: sound), in: &frame)
  }

  /// Adds a driver's trouble to the frame, and applies the loss or the return of hardware.
  func note(_ trouble: Trouble, of source: PanelTrouble.Source, in frame: inout PanelFrame) {
    frame.note(.trouble(trouble, source))
    switch trouble {
    case .lost: change(source, isMissing: true, in: &frame)
    case .restored: change(source, isMissing: false, in: &frame)
    case .failed, .eventsLost: break
    }
  }

  /// A lens has lost its hardware, or has it back. Of several losses of the chip or the card, the panel reacts to the
  /// first one, and then to the return of the last one.
  private func change(_ source: PanelTrouble.Source, isMissing: Bool, in frame: inout PanelFrame) {
    let hardware = source.hardware
    let wasMissing = frame.isMissing(hardware)
    frame.change(source, isMissing: isMissing)
    guard frame.isMissing(hardware) != wasMissing else { return }
    react(to: wasMissing ? .restored(hardware) : .lost(hardware), in: &frame)
  }

  // MARK: - Choosing

  /// Asks each innermost current state, and the states around it if it answers nothing. All are asked before any transition is
  /// applied, so that all conditions see the same frame.
  ///
  /// - Parameter answer: the transition that a state has.
  /// - Returns: nil if there is none; `all` is nil if there is one only.
  @inline(__always)
  private func chooseForAll(
    in frame: PanelFrame, _ answer: (_ state: Int, _ frame: PanelFrame) -> Int?
  ) -> (first: Int, all: [Int]?)? {
    var first: Int?
    var others: [Int]?
    for region in panel.regions.indices {
      let leaf = frame[state: region]
      guard leaf >= 0, !isNested || panel.states[leaf].regions.isEmpty,
        let choice = choose(from: leaf, in: frame, answer), choice != first, others?.contains(choice) != true
      else { continue }
      if first == nil { first = choice } else if others?.append(choice) == nil { others = [choice] }
    }
    guard let first else { return nil }
    guard let others else { return (first, nil) }
    return (first, withoutConflicts([first] + others, in: frame))
  }

  /// The transition of an innermost state, or else of the states around it. One of the top level that leads to a state is only for
  /// the region which that state is in.
  @inline(__always)
  private func choose(
    from leaf: Int, in frame: PanelFrame, _ answer: (_ state: Int, _ frame: PanelFrame) -> Int?
  ) -> Int? {
    var state = leaf
    while state > 0 {
      if let choice = answer(state, frame) { return choice }
      state = isNested ? tree.parents[state] : 0
    }
    guard let choice = answer(0, frame) else { return nil }
    if let target = transitions[choice].target, tree.topRegions[target.state] != tree.topRegions[leaf] { return nil }
    return choice
  }

  /// The first transition by `when` of a state whose condition holds. One to a state that is current already is left out: it would
  /// be taken for ever.
  private func chooseWhen(of state: Int, in frame: PanelFrame) -> Int? {
    byWhen[state].first { index in
      let transition = transitions[index]
      guard let target = transition.target, !tree.isCurrent(target.state, in: frame) else { return false }
      return transition.condition?.holds(in: frame) ?? true
    }
  }

  /// The first of these transitions that the event triggers and whose condition holds.
  // Inlined: a call would copy the inout frame, which is needed only for the few transitions that have a condition.
  @inline(__always)
  private func choose(_ event: PanelEvent?, among candidates: Range<Int>, in frame: PanelFrame) -> Int? {
    for index in candidates where triggers[index] == event {
      if let condition = transitions[index].condition, !condition.holds(in: frame) { continue }
      return index
    }
    return nil
  }

  private func withoutConflicts(_ chosen: [Int], in frame: PanelFrame) -> [Int] {
    guard isNested else { return chosen }
    let leavings = chosen.map { transition in
      StateTree.Leaving(
        source: sources[transition], state: domains[transition] < 0 ? -1 : frame[state: domains[transition]])
    }
    return tree.withoutConflicts(leavings).map { chosen[$0] }
  }

  // MARK: - Taking

  /// Takes the transitions that were chosen for one event, then those that follow from them.
  ///
  /// - Parameter all: all of them; nil if `first` is the only one.
  private func take(_ first: Int, _ all: [Int]?, in frame: inout PanelFrame) {
    var finished: [Int] = []
    if let all { step(all, in: &frame, &finished) } else { step(first, in: &frame, &finished) }
    if hasWhen || !finished.isEmpty { settle(finished, in: &frame) }
  }

  /// Takes the transitions by `when` whose conditions hold, and when there are none, those by `done` of the states whose regions have
  /// all come to a final state, in the order of their coming there.
  private func settle(_ finished: [Int], in frame: inout PanelFrame) {
    var finished = finished
    var last: [Int] = []
    for _ in 0..<Self.mostSteps {
      if hasWhen, let chosen = chooseForAll(in: frame, { chooseWhen(of: $0, in: $1) }) {
        let all = chosen.all ?? [chosen.first]
        last += all.compactMap { transitions[$0].target?.state }
        step(all, in: &frame, &finished)
        continue
      }
      guard let state = finished.first else { return }
      finished.removeFirst()
      guard tree.isCurrent(state, in: frame), let choice = choose(nil, among: byDone[state], in: frame) else {
        continue
      }
      if let target = transitions[choice].target { last.append(target.state) }
      step(choice, in: &frame, &finished)
    }
    frame.breakOff(at: Array(last.suffix(4)))
  }

  /// One transition: leaves states, sets values, enters states.
  private func step(_ transition: Int, in frame: inout PanelFrame, _ finished: inout [Int]) {
    leave(by: transition, in: &frame)
    if !transitions[transition].assignments.isEmpty { assign(transitions[transition].assignments, in: &frame) }
    enter(by: transition, in: &frame, &finished)
  }

  /// Several transitions: all states are left, then all values are set, then all states are entered.
  private func step(_ chosen: [Int], in frame: inout PanelFrame, _ finished: inout [Int]) {
    for transition in chosen.reversed() { leave(by: transition, in: &frame) }
    for transition in chosen { assign(transitions[transition].assignments, in: &frame) }
    for transition in chosen { enter(by: transition, in: &frame, &finished) }
  }

  private func leave(by transition: Int, in frame: inout PanelFrame) {
    let domain = domains[transition]
    if domain >= 0 { leave(domain, in: &frame) }
  }

  /// Leaves the current state of a region: the innermost states first, and later regions first.
  private func leave(_ region: Int, in frame: inout PanelFrame) {
    let state = frame[state: region]
    guard state >= 0 else { return }
    if isNested {
      for inner in panel.states[state].regions.reversed() { leave(inner, in: &frame) }
    }
    if let actions = actions[state] { assign(actions.exit, in: &frame) }
    frame[remembered: region] = state
    frame[state: region] = -1
  }

  private func enter(by transition: Int, in frame: inout PanelFrame, _ finished: inout [Int]) {
    guard let target = transitions[transition].target else { return }
    guard isNested else { return enter(target.state, of: target.region, in: &frame, &finished) }
    let path = tree.path(to: target.state, below: domains[transition])
    for (place, state) in path.enumerated() {
      let region = panel.states[state].region
      if frame[state: region] != state { enter(state, of: region, in: &frame, &finished) }
      let next = place + 1 < path.count ? panel.states[path[place + 1]].region : -1
      for inner in panel.states[state].regions where inner != next && frame[state: inner] < 0 {
        enterDefault(inner, resumes: target.resumes && state == target.state, in: &frame, &finished)
      }
    }
  }

  /// Enters a region and the states inside: the initial ones, or those that were left last.
  private func enterDefault(_ region: Int, resumes: Bool, in frame: inout PanelFrame, _ finished: inout [Int]) {
    let remembered = resumes ? frame[remembered: region] : -1
    let state = remembered >= 0 ? remembered : panel.regions[region].initial
    enter(state, of: region, in: &frame, &finished)
    for inner in panel.states[state].regions { enterDefault(inner, resumes: resumes, in: &frame, &finished) }
  }

  private func enter(_ state: Int, of region: Int, in frame: inout PanelFrame, _ finished: inout [Int]) {
    frame[state: region] = state
    frame[entry: region] += 1
    if let actions = actions[state] {
      for sound in actions.play {
        frame[start: sound] += 1
        frame[ended: sound] = false
      }
      assign(actions.enter, in: &frame)
    }
    guard isNested, panel.states[state].isFinal else { return }
    let owner = panel.regions[region].owner
    let isDone = panel.states[owner].regions.allSatisfy { inner in
      let current = frame[state: inner]
      return current >= 0 && panel.states[current].isFinal
    }
    if isDone { finished.append(owner) }
  }

  /// Sets values. All right sides are computed before any value is set: `{ a: b, b: a }` exchanges two values.
  private func assign(_ assignments: [PanelDefinition.Assignment], in frame: inout PanelFrame) {
    if assignments.count == 1 {
      frame[value: assignments[0].value] = result(of: assignments[0], in: frame)
    } else if !assignments.isEmpty {
      let results = assignments.map { result(of: $0, in: frame) }
      for (assignment, result) in zip(assignments, results) { frame[value: assignment.value] = result }
    }
  }

  private func result(of assignment: PanelDefinition.Assignment, in frame: PanelFrame) -> Int {
    let value = panel.values[assignment.value]
    let wanted =
      switch assignment.change {
      case .to(let number): number.result(in: frame)
      case .by(let number): Saturating.sum(frame[value: assignment.value], number.result(in: frame))
      }
    return min(value.max, max(value.min, wanted))
  }
}
