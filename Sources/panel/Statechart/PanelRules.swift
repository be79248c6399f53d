import CycleCore

/// What a panel does: the statechart of its file as pure functions from frame to frame.
struct PanelRules: Sendable {
  let panel: PanelDefinition

  /// The first frame: every region in its initial state, entered once.
  var seed: PanelFrame {
    var frame = PanelFrame(
      states: panel.regions.map(\.initial), values: panel.values.map(\.initial), soundCount: panel.sounds.count)
    for region in panel.regions.indices { enter(frame[state: region], of: region, in: &frame) }
    return frame
  }

  /// An event: each region's state may react to it; where none does, the top level.
  func react(to event: PanelEvent, in frame: inout PanelFrame) {
    // All regions choose before any of them moves: they are side by side, and see the same panel.
    var first: Choice?
    var others: [Choice] = []
    for region in panel.regions.indices {
      let reactions = panel.regions[region].states[frame[state: region]].on
      guard let choice = choose(event, from: reactions, in: frame) else { continue }
      if first == nil { first = choice } else { others.append(choice) }
    }
    guard let choice = first ?? choose(event, from: panel.on, in: frame) else { return }
    take(choice, in: &frame)
    for choice in others { take(choice, in: &frame) }
  }

  /// A deadline has come. One that was set for an earlier entering of the state means nothing any more.
  func react(to deadline: PanelDeadline, in frame: inout PanelFrame) {
    guard frame[entry: deadline.region] == deadline.entry else { return }
    let state = panel.regions[deadline.region].states[frame[state: deadline.region]]
    guard let choice = choose(from: state.after[deadline.index].transitions, in: frame) else { return }
    take(choice, in: &frame)
  }

  /// A sound has come to its end.
  func end(sound: Int, in frame: inout PanelFrame) {
    frame[ended: sound] = true
    react(to: .finished(sound: sound), in: &frame)
  }

  /// A kind of driver has lost its hardware, or has it back. The panel hears of the first loss and of the last return.
  func change(_ part: PanelFrame.Set, isMissing: Bool, in frame: inout PanelFrame) {
    let seam: Seam = part == .audio ? .audio : .gpio
    let all: PanelFrame.Set = part == .audio ? .audio : .gpio
    let before = frame.missing.intersection(all)
    if isMissing { frame.missing.formUnion(part) } else { frame.missing.subtract(part) }
    let after = frame.missing.intersection(all)
    if before.isEmpty, !after.isEmpty { react(to: .lost(seam), in: &frame) }
    if !before.isEmpty, after.isEmpty { react(to: .restored(seam), in: &frame) }
  }

  /// A transition that will be taken: what is needed of it.
  private struct Choice {
    let assignments: [PanelDefinition.Assignment]
    let target: PanelDefinition.Target?
  }

  private func choose(
    _ event: PanelEvent, from reactions: [PanelDefinition.Reaction], in frame: PanelFrame
  ) -> Choice? {
    for index in reactions.indices where reactions[index].event == event {
      return choose(from: reactions[index].transitions, in: frame)
    }
    return nil
  }

  private func choose(from transitions: [PanelDefinition.Transition], in frame: PanelFrame) -> Choice? {
    for index in transitions.indices {
      if let condition = transitions[index].condition, !holds(condition, in: frame) { continue }
      return Choice(assignments: transitions[index].assignments, target: transitions[index].target)
    }
    return nil
  }

  private func holds(_ condition: Guard, in frame: PanelFrame) -> Bool {
    condition.comparisons.allSatisfy { comparison in
      switch comparison {
      case .value(let value, let relation, let constant): relation.holds(frame[value: value], constant)
      case .state(let target, let isCurrent): (frame[state: target.region] == target.state) == isCurrent
      }
    }
  }

  private func take(_ choice: Choice, in frame: inout PanelFrame) {
    assign(choice.assignments, in: &frame)
    if let target = choice.target { enter(target.state, of: target.region, in: &frame) }
  }

  private func enter(_ state: Int, of region: Int, in frame: inout PanelFrame) {
    frame[state: region] = state
    frame[entry: region] += 1
    for sound in panel.regions[region].states[state].play {
      frame[start: sound] += 1
      frame[ended: sound] = false
    }
    assign(panel.regions[region].states[state].enter, in: &frame)
  }

  private func assign(_ assignments: [PanelDefinition.Assignment], in frame: inout PanelFrame) {
    for assignment in assignments {
      let value = panel.values[assignment.value]
      let wanted: Int
      switch assignment.change {
      case .to(let number): wanted = number
      case .by(let step):
        let (sum, overflow) = frame[value: assignment.value].addingReportingOverflow(step)
        wanted = overflow ? (step < 0 ? .min : .max) : sum
      }
      frame[value: assignment.value] = min(value.max, max(value.min, wanted))
    }
  }
}
