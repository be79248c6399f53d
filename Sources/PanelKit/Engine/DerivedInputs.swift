import CycleCore
import PanelLanguage

/// The inputs of a panel that are derived from others: switches whose contact is a condition, and chords of buttons.
///
/// Their numbers are consecutive in a frame: two for a computed switch; two for a chord, plus three for each of its
/// buttons.
package struct DerivedInputs: Sendable {
  private let switches: [ComputedSwitch]
  /// The switches whose conditions compare values.
  private let ofValues: [ComputedSwitch]
  private let chords: [Chord]
  /// The indices of all derived inputs, in the order of the file.
  private let inputs: [Int]

  /// The inputs whose presses can become a hold.
  private let holding: Set<Int>
  /// The place of each input: in ``switches`` from 1, or in ``chords`` from -1 downwards; 0 for any other input.
  private let places: [Int]

  init(of panel: PanelDefinition) {
    var (switches, chords): ([ComputedSwitch], [Chord]) = ([], [])
    var first = 0
    for (input, definition) in panel.inputs.enumerated() {
      if let rule = definition.device.derivation?.ofSwitch {
        switches.append(ComputedSwitch(input: input, rule: rule, first: first))
        first += ComputedSwitch.size
      } else if let rule = definition.device.derivation?.ofChord {
        let clicks = rule.buttons.map { panel.inputs[$0].device.gesture?.mostClicks ?? 1 }
        let chord = Chord(input: input, rule: rule, first: first, clicks: clicks)
        chords.append(chord)
        first += chord.size
      }
    }
    (self.switches, self.chords) = (switches, chords)
    ofValues = switches.filter { !$0.rule.comparedValues.isEmpty }
    holding = Set(panel.inputs.indices.filter { panel.inputs[$0].device.gesture?.hold != nil })
    var places = [Int](repeating: 0, count: panel.inputs.count)
    for (place, computed) in switches.enumerated() { places[computed.input] = place + 1 }
    for (place, chord) in chords.enumerated() { places[chord.input] = -place - 1 }
    self.places = places
    inputs = (switches.map(\.input) + chords.map(\.input)).sorted()
  }

  var isEmpty: Bool { switches.isEmpty && chords.isEmpty }

  /// Whether any of them requires presses close together.
  var haveWindows: Bool { !chords.isEmpty }

  /// The numbers of each derived input in a frame, and those among them that are counters.
  package var numbers: [(input: Int, all: Range<Int>, counters: [Int])] {
    switches.map { ($0.input, $0.first..<$0.first + ComputedSwitch.size, [$0.first + 1]) }
      + chords.map { chord in
        (
          chord.input, chord.first..<chord.first + chord.size,
          [chord.first + 1] + chord.rule.buttons.indices.map { chord.pressCount($0) }
        )
      }
  }

  /// The range of each of their numbers in a frame.
  var ranges: [(number: Int, range: ClosedRange<Int>)] { switches.flatMap(\.ranges) + chords.flatMap(\.ranges) }

  /// The number of deadlines of an input.
  func deadlineCount(of input: Int) -> Int {
    switch places[input] {
    case 0: 0
    case let place where place > 0: 1
    case let place: 1 + chords[-place - 1].rule.buttons.count
    }
  }

  /// The number of a frame's numbers that belong to the derived inputs of a panel.
  static func frameSize(of panel: PanelDefinition) -> Int {
    let derived = DerivedInputs(of: panel)
    return derived.switches.count * ComputedSwitch.size + derived.chords.reduce(0) { $0 + $1.size }
  }

  /// Sets the initial positions of the computed switches, as far as they are known.
  package func begin(in frame: inout PanelFrame) {
    for computed in switches { computed.begin(in: &frame) }
  }

  /// Whether the conditions of a computed switch compare values.
  var dependOnValues: Bool { !ofValues.isEmpty }

  /// Updates the computed switches that compare values. Returns their events in the order of the file; nil if none has
  /// moved.
  func followValues(in frame: inout PanelFrame) -> [PanelEvent]? {
    var (events, hasMoved): ([PanelEvent], Bool) = ([], false)
    for computed in ofValues {
      let before = frame[position: computed.input]
      if let event = computed.follow(in: &frame) { events.append(event) }
      if frame[position: computed.input] != before { hasMoved = true }
    }
    return hasMoved ? events : nil
  }

  /// Updates the derived inputs after a change. Returns their events in the order of the file.
  ///
  /// - Parameter event: the event of a contact; nil for the reading of a sensor.
  func follow(_ event: PanelEvent?, in frame: inout PanelFrame) -> [PanelEvent] {
    var events: [(input: Int, event: PanelEvent)] = []
    for computed in switches {
      if let event = computed.follow(in: &frame) { events.append((computed.input, event)) }
    }
    if case .input(let input, let word) = event {
      for chord in chords {
        for event in chord.follow(input, word, in: &frame) { events.append((chord.input, event)) }
      }
    }
    guard events.count > 1 else { return events.map(\.event) }
    return events.enumerated().sorted { ($0.element.input, $0.offset) < ($1.element.input, $1.offset) }.map(
      \.element.event)
  }

  /// The event that the panel reacts to. Nil for an event of a button whose press is a part of a chord, because the
  /// chord reports it. If only the last press of a series is a part, the series has one click less.
  func heard(_ event: PanelEvent, in frame: PanelFrame) -> PanelEvent? {
    guard case .input(let input, let word) = event else { return event }
    switch word {
    case ButtonEvent.held, ButtonEvent.repeated: return parts(of: input, in: frame) & 1 == 1 ? nil : event
    default:
      guard let clicks = ButtonEvent.clicks(of: word) else { return event }
      var parts = parts(of: input, in: frame)
      // While the button is down and may be held, the clicks belong to the presses before the current one.
      if frame[position: input] == 1, clicks == 1 || holding.contains(input) { parts >>= 1 }
      parts &= 1 << clicks - 1
      guard parts == 1 else { return parts == 0 ? event : nil }
      return clicks > 1 ? .input(input, ButtonEvent.place(ofClicks: clicks - 1)) : nil
    }
  }

  /// The presses of a button that were parts of a chord's press. Bit 0 is the last press.
  private func parts(of button: Int, in frame: PanelFrame) -> Int {
    chords.reduce(0) { $0 | $1.parts(of: button, in: frame) }
  }

  /// Resets the presses of chords whose lines are lost, as a button does.
  ///
  /// - Parameter inputs: the inputs on those lines; nil for all.
  func forgetGestures(of inputs: [Int]?, in frame: inout PanelFrame) {
    for chord in chords where inputs.map({ !$0.allSatisfy { !chord.rule.buttons.contains($0) } }) ?? true {
      chord.forget(in: &frame)
    }
  }

  /// Applies a deadline of a derived input. Returns the events that follow.
  func pass(_ number: Int, of input: Int, entry: Int, in frame: inout PanelFrame) -> [PanelEvent] {
    switch places[input] {
    case 0: []
    case let place where place > 0: switches[place - 1].settle(entry: entry, in: &frame).map { [$0] } ?? []
    case let place: chords[-place - 1].pass(number, entry: entry, in: &frame)
    }
  }

  /// The deadlines after which these inputs emit an event.
  package func deadlines(of inputs: [Int], in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] {
    inputs.compactMap { input in
      switch places[input] {
      case 0: nil
      case let place where place > 0: switches[place - 1].deadline(in: frame)
      case let place: chords[-place - 1].deadline(in: frame)
      }
    }
  }

  /// All deadlines after which a derived input emits an event, in the order of the file.
  func deadlines(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] { deadlines(of: inputs, in: frame) }

  /// The deadlines by which the other buttons of a chord must be pressed.
  func windows(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] { chords.flatMap { $0.windows(in: frame) } }
}

/// A switch whose contact is a condition.
private struct ComputedSwitch: Sendable {
  static let size = 2

  let input: Int
  let rule: SwitchRule
  /// The place of its two numbers. The first is the position after the debounce time plus 1, or 0 for none. The second
  /// is the number of waits that have begun.
  let first: Int

  var ranges: [(number: Int, range: ClosedRange<Int>)] { [(first, 0...2), (first + 1, UntrustedNumber.counts)] }

  /// The position that the conditions request; the current one if neither holds. ``PanelFrame/unknownPosition`` while
  /// they depend on inputs that have not been read.
  private func wanted(in frame: PanelFrame) -> Int {
    let isOn = rule.isOn?.truth(in: frame)
    if isOn == true { return 1 }
    if isOn == nil, rule.isForgetful { return PanelFrame.unknownPosition }
    guard let isOff = rule.isOff else { return isOn == false ? 0 : frame[position: input] }
    switch (isOff.truth(in: frame), frame[position: input]) {
    case (true?, _): return 0
    // Neither holds: the switch is off, unless it has been on.
    case (false?, PanelFrame.unknownPosition) where isOn == false: return 0
    case (_, let position): return position
    }
  }

  func begin(in frame: inout PanelFrame) {
    let wanted = wanted(in: frame)
    if rule.debounce(to: wanted) == .zero {
      frame[position: input] = wanted
    } else if wanted != frame[position: input] {
      wait(for: wanted, in: &frame)
    }
  }

  func follow(in frame: inout PanelFrame) -> PanelEvent? {
    let wanted = wanted(in: frame)
    guard wanted != frame[position: input] else {
      frame[derived: first] = 0
      return nil
    }
    guard rule.debounce(to: wanted) > .zero else {
      frame[derived: first] = 0
      return move(to: wanted, in: &frame)
    }
    if frame[derived: first] != wanted + 1 { wait(for: wanted, in: &frame) }
    return nil
  }

  private func wait(for wanted: Int, in frame: inout PanelFrame) {
    frame[derived: first] = wanted + 1
    frame[derived: first + 1] += 1
  }

  /// Applies a position that has been requested for the debounce time.
  func settle(entry: Int, in frame: inout PanelFrame) -> PanelEvent? {
    guard frame[derived: first] > 0, frame[derived: first + 1] == entry else { return nil }
    let wanted = frame[derived: first] - 1
    frame[derived: first] = 0
    return move(to: wanted, in: &frame)
  }

  /// Moves the switch and returns its event. Nil if the position was unknown before, unless the file asks for that
  /// event.
  private func move(to position: Int, in frame: inout PanelFrame) -> PanelEvent? {
    let wasKnown = frame[position: input] != PanelFrame.unknownPosition
    frame[position: input] = position
    guard position != PanelFrame.unknownPosition, wasKnown || rule.reportsStart else { return nil }
    return .input(input, position == 1 ? SwitchEvent.on : SwitchEvent.off)
  }

  func deadline(in frame: PanelFrame) -> Timer<PanelDeadline>.Deadline? {
    guard frame[derived: first] > 0 else { return nil }
    let debounce = rule.debounce(to: frame[derived: first] - 1)
    return .after(debounce, PanelDeadline(owner: .input(input, 0), entry: frame[derived: first + 1]))
  }
}

/// Several buttons as one: pressed when all of them are down and were pressed within a time.
private struct Chord: Sendable {
  /// The phases of a ``HardwareDrivers/Gesture``.
  private enum Phase: Int {
    case idle, down, classified, between, second
  }

  let input: Int
  let rule: ChordRule
  /// The place of its numbers. The first are the phase of its gesture and the number of phase changes. For each button
  /// follow whether its press is recent, its number of presses, and those of its last presses that were parts of the
  /// chord's presses: bit 0 is the last one.
  let first: Int
  /// The greatest number of clicks in a series of each button.
  let clicks: [Int]

  var size: Int { 2 + 3 * rule.buttons.count }

  var ranges: [(number: Int, range: ClosedRange<Int>)] {
    [(first, 0...Phase.second.rawValue), (first + 1, UntrustedNumber.counts)]
      + rule.buttons.indices.flatMap { place in
        [
          (isRecent(place), 0...1), (pressCount(place), UntrustedNumber.counts),
          (parts(place), 0...mask(of: place)),
        ]
      }
  }

  private func isRecent(_ place: Int) -> Int { first + 2 + 3 * place }
  func pressCount(_ place: Int) -> Int { first + 3 + 3 * place }
  private func parts(_ place: Int) -> Int { first + 4 + 3 * place }
  /// The bits of the presses that are remembered: at least the last two.
  private func mask(of place: Int) -> Int { 1 << max(2, clicks[place]) - 1 }

  /// The presses of a button that were parts of the chord's press. Bit 0 is the last press.
  func parts(of button: Int, in frame: PanelFrame) -> Int {
    rule.buttons.firstIndex(of: button).map { frame[derived: parts($0)] } ?? 0
  }

  func follow(_ button: Int, _ word: Int, in frame: inout PanelFrame) -> [PanelEvent] {
    guard let place = rule.buttons.firstIndex(of: button) else { return [] }
    switch word {
    case ButtonEvent.pressed:
      frame[derived: isRecent(place)] = 1
      frame[derived: pressCount(place)] += 1
      frame[derived: parts(place)] = frame[derived: parts(place)] << 1 & mask(of: place)
      guard frame[position: input] == 0, rule.buttons.allSatisfy({ frame[position: $0] == 1 }),
        rule.buttons.indices.allSatisfy({ frame[derived: isRecent($0)] == 1 })
      else { return [] }
      for place in rule.buttons.indices { frame[derived: parts(place)] |= 1 }
      return press(in: &frame)
    case ButtonEvent.released:
      frame[derived: isRecent(place)] = 0
      return frame[position: input] == 1 ? release(in: &frame) : []
    default: return []
    }
  }

  func pass(_ number: Int, entry: Int, in frame: inout PanelFrame) -> [PanelEvent] {
    guard number == 0 else {
      let place = number - 1
      if frame[derived: pressCount(place)] == entry { frame[derived: isRecent(place)] = 0 }
      return []
    }
    guard frame[derived: first + 1] == entry else { return [] }
    switch phase(in: frame) {
    case .down:
      setPhase(.classified, in: &frame)
      return [event(ButtonEvent.held)]
    case .second:
      setPhase(.classified, in: &frame)
      return (rule.emitsClicks ? [event(ButtonEvent.clicked)] : []) + [event(ButtonEvent.held)]
    case .between:
      setPhase(.idle, in: &frame)
      return rule.emitsClicks ? [event(ButtonEvent.clicked)] : []
    case .idle, .classified: return []
    }
  }

  /// The deadline of the gesture.
  func deadline(in frame: PanelFrame) -> Timer<PanelDeadline>.Deadline? {
    let wait: Duration? =
      switch phase(in: frame) {
      case .down, .second: rule.hold
      case .between: rule.doubleClick
      case .idle, .classified: nil
      }
    return wait.map { .after($0, PanelDeadline(owner: .input(input, 0), entry: frame[derived: first + 1])) }
  }

  func windows(in frame: PanelFrame) -> [Timer<PanelDeadline>.Deadline] {
    rule.buttons.indices.filter { frame[derived: isRecent($0)] == 1 }.map { place in
      let id = PanelDeadline(owner: .input(input, 1 + place), entry: frame[derived: pressCount(place)])
      return .after(rule.within, id)
    }
  }

  // MARK: - The gesture

  private func event(_ word: Int) -> PanelEvent { .input(input, word) }
  private func phase(in frame: PanelFrame) -> Phase { Phase(rawValue: frame[derived: first]) ?? .idle }

  private func setPhase(_ phase: Phase, in frame: inout PanelFrame) {
    frame[derived: first] = phase.rawValue
    frame[derived: first + 1] += 1
  }

  func forget(in frame: inout PanelFrame) {
    for place in rule.buttons.indices { frame[derived: isRecent(place)] = 0 }
    switch phase(in: frame) {
    case .down, .second: setPhase(.classified, in: &frame)
    case .between: setPhase(.idle, in: &frame)
    case .idle, .classified: break
    }
  }

  private func press(in frame: inout PanelFrame) -> [PanelEvent] {
    frame[position: input] = 1
    guard phase(in: frame) == .between else {
      setPhase(.down, in: &frame)
      return [event(ButtonEvent.pressed)]
    }
    // A press that may become a hold is not a double click before its release.
    setPhase(rule.hold == nil ? .classified : .second, in: &frame)
    return [event(ButtonEvent.pressed)] + (rule.hold == nil ? [event(ButtonEvent.doubleClicked)] : [])
  }

  private func release(in frame: inout PanelFrame) -> [PanelEvent] {
    frame[position: input] = 0
    let phase = phase(in: frame)
    guard phase == .down else {
      setPhase(.idle, in: &frame)
      return [event(ButtonEvent.released)] + (phase == .second ? [event(ButtonEvent.doubleClicked)] : [])
    }
    setPhase(rule.doubleClick == nil ? .idle : .between, in: &frame)
    return [event(ButtonEvent.released)]
      + (rule.doubleClick == nil && rule.emitsClicks ? [event(ButtonEvent.clicked)] : [])
  }
}
