import CycleCore

/// What a panel does: the statechart of its file as pure functions from frame to frame.
///
/// The transitions lie in one row, those that belong together side by side: an event finds its own without taking the definition
/// apart. An object, because every filter holds it: it is passed on as one pointer.
final class PanelRules: Sendable {
  let panel: PanelDefinition
  private let transitions: [PanelDefinition.Transition]
  /// The event of each transition; nil for those of deadlines.
  private let triggers: [PanelEvent?]
  /// The number of each region's first state among all states.
  private let firstStates: [Int]
  /// The transitions by event of each state, and of the top level as the last.
  private let byEvent: [Range<Int>]
  /// The transitions of each deadline of each state.
  private let byDeadline: [[Range<Int>]]
  /// What else entering each state does; nil where that is nothing.
  private let entrances: [Entrance?]

  private struct Entrance {
    let play: [Int]
    let assignments: [PanelDefinition.Assignment]
  }

  init(panel: PanelDefinition) {
    self.panel = panel
    var transitions: [PanelDefinition.Transition] = []
    var triggers: [PanelEvent?] = []
    func add(_ added: [PanelDefinition.Transition], at event: PanelEvent?) -> Range<Int> {
      transitions += added
      triggers += added.map { _ in event }
      return transitions.count - added.count..<transitions.count
    }
    func add(_ reactions: [PanelDefinition.Reaction]) -> Range<Int> {
      let first = transitions.count
      for reaction in reactions { _ = add(reaction.transitions, at: reaction.event) }
      return first..<transitions.count
    }
    var firstStates: [Int] = []
    var byEvent: [Range<Int>] = []
    var byDeadline: [[Range<Int>]] = []
    var entrances: [Entrance?] = []
    for region in panel.regions {
      firstStates.append(byEvent.count)
      for state in region.states {
        byEvent.append(add(state.on))
        let entrance = Entrance(play: state.play, assignments: state.enter)
        entrances.append(state.play.isEmpty && state.enter.isEmpty ? nil : entrance)
        byDeadline.append(state.after.map { add($0.transitions, at: nil) })
      }
    }
    byEvent.append(add(panel.on))
    self.transitions = transitions
    self.triggers = triggers
    self.firstStates = firstStates
    self.byEvent = byEvent
    self.byDeadline = byDeadline
    self.entrances = entrances
  }

  /// The first frame: every region in its initial state, entered once.
  var seed: PanelFrame {
    var frame = PanelFrame(
      states: panel.regions.map(\.initial), values: panel.values.map(\.initial), soundCount: panel.sounds.count,
      inputCount: panel.inputs.count)
    for region in panel.regions.indices { enter(frame[state: region], of: region, in: &frame) }
    return frame
  }

  /// An event: each region's state may react to it; where none does, the top level.
  func react(to event: PanelEvent, in frame: inout PanelFrame) {
    // All regions choose before any of them moves: they are side by side, and see the same panel.
    var first: Int?
    var others: [Int]?
    for region in firstStates.indices {
      let state = firstStates[region] + frame[state: region]
      guard let choice = choose(event, from: byEvent[state], in: frame) else { continue }
      if first == nil { first = choice } else if others?.append(choice) == nil { others = [choice] }
    }
    guard let choice = first ?? choose(event, from: byEvent[byEvent.count - 1], in: frame) else { return }
    take(choice, in: &frame)
    if let others { for choice in others { take(choice, in: &frame) } }
  }

  /// A deadline has come. One that was set for an earlier entering of the state means nothing any more.
  func react(to deadline: PanelDeadline, in frame: inout PanelFrame) {
    guard frame[entry: deadline.region] == deadline.entry else { return }
    let state = firstStates[deadline.region] + frame[state: deadline.region]
    guard let choice = choose(nil, from: byDeadline[state][deadline.index], in: frame) else { return }
    take(choice, in: &frame)
  }

  /// A sound has come to its end.
  func end(sound: Int, in frame: inout PanelFrame) {
    frame[ended: sound] = true
    react(to: .finished(sound: sound), in: &frame)
  }

  /// Devices of a kind have lost their hardware, or have it back. The panel hears of the first loss and of the last return.
  func change(_ part: PanelFrame.Set, isMissing: Bool, in frame: inout PanelFrame) {
    let seam: Seam = part == .audio ? .audio : .gpio
    let all: PanelFrame.Set = part == .audio ? .audio : .gpio
    let before = frame.missing.intersection(all)
    frame.change(part, isMissing: isMissing)
    let after = frame.missing.intersection(all)
    if before.isEmpty, !after.isEmpty { react(to: .lost(seam), in: &frame) }
    if !before.isEmpty, after.isEmpty { react(to: .restored(seam), in: &frame) }
  }

  /// The first transition of these that the event asks for and whose condition holds.
  // Inlined: an inout frame is copied when it is passed on, and few transitions have a condition to pass it on to.
  @inline(__always)
  private func choose(_ event: PanelEvent?, from candidates: Range<Int>, in frame: PanelFrame) -> Int? {
    for index in candidates where triggers[index] == event {
      if let condition = transitions[index].condition, !holds(condition, in: frame) { continue }
      return index
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

  private func take(_ transition: Int, in frame: inout PanelFrame) {
    if !transitions[transition].assignments.isEmpty { assign(transitions[transition].assignments, in: &frame) }
    if let target = transitions[transition].target { enter(target.state, of: target.region, in: &frame) }
  }

  private func enter(_ state: Int, of region: Int, in frame: inout PanelFrame) {
    frame[state: region] = state
    frame[entry: region] += 1
    guard let entrance = entrances[firstStates[region] + state] else { return }
    for sound in entrance.play {
      frame[start: sound] += 1
      frame[ended: sound] = false
    }
    assign(entrance.assignments, in: &frame)
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
