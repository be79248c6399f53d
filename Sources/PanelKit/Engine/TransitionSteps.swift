import CycleCore
import PanelLanguage

/// The effects of transitions: states are left, values are set, sounds start, states are entered.
extension PanelRules {
  /// Takes one transition: leaves states, sets values, enters states.
  func step(_ transition: Int, in frame: inout PanelFrame, _ finished: inout [Int]) {
    leave(by: transition, in: &frame)
    act(by: transition, in: &frame)
    enter(by: transition, in: &frame, &finished)
  }

  /// Takes several transitions: leaves all states, then sets all values, then enters all states.
  func step(_ chosen: [Int], in frame: inout PanelFrame, _ finished: inout [Int]) {
    for transition in chosen.reversed() { leave(by: transition, in: &frame) }
    for transition in chosen { act(by: transition, in: &frame) }
    for transition in chosen { enter(by: transition, in: &frame, &finished) }
  }

  /// Performs the actions of a transition between leaving and entering.
  private func act(by number: Int, in frame: inout PanelFrame) {
    if let recorder { recorder.take(table.transitions[number], number: number) }
    if let actions = table.actions[number] { perform(actions, in: &frame) }
  }

  private func leave(by transition: Int, in frame: inout PanelFrame) {
    let domain = table.domains[transition]
    if domain >= 0 { leave(domain, in: &frame) }
  }

  /// Leaves the current state of a region: the innermost states first, and later regions first.
  private func leave(_ region: Int, in frame: inout PanelFrame) {
    let state = frame[state: region]
    guard state >= 0 else { return }
    if isNested {
      for inner in panel.states[state].regions.reversed() { leave(inner, in: &frame) }
    }
    if let effects = effects[state] { perform(effects.exit, in: &frame) }
    frame[remembered: region] = state
    frame[state: region] = -1
  }

  private func enter(by transition: Int, in frame: inout PanelFrame, _ finished: inout [Int]) {
    guard let target = table.targets[transition] else { return }
    guard isNested else { return enter(target.state, of: target.region, in: &frame, &finished) }
    let path = tree.path(to: target.state, below: table.domains[transition])
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
  package func enterDefault(_ region: Int, resumes: Bool, in frame: inout PanelFrame, _ finished: inout [Int]) {
    let remembered = resumes ? frame[remembered: region] : -1
    let state = remembered >= 0 ? remembered : panel.regions[region].initial
    enter(state, of: region, in: &frame, &finished)
    for inner in panel.states[state].regions { enterDefault(inner, resumes: resumes, in: &frame, &finished) }
  }

  private func enter(_ state: Int, of region: Int, in frame: inout PanelFrame, _ finished: inout [Int]) {
    frame[state: region] = state
    frame[entry: region] += 1
    frame[entered: region] = frame.now
    recorder?.enter(state)
    if let effects = effects[state] {
      if let (slot, number) = effects.resumption { frame[resumed: slot] = number }
      // Values first: waits, sounds and messages may use the values that the entering sets.
      assign(effects.enter.assignments, in: &frame)
      beginWaits(effects, in: &frame)
      announce(effects.enter, in: &frame)
      for playing in effects.play { begin(playing, in: &frame) }
    }
    guard isNested, panel.states[state].isFinal else { return }
    let owner = panel.regions[region].owner
    let isDone = panel.states[owner].regions.allSatisfy { inner in
      let current = frame[state: inner]
      return current >= 0 && panel.states[current].isFinal
    }
    if isDone { finished.append(owner) }
  }

  // MARK: - Waits and sounds

  /// Starts the waits of the deadlines of a state that is entered.
  func beginWaits(_ effects: StateEffects, in frame: inout PanelFrame) {
    for delay in effects.delays { beginWait(delay, in: &frame) }
    for number in effects.untouched { frame[repetition: number] = 0 }
  }

  package func beginWait(_ delay: PanelDefinition.Delay, in frame: inout PanelFrame) {
    switch delay {
    case .fixed: break
    case .drawn(let range, let wait):
      recorder?.draw(.wait(range, wait))
      frame[wait: wait] = frame.draw(from: range)
    case .value(let value, let wait): frame[wait: wait] = frame[value: value]
    }
  }

  private func perform(_ actions: PanelDefinition.Actions, in frame: inout PanelFrame) {
    assign(actions.assignments, in: &frame)
    announce(actions, in: &frame)
  }

  /// Starts the sounds of actions, sends their messages, and asks for their change of the machine's power.
  private func announce(_ actions: PanelDefinition.Actions, in frame: inout PanelFrame) {
    for playing in actions.play { beginOnce(playing, in: &frame) }
    for message in actions.send { frame.send(message, panel.messages[message].numbers.map { $0.result(in: frame) }) }
    if let power = actions.power { frame.ask(for: power) }
  }

  /// Starts a sound that plays while its state is current.
  package func begin(_ playing: PanelDefinition.Playing, in frame: inout PanelFrame) {
    let sound = sound(of: playing, in: frame)
    if case .member(_, _, let choice?) = playing { frame[choice: choice] = sound ?? -1 }
    if let sound { begin(sound, in: &frame) }
  }

  /// Starts a sound that plays to its end. Does nothing while the card is missing, because the sound would play when it
  /// returns.
  private func beginOnce(_ playing: PanelDefinition.Playing, in frame: inout PanelFrame) {
    guard !frame.isMissing(.audio), let sound = sound(of: playing, in: frame) else { return }
    begin(sound, in: &frame)
    frame[isOnce: sound] = true
  }

  private func begin(_ sound: Int, in frame: inout PanelFrame) {
    frame[start: sound] += 1
    frame[ended: sound] = false
  }

  /// The sound to play; nil for a number without a member in the group.
  private func sound(of playing: PanelDefinition.Playing, in frame: PanelFrame) -> Int? {
    switch playing {
    case .sound(let sound): return sound
    case .member(let group, let number, _):
      let (members, place) = (panel.soundGroups[group], number.result(in: frame))
      return (1...members.count).contains(place) ? members.first + place - 1 : nil
    }
  }

  // MARK: - Values

  /// Sets values. All right-hand sides are computed before any value is set: `{ a: b, b: a }` exchanges two values.
  private func assign(_ assignments: [PanelDefinition.Assignment], in frame: inout PanelFrame) {
    if assignments.count == 1 {
      set(assignments[0].value, to: result(of: assignments[0], in: &frame), in: &frame)
    } else if !assignments.isEmpty {
      var results: [Result] = []
      for assignment in assignments { results.append(result(of: assignment, in: &frame)) }
      for (assignment, result) in zip(assignments, results) { set(assignment.value, to: result, in: &frame) }
    }
  }

  private enum Result {
    /// The number is unknown; the value does not change.
    case none
    case number(Int)
    case elements([Int])
    case append(Int)
    case element(place: Int, Int)
  }

  private func result(of assignment: PanelDefinition.Assignment, in frame: inout PanelFrame) -> Result {
    let value = panel.values[assignment.value]
    if let recorder, let number = representative(of: assignment, by: recorder, in: &frame) { return .number(number) }
    func clamped(_ number: Int) -> Int { min(value.max, max(value.min, number)) }
    func sum(_ present: Int, _ number: Number) -> Int128 { Saturating.sum(present.wide, number.wide(in: frame)) }
    switch assignment.change {
    case .to(let source):
      let number = number(of: source, for: assignment.value, in: &frame)
      return number == .unknown ? .none : .number(clamped(number))
    case .by(let number):
      let sum = sum(frame[value: assignment.value], number)
      if value.isTime, sum != .unknown { return .number(Saturating.remainder(sum, 1440).narrow) }
      return sum == .unknown ? .none : .number(clamped(sum.narrow))
    case .element(let place, let change):
      guard let list = value.list else { return .none }
      let place = place.result(in: frame)
      let number =
        switch change {
        case .to(let source): self.number(of: source, for: assignment.value, in: &frame)
        case .by(let number): sum(frame.element(place, of: list), number).narrow
        case .append, .elements, .elementsOf, .element: Int.unknown
        }
      return number == .unknown || place == .unknown ? .none : .element(place: place, clamped(number))
    case .append(let source):
      let number = number(of: source, for: assignment.value, in: &frame)
      return number == .unknown ? .none : .append(clamped(number))
    case .elements(let elements): return .elements(elements.map(clamped))
    case .elementsOf(let list): return .elements(frame.elements(of: list).map(clamped))
    }
  }

  /// The number that represents the result of an assignment in a search that does not keep all numbers apart; nil
  /// otherwise. Of several, one is drawn.
  private func representative(
    of assignment: PanelDefinition.Assignment, by recorder: any RulesRecorder, in frame: inout PanelFrame
  ) -> Int? {
    let (place, value) = (assignment.value, panel.values[assignment.value])
    let choices: [Int]?
    switch assignment.change {
    case .to(.number(let number)):
      let number = min(value.max, max(value.min, number.result(in: frame)))
      choices = recorder.choices(in: number...number, of: place)
    case .to(.draw(let range)):
      let scale = Quantity.powerOfTen(value.decimals)
      let low = min(value.max, max(value.min, range.lowerBound * scale))
      choices = recorder.choices(in: low...max(low, min(value.max, range.upperBound * scale)), of: place)
    case .by(let number):
      choices = recorder.choices(from: frame[value: place], by: number.result(in: frame), of: place)
    case .append, .elements, .elementsOf, .element: choices = nil
    }
    guard let choices, choices.count > 1 else { return choices?.first }
    let range = 0...choices.count - 1
    recorder.draw(.number(range, value: place))
    return choices[frame.draw(from: range)]
  }

  private func number(of source: PanelDefinition.Source, for value: Int, in frame: inout PanelFrame) -> Int {
    switch source {
    case .number(let number): return number.result(in: frame)
    case .draw(let range):
      recorder?.draw(.number(range, value: value))
      return frame.draw(from: range) * Quantity.powerOfTen(panel.values[value].decimals)
    }
  }

  private func set(_ value: Int, to result: Result, in frame: inout PanelFrame) {
    switch (result, panel.values[value].list) {
    case (.number(let number), _): frame[value: value] = number
    case (.elements(let elements), let list?): frame.setElements(of: list, to: elements)
    case (.append(let element), let list?): frame.append(element, to: list)
    case (.element(let place, let element), let list?): frame.setElement(place, of: list, to: element)
    case (.elements, nil), (.append, nil), (.element, nil), (.none, _): break
    }
  }
}
