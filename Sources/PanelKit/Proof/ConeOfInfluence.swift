import PanelEngine
import PanelLanguage

/// The parts of a panel that a proof must follow: those that decide, directly or indirectly, which transitions are
/// taken and whether a property holds. Values that are only shown are omitted. Situations that differ only in omitted
/// parts are the same.
struct ConeOfInfluence {
  private(set) var asked = Dependencies()
  /// The events that change a followed part, as the file names them.
  private(set) var events: Set<PanelEvent> = []
  /// Whether a deadline changes a followed part, for each deadline of each state.
  private(set) var deadlines: [[Bool]]
  private let panel: PanelDefinition

  init(of panel: PanelDefinition) {
    self.panel = panel
    deadlines = panel.states.map { $0.after.map { _ in false } }
    for never in panel.nevers { asked.add(never.condition) }
    for interlock in panel.interlocks where !interlock.isRest { asked.outputs.formUnion(interlock.relays) }
    // Each round adds at least one item, or is the last.
    var before: (Dependencies, Set<PanelEvent>, [[Bool]])
    repeat {
      before = (asked, events, deadlines)
      followTransitions()
      followActions()
      followOutputs()
      followDerivedInputs()
      followClock()
    } while (asked, events, deadlines) != before
  }

  func follows(value: Int) -> Bool { asked.values.contains(value) }

  /// Whether a sound's end changes anything.
  func follows(sound: Int) -> Bool {
    events.contains { event in
      switch event {
      case .finished(sound): true
      case .anyFinished(let group): panel.soundGroups[group].members.contains(sound)
      default: false
      }
    }
  }

  /// Whether anything asks for the hardware, or reacts to its loss or return.
  func follows(_ hardware: PluggableHardware) -> Bool {
    asked.hardware.contains(hardware) || events.contains(.lost(hardware)) || events.contains(.restored(hardware))
  }

  func follows(_ deadline: PanelDeadline) -> Bool {
    switch deadline.owner {
    case .state(let state, let index): deadlines[state][index]
    case .input(let input, _): follows(input: input)
    case .begin: false
    }
  }

  /// Whether an input's position or any of its events matter.
  func follows(input: Int) -> Bool { asked.positions.contains(input) || !events(of: input).isEmpty }

  /// Whether the time of the last touch matters.
  var followsTouches: Bool {
    zip(panel.states, deadlines).contains { state, followed in
      zip(state.after, followed).contains { deadline, isFollowed in
        if case .untouched = deadline.recurrence { isFollowed } else { false }
      }
    }
  }

  /// The followed events of an input, by their places.
  func events(of input: Int) -> [Int] {
    let group = panel.inputGroups.firstIndex { $0.members.contains(input) }
    return panel.inputs[input].device.events.indices.filter { event in
      events.contains(.input(input, event)) || group.map { events.contains(.anyInput(group: $0, event)) } ?? false
    }
  }

  // MARK: - What follows from what

  private mutating func followTransitions() {
    for state in panel.states {
      for reaction in state.on where reaction.transitions.contains(where: matters) {
        events.insert(reaction.event)
        // The sensor has changed if its number differs from the one before.
        if case .input(let input, Presence.changed) = reaction.event, panel.inputs[input].device.isSensor {
          asked.readings.insert(input)
        }
      }
      for transition in state.done + state.when { asked.add(transition.condition) }
    }
    for (number, state) in panel.states.enumerated() {
      for reaction in state.on where competes(reaction.event) {
        for transition in reaction.transitions { ask(at: reaction.event) { $0.add(transition.condition) } }
      }
      // A region that is left out has no `when` with a target.
      let isChecked = state.when.contains { $0.target != nil }
      for (index, deadline) in state.after.enumerated()
      where deadline.isCheck && isChecked || deadline.transitions.contains(where: matters) {
        deadlines[number][index] = true
        if case .value(let value, _) = deadline.delay { asked.values.insert(value) }
        for transition in deadline.transitions { asked.add(transition.condition) }
      }
    }
  }

  /// Whether transitions at an event compete with those of a followed event: the same event, or one that a group and
  /// its member emit together.
  private func competes(_ event: PanelEvent) -> Bool {
    if events.contains(event) { return true }
    switch event {
    case .input(let input, let word):
      return panel.inputGroups.indices.contains { group in
        panel.inputGroups[group].members.contains(input) && events.contains(.anyInput(group: group, word))
      }
    case .anyInput(let group, let word):
      return panel.inputGroups[group].members.contains { events.contains(.input($0, word)) }
    case .finished(let sound):
      return panel.soundGroups.indices.contains { group in
        panel.soundGroups[group].members.contains(sound) && events.contains(.anyFinished(group: group))
      }
    case .anyFinished(let group):
      return panel.soundGroups[group].members.contains { events.contains(.finished(sound: $0)) }
    case .lost, .restored, .asked: return false
    }
  }

  /// Follows the numbers that followed values are set to and that choose followed sounds.
  private mutating func followActions() {
    for state in panel.states {
      for playing in state.play { asked.formUnion(dependencies(of: playing)) }
      for actions in [state.enter, state.exit] { asked.formUnion(dependencies(actions.assignments, actions.play)) }
      for reaction in state.on {
        for transition in reaction.transitions {
          let used = dependencies(transition.assignments, transition.play)
          ask(at: reaction.event) { $0.formUnion(used) }
        }
      }
      for transition in state.after.flatMap(\.transitions) + state.done + state.when {
        asked.formUnion(dependencies(transition.assignments, transition.play))
      }
    }
    for never in panel.nevers {
      if let remedy = never.transition { asked.formUnion(dependencies(remedy.assignments, remedy.play)) }
    }
  }

  /// Adds the dependencies of an event's transitions. At the event of a group's member, that member is the last active
  /// one, so it need not be kept.
  private mutating func ask(at event: PanelEvent, _ add: (inout Dependencies) -> Void) {
    var used = Dependencies()
    add(&used)
    switch event {
    case .anyInput(let group, _): used.members.remove(group)
    case .input(let input, _):
      if let group = panel.inputGroups.firstIndex(where: { $0.members.contains(input) }) { used.members.remove(group) }
    case .finished, .anyFinished, .lost, .restored, .asked: break
    }
    asked.formUnion(used)
  }

  private func dependencies(
    _ assignments: [PanelDefinition.Assignment], _ play: [PanelDefinition.Playing]
  ) -> Dependencies {
    var used = Dependencies()
    for assignment in assignments where follows(value: assignment.value) { used.add(assignment.change) }
    for playing in play { used.formUnion(dependencies(of: playing)) }
    return used
  }

  private func dependencies(of playing: PanelDefinition.Playing) -> Dependencies {
    var used = Dependencies()
    if case .member(_, let number, _) = playing, follows(playing) { used.add(number) }
    return used
  }

  /// Whether the end of a sound that is played changes anything.
  func follows(_ playing: PanelDefinition.Playing) -> Bool {
    switch playing {
    case .sound(let sound): follows(sound: sound)
    case .member(let group, _, _): panel.soundGroups[group].members.contains { follows(sound: $0) }
    }
  }

  /// Follows the dependencies of the appearances of outputs that are asked for, and of relays whose contacts are.
  private mutating func followOutputs() {
    for interlock in panel.interlocks where interlock.relays.contains(where: asked.contacts.contains) {
      asked.outputs.formUnion(interlock.relays)
    }
    for show in panel.states.flatMap(\.show) where asked.outputs.contains(show.output) {
      asked.add(show.rule)
    }
  }

  private mutating func followDerivedInputs() {
    for (input, definition) in panel.inputs.enumerated() where follows(input: input) {
      if let computed = definition.device.derivation?.ofSwitch {
        asked.add(computed.isOn)
        asked.add(computed.isOff)
      } else if let chord = definition.device.derivation?.ofChord {
        asked.positions.formUnion(chord.buttons)
      }
    }
  }

  /// Follows whether the time is known: no time of day occurs before.
  private mutating func followClock() {
    guard let time = panel.clock?.inputs[.time] else { return }
    if events(of: time).contains(where: { $0 >= ClockDefinition.firstAlarm }) { asked.positions.insert(time) }
  }

  private func matters(_ transition: PanelDefinition.Transition) -> Bool {
    transition.target != nil || transition.assignments.contains { follows(value: $0.value) }
      || transition.play.contains { follows($0) }
  }
}
