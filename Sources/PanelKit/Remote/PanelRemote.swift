import CycleCore
import HardwareDrivers

/// Does to a panel what is asked for from outside: a press is an event of the cycle, as one of the real button is, with its holds
/// and clicks; so a film has it, and replays it.
///
/// Used on the thread of the cycle, between its turns. Nothing takes longer than a queued event.
final class PanelRemote {
  enum Event: Equatable, Sendable, Codable {
    /// An event of an input, by its place in ``InputKind/events``.
    case input(Int, event: Int)
    case set(value: Int, to: Int)
    case change(value: Int, by: Int)
    /// Something that the file names, by its place in ``Acceptance/events``.
    case asked(Int)
  }

  /// The driver that tells the panel.
  struct Hand: Driver {
    typealias Model = NoModel

    private let remote: PanelRemote

    init(_ remote: PanelRemote) {
      self.remote = remote
    }

    mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
      remote.context = context
    }
    mutating func wake(_ wake: Wake) throws(DriverError) { remote.ring() }
    mutating func stop() { remote.end() }
    func refusal(of event: Event) -> String? { event.refusal(on: remote.panel) }
  }

  /// Who holds a button down, so that it is released when that one goes.
  struct Holder: Hashable, Sendable {
    var number: Int
  }

  /// A button that is pressed from outside, or was and may become a click.
  private struct Press {
    var input: Int
    var gesture: Gesture
    /// nil for a click and a hold, which end by themselves.
    var holder: Holder?
    /// When it is released at the latest.
    var end: Moment
  }

  /// A knob that is being turned.
  private struct Turn {
    var input: Int
    /// The detents that are left.
    var detents: Int
    var next: Moment
  }

  /// How long a button stays pressed that nobody releases, and how long it can be held at most.
  static let longestPress = Duration.seconds(10)
  /// How long a click is at least.
  static let shortestClick = Duration.milliseconds(50)
  /// The time from one detent to the next: a quick hand's.
  static let detent = Duration.milliseconds(5)

  private let panel: PanelDefinition
  private var context: DriverContext<Event>?
  /// At most one for each accepted input.
  private var presses: [Press] = []
  private var turns: [Turn] = []
  /// The panel's current frame.
  var seen: (() -> PanelFrame)?

  init(of panel: PanelDefinition) {
    self.panel = panel
  }

  // MARK: - Commands

  /// Does what a command says. What comes of it is in the frame after the cycle's next turn.
  ///
  /// - Parameters:
  ///   - command: accepted by the panel file.
  ///   - holder: who presses; what it holds is released when it goes.
  /// - Throws: ``RemoteRefusal`` if the panel can't now; then nothing is done.
  func perform(_ command: RemoteCommand, by holder: Holder) throws(RemoteRefusal) {
    guard let context, let frame = seen?(), !frame.isStopped else {
      throw RemoteRefusal(.stopped, "the panel has stopped; restart it")
    }
    // The events of a command, and of what it may end.
    guard context.room >= Self.mostEvents else {
      throw RemoteRefusal(.busy, "too many requests at the same time; try again")
    }
    let now = context.clock
    switch command {
    case .press(let input):
      // A controller that measures how hard its button is pressed sends many: they are one press.
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
    // Also where nothing is to be done later: it has the event applied at once.
    context.setAlarm(now)
  }

  /// The most events of one turn: a click and a hold for each press, a detent, and the command's own.
  private static let mostEvents = 8

  /// Somebody has gone: releases what it holds.
  ///
  /// - Returns: the inputs that were pressed.
  @discardableResult
  func release(allOf holder: Holder) -> [Int] {
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

  /// The place of a press that lasts; nil if the input is not pressed by this holder.
  private func place(ofPress input: Int, by holder: Holder) -> Int? {
    presses.firstIndex { $0.input == input && $0.holder == holder && $0.gesture.isPressed }
  }

  /// Refuses an input whose lines are missing.
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

  /// Does what is due.
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

extension PanelRemote.Event {
  /// Why nobody can have asked a panel for it; nil if its file accepts it.
  func refusal(on panel: PanelDefinition) -> String? {
    // No number of a panel file has more digits.
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
      return numbers.contains(number) ? nil : "\(number) is no number for \(panel.values[value].name)"
    case .asked(let event):
      return panel.accept.events.indices.contains(event) ? nil : "no event \(event) is accepted from outside"
    }
  }

  /// The command that it can have come of; nil for what follows from a press.
  func command(in panel: PanelDefinition) -> RemoteCommand? {
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
  /// The place of a button's event in ``events``; nil for one that the input doesn't have.
  fileprivate func event(of event: Button.Event) -> Int? {
    switch event {
    case .pressed: events.indices.first { position(after: $0) == 1 }
    case .released: events.indices.first { position(after: $0) == 0 }
    case .held: ButtonKind.held
    case .clicked: ButtonKind.clicked
    case .doubleClicked: ButtonKind.doubleClicked
    case .edgesLost: nil
    }
  }
}

extension LensJournal {
  /// Of the lens of what is done from outside.
  init(ofRemote panel: PanelDefinition, source: PanelTrouble.Source) {
    self.init(source: source)
    text = { event in
      switch event as? PanelRemote.Event {
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
