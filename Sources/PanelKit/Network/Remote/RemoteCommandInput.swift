import CycleCore
import HardwareDrivers
import PanelEngine
import PanelKinds
import PanelLanguage

/// Performs remote commands on a panel. A remote press is an event of the cycle, like one of the real button, with its
/// holds and clicks. So a recording contains it, and a replay repeats it.
///
/// Used on the thread of the cycle, between its turns. No call takes longer than queueing an event.
package final class RemoteCommandInput {
  package enum Event: Equatable, Sendable, Codable {
    /// An event of an input, by its index in ``InputKind/events``.
    case input(Int, event: Int)
    case set(value: Int, to: Int)
    case change(value: Int, by: Int)
    /// An event that the file names, by its index in ``AcceptedCommands/events``.
    case asked(Int)
  }

  /// The driver that emits the events of remote commands.
  package struct InputDriver: Driver {
    package typealias Model = NoModel

    // The name that recordings have.
    package static var recordingName: String { "Hand" }

    private let remote: RemoteCommandInput

    package init(_ remote: RemoteCommandInput) {
      self.remote = remote
    }

    package mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
      remote.context = context
    }
    package mutating func wake(_ wake: Wake) throws(DriverError) { remote.ring() }
    package mutating func stop() { remote.end() }
    package func refusal(of event: Event) -> String? { event.refusal(on: remote.panel) }
  }

  /// The sender that holds a button down. The button is released when the sender disconnects.
  package struct Holder: Hashable, Sendable {
    package var number: Int

    package init(number: Int) {
      self.number = number
    }
  }

  /// A button that is pressed by a remote command, or was pressed and may become a click.
  private struct Press {
    var input: Int
    var gesture: Gesture
    /// nil for a click and a hold, which end by themselves.
    var holder: Holder?
    /// The latest moment of the release.
    var end: Moment
  }

  /// A knob that is being turned.
  private struct Turn {
    var input: Int
    /// The detents that are left.
    var detents: Int
    var next: Moment
  }

  /// The time after which a held button is released automatically, and the longest accepted hold.
  static let longestPress = Duration.seconds(10)
  /// The shortest duration of a click.
  static let shortestClick = Duration.milliseconds(50)
  /// The time from one detent to the next, as in a quick turn by hand.
  static let detent = Duration.milliseconds(5)

  private let panel: PanelDefinition
  private var context: DriverContext<Event>?
  /// At most one for each accepted input.
  private var presses: [Press] = []
  private var turns: [Turn] = []
  /// Returns the panel's current frame.
  package var seen: (() -> PanelFrame)?

  package init(of panel: PanelDefinition) {
    self.panel = panel
  }

  // MARK: - Commands

  /// Performs a command. Its effect is in the frame after the cycle's next turn.
  ///
  /// - Parameters:
  ///   - command: a command that the panel file accepts.
  ///   - holder: the sender of a press. The button is released when the sender disconnects.
  /// - Throws: ``RemoteRefusal`` if the panel can't perform the command now; then nothing has changed.
  package func perform(_ command: RemoteCommand, by holder: Holder) throws(RemoteRefusal) {
    guard let context, let frame = seen?(), !frame.isStopped else {
      throw RemoteRefusal(.stopped, "the panel has stopped; restart it")
    }
    // Room for the events of a command, and of the presses that it ends.
    guard context.room >= Self.mostEvents else {
      throw RemoteRefusal(.busy, "too many requests at the same time; try again")
    }
    let now = context.clock
    switch command {
    case .press(let input):
      // A controller that measures pressure sends many presses. They count as one.
      guard place(ofPress: input, by: holder) == nil else { break }
      try press(input, by: holder, until: now + Self.longestPress, at: now, in: frame)
    case .click(let input):
      let span = max(Self.shortestClick, panel.inputs[input].device.longestDebounce * 2)
      try press(input, by: nil, until: now + span, at: now, in: frame)
    case .hold(let input, let span): try press(input, by: nil, until: now + span, at: now, in: frame)
    case .ask(let event): context.emit(.asked(event), at: now)
    case .skip: break
    case .letGo(let input): if let place = place(ofPress: input, by: holder) { release(place, at: now) }
    case .release(let input):
      guard let place = place(ofPress: input, by: holder) else {
        throw RemoteRefusal(.busy, "\(panel.inputs[input].name) is not pressed from here")
      }
      release(place, at: now)
    case .turn(let input, let detents):
      try check(input, in: frame)
      guard !turns.contains(where: { $0.input == input }) else {
        throw RemoteRefusal(.busy, "\(panel.inputs[input].name) is still turning; ask again")
      }
      turns.append(Turn(input: input, detents: detents, next: now))
    case .set(let value, let number): context.emit(.set(value: value, to: number), at: now)
    case .change(let value, let difference): context.emit(.change(value: value, by: difference), at: now)
    }
    // Set for each command: the alarm makes the cycle apply an emitted event immediately.
    context.setAlarm(now)
  }

  /// The maximum number of events of one turn: a click and a hold for each press, a detent, and the command's own.
  private static let mostEvents = 8

  /// Releases all buttons that a sender holds, after it has disconnected.
  ///
  /// - Returns: the inputs that were pressed.
  @discardableResult
  package func release(allOf holder: Holder) -> [Int] {
    guard let context else { return [] }
    let now = context.clock
    let held = presses.indices.filter { presses[$0].holder == holder && presses[$0].gesture.isPressed }
    for place in held { release(place, at: now) }
    if !held.isEmpty { context.setAlarm(now) }
    return held.map { presses[$0].input }
  }

  private func press(
    _ input: Int, by holder: Holder?, until end: Moment, at now: Moment, in frame: PanelFrame
  ) throws(RemoteRefusal) {
    try check(input, in: frame)
    let place = presses.firstIndex { $0.input == input }
    guard frame[position: input] != 1, place.map({ !presses[$0].gesture.isPressed }) ?? true else {
      throw RemoteRefusal(.busy, "\(panel.inputs[input].name) is pressed already")
    }
    var press =
      place.map { presses[$0] }
      ?? Press(
        input: input,
        gesture: panel.inputs[input].device.gesture ?? Gesture(hold: nil, doubleClick: nil, emitsClicks: false),
        holder: holder, end: end)
    (press.holder, press.end) = (holder, end)
    press.gesture.change(true, at: now, emit: emit(of: input))
    if let place { presses[place] = press } else { presses.append(press) }
  }

  /// The index of a press that has not ended; nil if this holder does not press the input.
  private func place(ofPress input: Int, by holder: Holder) -> Int? {
    presses.firstIndex { $0.input == input && $0.holder == holder && $0.gesture.isPressed }
  }

  /// Throws if the lines of an input are missing.
  private func check(_ input: Int, in frame: PanelFrame) throws(RemoteRefusal) {
    let chip = panel.chipsOfInputs[input]
    guard chip.map({ !frame.isMissing($0) }) ?? true else {
      throw RemoteRefusal(.busy, "the lines of \(panel.inputs[input].name) are missing")
    }
  }

  private func release(_ place: Int, at moment: Moment) {
    presses[place].gesture.change(false, at: moment, emit: emit(of: presses[place].input))
  }

  private func emit(of input: Int) -> Gesture.Emit {
    { [context, panel] event, moment in
      guard let word = panel.inputs[input].device.event(of: event) else { return }
      context?.emit(.input(input, event: word), at: moment)
    }
  }

  // MARK: - Time

  /// Emits the events that are due.
  private func ring() {
    guard let context else { return }
    let now = context.clock
    for place in presses.indices {
      if presses[place].gesture.isPressed, presses[place].end <= now { release(place, at: presses[place].end) }
      presses[place].gesture.settle(by: now, emit: emit(of: presses[place].input))
    }
    presses.removeAll { !$0.gesture.isPressed && $0.gesture.deadline == nil }
    for place in turns.indices where turns[place].next <= now {
      let isClockwise = turns[place].detents > 0
      context.emit(
        .input(turns[place].input, event: isClockwise ? EncoderKind.clockwise : EncoderKind.counterclockwise), at: now)
      turns[place].detents -= isClockwise ? 1 : -1
      turns[place].next = now + Self.detent
    }
    turns.removeAll { $0.detents == 0 }
    var next: Moment?
    func wake(at moment: Moment) { next = min(moment, next ?? moment) }
    for press in presses {
      if press.gesture.isPressed { wake(at: press.end) }
      if let deadline = press.gesture.deadline { wake(at: deadline) }
    }
    for turn in turns { wake(at: turn.next) }
    context.setAlarm(next)
  }

  private func end() {
    context = nil
    presses = []
    turns = []
  }
}

extension RemoteCommandInput.Event {
  /// The reason why a panel can't have accepted the event; nil if its file accepts it.
  func refusal(on panel: PanelDefinition) -> String? {
    // No number of a panel file has more than ten digits.
    let numbers = -9_999_999_999...9_999_999_999
    switch self {
    case .input(let input, let word):
      guard panel.accept.presses.contains(input) || panel.accept.turns.contains(input) else {
        return "no input \(input) is accepted from outside"
      }
      let events = panel.inputs[input].device.events
      return events.indices.contains(word) ? nil : "\(panel.inputs[input].name) has no event \(word)"
    case .set(let value, let number), .change(let value, let number):
      guard panel.accept.values.contains(value) else { return "no value \(value) is accepted from outside" }
      return numbers.contains(number) ? nil : "\(number) is out of range for \(panel.values[value].name)"
    case .asked(let event):
      return panel.accept.events.indices.contains(event) ? nil : "no event \(event) is accepted from outside"
    }
  }

  /// A command that emits this event; nil for an event that follows from a press.
  package func command(in panel: PanelDefinition) -> RemoteCommand? {
    switch self {
    case .set(let value, let number): .set(value: value, to: number)
    case .change(let value, let difference): .change(value: value, by: difference)
    case .asked(let event): .ask(event: event)
    case .input(let input, let word) where panel.accept.turns.contains(input):
      .turn(input, by: word == EncoderKind.clockwise ? 1 : -1)
    case .input(let input, let word):
      switch panel.inputs[input].device.position(after: word) {
      case 1: .press(input)
      case 0: .release(input)
      default: nil
      }
    }
  }
}

extension InputKind {
  /// The index of a button's event in ``events``; nil for one that the input doesn't have.
  fileprivate func event(of event: Button.Event) -> Int? {
    switch event {
    case .pressed: events.indices.first { position(after: $0) == 1 }
    case .released: events.indices.first { position(after: $0) == 0 }
    default: ButtonEvent.place(of: event)
    }
  }
}

extension LensEventFormatter {
  /// Creates the journal of the lens of remote commands.
  package init(ofRemote panel: PanelDefinition, source: PanelTrouble.Source) {
    self.init(source: source)
    text = { event in
      switch event as? RemoteCommandInput.Event {
      case .input(let input, let word): panel.name(of: .input(input, word))
      case .set(let value, let number): "\(panel.values[value].name) set to \(panel.values[value].text(of: number))"
      case .change(let value, let difference):
        "\(panel.values[value].name) set by \(panel.values[value].changeText(of: difference))"
      case .asked(let event): panel.name(of: .asked(event))
      case nil: nil
      }
    }
    isInput = true
  }
}
