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
    var first: PanelDefinition.Transition?
    var others: [PanelDefinition.Transition] = []
    for region in panel.regions.indices {
      let reactions = panel.regions[region].states[frame[state: region]].on
      guard let transition = choose(event, from: reactions, in: frame) else { continue }
      if first == nil { first = transition } else { others.append(transition) }
    }
    guard let transition = first ?? choose(event, from: panel.on, in: frame) else { return }
    take(transition, in: &frame)
    for transition in others { take(transition, in: &frame) }
  }

  /// A deadline has come. One that was set for an earlier entering of the state means nothing any more.
  func react(to deadline: PanelDeadline, in frame: inout PanelFrame) {
    guard frame[entry: deadline.region] == deadline.entry else { return }
    let transitions = panel.regions[deadline.region].states[frame[state: deadline.region]].after[deadline.index]
      .transitions
    guard let transition = choose(from: transitions, in: frame) else { return }
    take(transition, in: &frame)
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

  private func choose(
    _ event: PanelEvent, from reactions: [PanelDefinition.Reaction], in frame: PanelFrame
  ) -> PanelDefinition.Transition? {
    guard let index = reactions.indices.first(where: { reactions[$0].event == event }) else { return nil }
    return choose(from: reactions[index].transitions, in: frame)
  }

  private func choose(
    from transitions: [PanelDefinition.Transition], in frame: PanelFrame
  ) -> PanelDefinition.Transition? {
    transitions.first { transition in transition.condition.map { holds($0, in: frame) } ?? true }
  }

  private func holds(_ condition: Guard, in frame: PanelFrame) -> Bool {
    condition.comparisons.allSatisfy { comparison in
      switch comparison {
      case .value(let value, let relation, let constant): relation.holds(frame[value: value], constant)
      case .state(let target, let isCurrent): (frame[state: target.region] == target.state) == isCurrent
      }
    }
  }

  private func take(_ transition: PanelDefinition.Transition, in frame: inout PanelFrame) {
    assign(transition.assignments, in: &frame)
    if let target = transition.target { enter(target.state, of: target.region, in: &frame) }
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
