import CycleCore

/// What a panel does: the statechart of its file as pure functions from frame to frame.
///
/// All transitions are in one array, where those of a state are a range: an event finds its own without a search
/// through the definition. A class, because every filter captures it: a reference is one pointer.
final class PanelRules: Sendable {
  let panel: PanelDefinition
  private let transitions: [PanelDefinition.Transition]
  /// The event of each transition; nil for those of deadlines.
  private let triggers: [PanelEvent?]
  /// The number of each region's first state among all states.
  private let firstStates: [Int]
  /// For each state the range of its transitions by event; the last range is that of the top level.
  private let byEvent: [Range<Int>]
  /// For each state the ranges of its deadlines' transitions.
  private let byDeadline: [[Range<Int>]]
  /// For each input the position that it is in after each of its events; empty for an input without positions.
  private let positions: [[Int?]]
  /// For each state the sounds that its entering starts and the values that it changes; nil if there are none.
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
    positions = panel.inputs.map { input in
      let device = input.device
      return device.positions.isEmpty ? [] : device.events.indices.map { device.position(after: $0) }
    }
  }

  /// The first frame: every region in its initial state, entered once.
  var seed: PanelFrame {
    var frame = PanelFrame(
      states: panel.regions.map(\.initial), values: panel.values.map(\.initial), soundCount: panel.sounds.count,
      inputCount: panel.inputs.count)
    for region in panel.regions.indices { enter(frame[state: region], of: region, in: &frame) }
    return frame
  }

  /// Applies an event: the current state of each region may react to it; if none does, the top level may.
  func react(to event: PanelEvent, in frame: inout PanelFrame) {
    if case .input(let input, let word) = event, !positions[input].isEmpty, let position = positions[input][word] {
      frame[position: input] = position
    }
    // All regions choose their transitions before any is applied, so that all conditions see the same frame.
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

  /// Applies a deadline that has come. One that was set for an earlier entering of the state is ignored.
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

  /// Adds a driver's trouble to the frame, and applies the loss or the return of hardware.
  func note(_ trouble: Trouble, of source: PanelTrouble.Source, in frame: inout PanelFrame) {
    frame.note(.trouble(trouble, source))
    switch trouble {
    case .lost: change(source.hardware, isMissing: true, in: &frame)
    case .restored: change(source.hardware, isMissing: false, in: &frame)
    case .failed, .eventsLost: break
    }
  }

  /// A lens has lost its hardware, or has it back. Of several losses of the chip or the card, the panel reacts to the
  /// first one, and then to the return of the last one.
  private func change(_ hardware: PluggableHardware, isMissing: Bool, in frame: inout PanelFrame) {
    let wasMissing = frame.isMissing(hardware)
    frame.change(hardware, isMissing: isMissing)
    guard frame.isMissing(hardware) != wasMissing else { return }
    react(to: wasMissing ? .restored(hardware) : .lost(hardware), in: &frame)
  }

  /// The first of these transitions that the event triggers and whose condition holds.
  // Inlined: a call would copy the inout frame, which is needed only for the few transitions that have a condition.
  @inline(__always)
  private func choose(_ event: PanelEvent?, from candidates: Range<Int>, in frame: PanelFrame) -> Int? {
    for index in candidates where triggers[index] == event {
      if let condition = transitions[index].condition, !condition.holds(in: frame) { continue }
      return index
    }
    return nil
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
