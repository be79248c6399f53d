import CycleCore
import PanelLanguage

/// The behavior of a panel: the statechart of its file as pure functions from frame to frame.
///
/// All transitions are in one array, and those of a state are a range, so an event finds its transitions without a
/// search through the definition. It is a class because every filter captures it: a reference is one pointer.
package final class PanelRules: Sendable {
  /// The greatest number of steps by `when` and `done` after one event, and of consecutive deadlines of 0 s at one
  /// moment for each region. More steps mean an endless loop.
  static let mostSteps = 100

  package let panel: PanelDefinition
  package let table: TransitionTable
  package let derived: DerivedInputs
  package let tree: StateTree
  /// The effects of entering and leaving each state; nil if there are none.
  let effects: [StateEffects?]
  /// The chip of each source of trouble; its lines are lost with the chip. Empty if all chips are lost together.
  private let chipsOfSources: [PluggableHardware]
  /// The chip of each input; its lines are lost with the chip.
  let chipsOfInputs: [PluggableHardware?]
  /// Whether any state contains others, or is final.
  let isNested: Bool
  let recorder: (any RulesRecorder)?
  private let hasWhen: Bool
  private let hasAlarms: Bool
  /// The position of each input after each of its events; empty for an input without positions.
  private let positions: [[Int?]]
  /// The sensors for which the file reacts to a change of the number.
  private let changeHeard: Set<Int>
  /// The group of each input, and its number there; empty for a panel without groups.
  private let memberships: [(group: Int, number: Int)?]
  /// The group of each sound.
  private let soundGroups: [Int?]
  /// The numbers of the `untouched` deadlines.
  private let untouched: [Int]
  package let show: PanelRendering
  /// The bounds of frames from outside.
  package let bounds: UntrustedFrameValidator

  package init(panel: PanelDefinition, recorder: (any RulesRecorder)? = nil) {
    self.panel = panel
    self.recorder = recorder
    show = PanelRendering(panel: panel)
    bounds = UntrustedFrameValidator(of: panel)
    tree = StateTree(panel)
    table = TransitionTable(of: panel, tree)
    derived = DerivedInputs(of: panel)
    isNested = panel.regions.contains { $0.owner != 0 }
    hasWhen = panel.states.contains { !$0.when.isEmpty }
    hasAlarms = panel.clock?.alarms.isEmpty == false
    effects = panel.states.indices.map { StateEffects(panel.states[$0], panel.resumption(of: $0)) }
    chipsOfSources = panel.hasChipsLostAlone ? DriverGroups(of: panel).chips(in: panel) : []
    chipsOfInputs = panel.chipsOfInputs
    positions = panel.inputs.map { input in
      let device = input.device
      return device.positions.isEmpty ? [] : device.events.indices.map { device.position(after: $0) }
    }
    let heard = panel.heardEvents
    changeHeard = Set(
      panel.inputs.indices.filter { panel.inputs[$0].device.isSensor && heard.contains(.input($0, Presence.changed)) })
    memberships = panel.inputGroups.isEmpty ? [] : panel.inputs.indices.map { Self.membership(of: $0, panel) }
    soundGroups =
      panel.soundGroups.isEmpty
      ? [] : panel.sounds.indices.map { sound in panel.soundGroups.firstIndex { $0.members.contains(sound) } }
    untouched = panel.states.flatMap(\.after).compactMap { deadline in
      if case .untouched(let number) = deadline.recurrence { number } else { nil }
    }
  }

  /// The same rules without a recorder.
  package var unrecorded: PanelRules { recorder == nil ? self : PanelRules(unrecorded: self) }

  private init(unrecorded rules: PanelRules) {
    panel = rules.panel
    recorder = nil
    show = rules.show
    bounds = rules.bounds
    tree = rules.tree
    table = rules.table
    derived = rules.derived
    isNested = rules.isNested
    hasWhen = rules.hasWhen
    hasAlarms = rules.hasAlarms
    effects = rules.effects
    chipsOfSources = rules.chipsOfSources
    chipsOfInputs = rules.chipsOfInputs
    positions = rules.positions
    changeHeard = rules.changeHeard
    memberships = rules.memberships
    soundGroups = rules.soundGroups
    untouched = rules.untouched
  }

  private static func membership(of input: Int, _ panel: PanelDefinition) -> (group: Int, number: Int)? {
    guard let group = panel.inputGroups.firstIndex(where: { $0.members.contains(input) }) else { return nil }
    return (group, panel.inputGroups[group].number(of: input))
  }

  /// The first frame of a panel whose inputs are unknown: every region has entered its initial state once. It is
  /// computed at each call.
  package var seed: PanelFrame { first(withChance: 0) }

  /// The first frame of a panel whose inputs are unknown.
  ///
  /// - Parameter chance: the seed of the random numbers.
  package func first(withChance chance: UInt64) -> PanelFrame {
    var frame = blank(withChance: chance)
    begin(at: .zero, in: &frame)
    return frame
  }

  /// The frame before the first one: inputs are unknown, and no state is entered. The positions of inputs are added to
  /// it, then ``begin(at:in:)`` makes it the first frame.
  ///
  /// - Parameters:
  ///   - chance: the seed of the random numbers.
  ///   - draws: the results of the first draws; they replace random numbers.
  ///   - kept: the numbers of kept items, in their order; empty for the initial ones.
  package func blank(withChance chance: UInt64, draws: [Int] = [], kept: [Int] = []) -> PanelFrame {
    var frame = PanelFrame(FrameSizes(of: panel), values: panel.values.map(\.initial))
    for value in panel.values {
      guard let list = value.list, let filled = value.filled else { continue }
      frame.setElements(of: list, to: filled)
    }
    begin(with: kept, in: &frame)
    frame.seed(with: chance)
    frame.prescribe(draws: draws)
    for (input, device) in panel.inputs.enumerated() {
      if let scale = device.device.scale { frame[reading: input] = scale.initial ?? .unknown }
      if device.device.isUnknownAtStart { frame[position: input] = PanelFrame.unknownPosition }
    }
    for (number, group) in panel.inputGroups.enumerated() { frame[member: number] = group.nobody }
    frame.now = PanelFrame.beforeBeginning
    return frame
  }

  /// Makes the first frame, which contains everything that is known of inputs. Enters the initial or restored states
  /// and applies the results. Then applies the events of missing hardware, and of positions whose events the file asks
  /// for.
  package func begin(at now: Moment, in frame: inout PanelFrame) {
    guard !frame.hasBegun else { return }
    frame.now = Int(now.nanoseconds)
    derived.begin(in: &frame)
    effects[0].map { beginWaits($0, in: &frame) }
    var finished: [Int] = []
    let kept = panel.keptItems.indices.map { frame[kept: $0] }
    for region in panel.states[0].regions { beginState(of: region, with: kept, in: &frame, &finished) }
    settle(finished, in: &frame)
    if derived.dependOnValues { followValues(in: &frame) }
    if !table.byNever.isEmpty { checkNevers(after: .start, from: frame, in: &frame) }
    frame.now = 0
    // Missing hardware causes an event like a later loss, so that a file that reacts to it does not miss it.
    let lost = frame.missing.filter { $0 != .gpio } + frame.missing.filter { $0 == .gpio }
    if let first = lost.first {
      apply(at: now, after: .event(.lost(first)), in: &frame) { frame in
        for hardware in lost { respond(to: .lost(hardware), in: &frame) }
      }
    }
    for (input, definition) in panel.inputs.enumerated() where definition.device.reportsStart {
      if let event = self.event(ofPosition: frame[position: input], of: input) {
        react(to: .input(input, event), at: now, in: &frame)
      }
    }
    if panel.clock != nil { takeMissedAlarms(at: now, in: &frame) }
  }

  /// The event that leads to a position; nil for an unknown one.
  private func event(ofPosition position: Int, of input: Int) -> Int? {
    let device = panel.inputs[input].device
    return device.events.indices.first { device.position(after: $0) == position }
  }

  /// Sets an input to the position that an event leads to, and applies the results. It is not an event, unless the file
  /// asks for it.
  package func find(_ word: Int, of input: Int, at now: Moment, in frame: inout PanelFrame) {
    guard let position = panel.inputs[input].device.position(after: word) else { return }
    guard frame.hasBegun else {
      frame[position: input] = position
      return
    }
    guard frame[position: input] != position else { return }
    if panel.inputs[input].device.reportsStart { return react(to: .input(input, word), at: now, in: &frame) }
    applyNumber(at: now, after: .found(input), in: &frame) { $0[position: input] = position }
  }

  // MARK: - Events

  /// Applies an event of a driver or of hardware, then the events of derived inputs.
  package func react(to event: PanelEvent, at now: Moment, in frame: inout PanelFrame) {
    guard frame.hasBegun else { return noteBeforeBeginning(event, in: &frame) }
    apply(at: now, after: .event(event), in: &frame) { respond(to: event, in: &$0) }
  }

  /// Records an input's position before the first frame. Nothing reacts to it.
  private func noteBeforeBeginning(_ event: PanelEvent, in frame: inout PanelFrame) {
    guard case .input(let input, let word) = event,
      let position = panel.inputs[input].device.position(after: word)
    else { return }
    frame[position: input] = position
  }

  /// Applies an event at a moment, then checks the forbidden conditions.
  ///
  /// - Parameter act: applies the effects of the event.
  @inline(__always)
  private func apply(
    at now: Moment, after cause: @autoclosure () -> HaltReason.Cause, in frame: inout PanelFrame,
    _ act: (inout PanelFrame) -> Void
  ) {
    guard !frame.isStopped, frame.hasBegun else { return }
    frame.now = Int(now.nanoseconds)
    recorder?.begin(in: frame)
    if table.byNever.isEmpty {
      act(&frame)
      if derived.dependOnValues { followValues(in: &frame) }
      if hasAlarms { settlePendingAlarms(in: &frame) }
    } else {
      let before = frame
      act(&frame)
      if derived.dependOnValues { followValues(in: &frame) }
      if hasAlarms { settlePendingAlarms(in: &frame) }
      checkNevers(after: cause(), from: before, in: &frame)
    }
    frame.now = 0
    recorder?.end(in: frame)
  }

  /// Updates the computed switches that compare values, and applies their events, until none of them moves any more.
  private func followValues(in frame: inout PanelFrame) {
    for _ in 0..<Self.mostSteps {
      guard !frame.isStopped, let events = derived.followValues(in: &frame) else { return }
      // A switch may have become known, which is not an event.
      if events.isEmpty, hasWhen { settle([], in: &frame) }
      for event in events { tell(event, in: &frame) }
    }
    frame.stop(.endless(panel.regions.indices.map { frame[state: $0] }.filter { $0 >= 0 }.suffix(4)))
  }

  @inline(__always)
  private func respond(to event: PanelEvent, in frame: inout PanelFrame) {
    if frame.deadlinesAtOnce != 0 { frame.deadlinesAtOnce = 0 }
    if case .input(let input, let word) = event {
      if !untouched.isEmpty { noteTouch(of: input, in: &frame) }
      if !positions[input].isEmpty, let position = positions[input][word] { frame[position: input] = position }
      if !memberships.isEmpty, let (group, number) = memberships[input] { frame[member: group] = number }
      guard derived.isEmpty else {
        let following = derived.follow(event, in: &frame)
        if let heard = derived.heard(event, in: frame) { tell(heard, in: &frame) }
        for event in following { tell(event, in: &frame) }
        return
      }
    }
    // When the card is lost, the sounds that transitions started end.
    if event == .lost(.audio) { for sound in panel.sounds.indices { frame[isOnce: sound] = false } }
    tell(event, in: &frame)
  }

  /// Sets the number of an input to the one that its next event carries. Nothing reacts before that event.
  ///
  /// - Parameter number: in units of the input's ``SensorNumberRange``.
  package func note(_ number: Int, of input: Int, in frame: inout PanelFrame) {
    guard !frame.isStopped else { return }
    frame[reading: input] = number
    if positions[input].isEmpty { frame[position: input] = 0 }
  }

  /// Applies a reading of a sensor, in the units of its ``SensorNumberRange``.
  package func read(_ number: Int, of input: Int, at now: Moment, in frame: inout PanelFrame) {
    guard !frame.isStopped, let scale = panel.inputs[input].device.scale else { return }
    let wasLost = frame[position: input] == Presence.isLost
    let number = min(scale.range.upperBound, max(scale.range.lowerBound, number))
    if wasLost || !frame.hasBegun {
      frame[reading: input] = number
      return react(to: .input(input, Presence.restored), at: now, in: &frame)
    }
    if !changeHeard.isEmpty, changeHeard.contains(input), frame[position: input] == Presence.isThere,
      frame[reading: input] != number
    {
      frame[reading: input] = number
      return react(to: .input(input, Presence.changed), at: now, in: &frame)
    }
    // The first reading is not a return.
    applyNumber(at: now, after: .reading(input), in: &frame) {
      $0[reading: input] = number
      $0[position: input] = Presence.isThere
    }
  }

  /// Changes a number from outside, and applies the results: derived inputs, and `when`.
  package func applyNumber(
    at now: Moment, after cause: HaltReason.Cause, in frame: inout PanelFrame, _ change: (inout PanelFrame) -> Void
  ) {
    apply(at: now, after: cause, in: &frame) { frame in
      change(&frame)
      frame.deadlinesAtOnce = 0
      let following = derived.follow(nil, in: &frame)
      if hasWhen { settle([], in: &frame) }
      for event in following { tell(event, in: &frame) }
    }
  }

  /// Sets a value by a remote command, limited to its range, and applies the results.
  package func set(_ value: Int, to number: Int, at now: Moment, in frame: inout PanelFrame) {
    guard panel.values.indices.contains(value) else { return }
    let definition = panel.values[value]
    applyNumber(at: now, after: .command(value), in: &frame) {
      $0[value: value] = min(definition.max, max(definition.min, number))
    }
  }

  /// Applies reported moves of relay contacts. The results are applied once, or not at all if no contact has changed.
  package func move(_ contacts: [(output: Int, position: Int)], at now: Moment, in frame: inout PanelFrame) {
    guard frame.knowsContacts else { return }
    let moved = contacts.filter { frame[contact: $0.output] != $0.position }
    guard let first = moved.first else { return }
    guard frame.hasBegun else {
      for (output, position) in moved { frame[contact: output] = position }
      return
    }
    // A relay that depends on its own contact would open and close endlessly without time passing.
    let count = frame.deadlinesAtOnce + 1
    applyNumber(at: now, after: .contact(first.output), in: &frame) { frame in
      for (output, position) in moved { frame[contact: output] = position }
    }
    guard !frame.isStopped else { return }
    frame.deadlinesAtOnce = count
    if count > Self.mostSteps * panel.regions.count { frame.stop(.chattering(first.output)) }
  }

  /// Marks a sensor as lost. Its reading becomes the number that the file defines for a loss, if any.
  package func lose(sensor input: Int, at now: Moment, in frame: inout PanelFrame) {
    guard !frame.isStopped, frame[position: input] != Presence.isLost else { return }
    let lost = panel.inputs[input].device.scale?.lost
    // A sensor that cannot be read at first was not present before, so its loss is not an event.
    if frame[position: input] == PanelFrame.unknownPosition, frame.hasBegun {
      return applyNumber(at: now, after: .found(input), in: &frame) {
        $0[position: input] = Presence.isLost
        if let lost { $0[reading: input] = lost }
      }
    }
    if let lost { frame[reading: input] = lost }
    react(to: .input(input, Presence.lost), at: now, in: &frame)
  }

  /// Applies one event: chooses a transition for each innermost current state, or for the states around it if it has
  /// none.
  private func tell(_ event: PanelEvent, in frame: inout PanelFrame) {
    guard !frame.isStopped else { return }
    recorder?.tell(event)
    let number = table.events[event]
    let (trigger, wide) = (Int32(number), widened(event))
    let chosen = chooseForAll(table.hearing[number], in: frame) { state, frame in
      wide < 0
        ? choose(trigger, among: table.byEvent[state], in: frame)
        : choose(trigger, or: wide, among: table.byEvent[state], in: frame)
    }
    guard let chosen else {
      // The input has moved even without a transition.
      if hasWhen { settle([], in: &frame) }
      return
    }
    take(chosen.first, chosen.all, in: &frame)
  }

  /// The effect that an event would have.
  enum EventResult {
    case taken, ignored
    /// No transition would be taken, but the condition of one is unknown.
    case unknown
  }

  /// The effect that an event would have on a frame.
  func result(of event: PanelEvent, in frame: PanelFrame) -> EventResult {
    guard !frame.isStopped else { return .ignored }
    let number = table.events[event]
    let trigger = Int32(number)
    let chosen = chooseForAll(table.hearing[number], in: frame) { state, frame in
      choose(trigger, among: table.byEvent[state], in: frame)
    }
    if chosen != nil { return .taken }
    let isUnknown = panel.states.indices.contains { state in
      tree.isCurrent(state, in: frame)
        && table.byEvent[state].contains { index in
          table.triggers[index] == trigger && table.conditions[index].map { $0.truth(in: frame) == nil } ?? false
        }
    }
    return isUnknown ? .unknown : .ignored
  }

  /// Applies an event within another one.
  func hear(_ event: PanelEvent, in frame: inout PanelFrame) { tell(event, in: &frame) }

  /// The number of the group event for the group of the event's input or sound; -1 without a group.
  @inline(__always)
  private func widened(_ event: PanelEvent) -> Int32 {
    let wide: PanelEvent? =
      switch event {
      case .input(let input, let word) where !memberships.isEmpty:
        memberships[input].map { .anyInput(group: $0.group, word) }
      case .finished(let sound) where !soundGroups.isEmpty: soundGroups[sound].map { .anyFinished(group: $0) }
      default: nil
      }
    return wide.map { Int32(table.events[$0]) } ?? -1
  }

  /// Records a touch of a contact or a knob.
  private func noteTouch(of input: Int, in frame: inout PanelFrame) {
    guard type(of: panel.inputs[input].device).isTouched else { return }
    frame.touchCount += 1
    for number in untouched { frame[repetition: number] = 0 }
  }

  /// Applies a due deadline. A deadline of an earlier entering of the state is ignored.
  package func react(to deadline: PanelDeadline, at now: Moment, in frame: inout PanelFrame) {
    apply(at: now, after: .deadline(deadline), in: &frame) { respond(to: deadline, in: &$0) }
  }

  private func respond(to deadline: PanelDeadline, in frame: inout PanelFrame) {
    switch deadline.owner {
    case .begin:
      for region in panel.regions.indices where frame[entered: region] < 0 { frame[entered: region] = frame.now }
    case .input(let input, let number):
      let events = derived.pass(number, of: input, entry: deadline.entry, in: &frame)
      for event in events { tell(event, in: &frame) }
      // The position of a switch may have become known, which is not an event.
      if events.isEmpty, hasWhen { settle([], in: &frame) }
    case .state(let state, let index):
      let entry = state == 0 ? 0 : frame[entry: panel.states[state].region]
      guard entry == deadline.entry, tree.isCurrent(state, in: frame),
        isWaiting(for: deadline, panel.states[state].after[index], in: &frame)
      else { return }
      guard !panel.states[state].after[index].isCheck else {
        frame.deadlinesAtOnce = 0
        return settle([], in: &frame)
      }
      guard let choice = choose(-1, among: table.byDeadline[state][index], in: frame) else { return }
      let isAtOnce = show.wait(of: panel.states[state].after[index], in: frame) == .zero
      frame.deadlinesAtOnce = isAtOnce ? frame.deadlinesAtOnce + 1 : 0
      guard frame.deadlinesAtOnce <= Self.mostSteps * panel.regions.count else {
        let states = [state] + (table.targets[choice].map { [$0.state] } ?? [])
        return frame.stop(.restless(states))
      }
      take(choice, nil, in: &frame)
    }
  }

  /// Whether a repeating deadline is in its current wait. If so, ends that wait.
  private func isWaiting(
    for deadline: PanelDeadline, _ definition: PanelDefinition.Deadline, in frame: inout PanelFrame
  ) -> Bool {
    switch definition.recurrence {
    case .once: return true
    case .again(let number):
      guard frame[repetition: number] == deadline.repetition else { return false }
      frame[repetition: number] += 1
      beginWait(definition.delay, in: &frame)
      return true
    case .untouched(let number):
      guard frame[repetition: number] == 0, frame.touchCount == deadline.repetition else { return false }
      frame[repetition: number] = 1
      return true
    }
  }

  /// Applies the end of a sound.
  package func end(sound: Int, at now: Moment, in frame: inout PanelFrame) {
    frame[ended: sound] = true
    frame[isOnce: sound] = false
    react(to: .finished(sound: sound), at: now, in: &frame)
  }

  /// Adds a driver's trouble to the frame, and applies the loss or the return of hardware.
  package func note(_ trouble: Trouble, of source: PanelTrouble.Source, at now: Moment, in frame: inout PanelFrame) {
    frame.note(.trouble(trouble, source))
    switch trouble {
    case .lost: change(source, isMissing: true, at: now, in: &frame)
    case .restored: change(source, isMissing: false, at: now, in: &frame)
    case .failed, .eventsLost: break
    }
  }

  /// Adds trouble to the frame like ``note(_:of:at:in:)``, for a source with one lens, whose driver recovers by itself
  /// and reports each new kind of error, or reason, of a loss. That is not a second loss.
  package func note(
    _ trouble: Trouble, ofSingle source: PanelTrouble.Source, at now: Moment, in frame: inout PanelFrame
  ) {
    if case .lost = trouble, frame.isMissing(source: source.number) {
      frame.note(.trouble(trouble, source))
    } else {
      note(trouble, of: source, at: now, in: &frame)
    }
  }

  /// Applies the loss or return of a lens's hardware. If a chip, all chips or the card is lost several times, the panel
  /// reacts to the first loss and to the last return. Events of one chip come before those of all chips.
  package func change(_ source: PanelTrouble.Source, isMissing: Bool, at now: Moment, in frame: inout PanelFrame) {
    let lost = hardware(lostWith: source)
    guard let first = lost.first else { return }
    if isMissing, first.hasLines {
      // The first lens that loses a chip loses all lines of the chip.
      let inputs = first == .gpio ? nil : chipsOfInputs.indices.filter { chipsOfInputs[$0] == first }
      derived.forgetGestures(of: inputs, in: &frame)
      forgetRemotePresses(of: inputs, in: &frame)
    }
    let wasMissing = lost.map { frame.isMissing($0) }
    frame.change(source, of: lost, isMissing: isMissing)
    let events = zip(lost, wasMissing).compactMap { hardware, wasMissing -> PanelEvent? in
      guard frame.isMissing(hardware) != wasMissing else { return nil }
      return wasMissing ? .restored(hardware) : .lost(hardware)
    }
    guard let event = events.first else { return }
    // Forbidden conditions are checked after all events, because a file may react only to the loss of any chip.
    apply(at: now, after: .event(event), in: &frame) { frame in
      for event in events { respond(to: event, in: &frame) }
    }
  }

  /// The hardware that is lost with a source: a chip, and all chips together.
  private func hardware(lostWith source: PanelTrouble.Source) -> [PluggableHardware] {
    switch source.hardware {
    case nil: []
    case .audio: [.audio]
    case .network: [.network]
    case .gpio: chipsOfSources.isEmpty ? [.gpio] : [chipsOfSources[source.number], .gpio]
    case .own: [.own, .gpio]
    case .chip(let chip): [.chip(chip), .gpio]
    }
  }

  // MARK: - Transitions

  /// Takes the transitions that were chosen for one event, then those that follow from them.
  ///
  /// - Parameter all: all transitions; nil if `first` is the only one.
  func take(_ first: Int, _ all: [Int]?, in frame: inout PanelFrame) {
    var finished: [Int] = []
    if let all { step(all, in: &frame, &finished) } else { step(first, in: &frame, &finished) }
    if hasWhen || !finished.isEmpty { settle(finished, in: &frame) }
  }

  /// Takes the transitions by `when` whose conditions hold. When there are none, takes the transitions by `done` of the
  /// states whose regions are all final, in the order in which they became final.
  package func settle(_ finished: [Int], in frame: inout PanelFrame) {
    var finished = finished
    var last: [Int] = []
    var steps = 0
    while true {
      if hasWhen, let chosen = chooseForAll(nil, in: frame, { chooseWhen(of: $0, in: $1) }) {
        steps += 1
        guard steps <= Self.mostSteps else { break }
        let all = chosen.all ?? [chosen.first]
        last += all.compactMap { table.targets[$0]?.state }
        step(all, in: &frame, &finished)
        continue
      }
      guard let state = finished.first else { return }
      finished.removeFirst()
      guard tree.isCurrent(state, in: frame), let choice = choose(-1, among: table.byDone[state], in: frame) else {
        continue
      }
      steps += 1
      guard steps <= Self.mostSteps else { break }
      if let target = table.targets[choice] { last.append(target.state) }
      step(choice, in: &frame, &finished)
    }
    frame.stop(.endless(Array(last.suffix(4))))
  }
}
