import CycleCore
import PanelEngine
import PanelLanguage

/// One possible next step of a panel.
enum Move: Equatable, Sendable {
  /// An event of an input whose events occur independently, and the place in ``InputMoves/events(_:carriers:numbers:)``
  /// of the number that it carries; -1 for an event that carries none.
  case event(input: Int32, Int32, number: Int32)
  /// The contact of an input closes or opens.
  case contact(input: Int32)
  /// A contact that was unknown at the start is found in a position.
  case find(input: Int32, position: Int32)
  /// A sensor reads a number, by its place in ``InputMoves/sensor(_:)``.
  case reading(input: Int32, Int32)
  case loseSensor(input: Int32)
  /// The time of day is not known any more.
  case loseClock
  /// An alarm, by its place in ``ProofModel/alarms(in:)``.
  case alarm(Int32)
  case lose(PluggableHardware)
  case restore(PluggableHardware)
  /// A remote command requests an event, by its place in ``AcceptedCommands/events``.
  case ask(Int32)
  /// A remote command sets a value to a number.
  case set(value: Int32, Int)
  /// Time passes after everything that is due at this moment.
  case pass
  /// The panel starts. The number of the start determines the position of each input.
  case start(Int32)
}

/// A move and its outcome.
struct MadeMove: Equatable, Sendable {
  var move: Move
  /// The number of the combination of the states' ages.
  var age = 0
  /// The number of the random outcome.
  var chance: Int32 = 0
}

extension ProofModel {
  /// The number of inputs that a move counts as. The release of a button counts as a part of its press.
  func cost(of move: Move, in situation: Situation) -> Int32 {
    switch move {
    case .event, .find, .lose, .restore, .reading, .loseSensor, .loseClock, .ask, .set: return 1
    case .contact(let input):
      if case .button(let button) = inputs[Int(input)] {
        return button.isDown(situation.phases[Int(input)]) ? 0 : 1
      }
      return 1
    case .alarm, .pass, .start: return 0
    }
  }

  /// Applies a move once for each random outcome, with the same calls of the rules as the panel's lenses.
  ///
  /// - Parameters:
  ///   - alarms: the alarms of the situation.
  ///   - ages: the ages of the current states of some regions, in milliseconds.
  ///   - body: receives the number of the outcome, the drawn numbers, and the situation after the move; returns whether
  ///     to continue.
  func take(
    _ move: Move, in situation: Situation, _ alarms: [TimedEvent], ages: [(region: Int, age: Int)] = [],
    _ body: (_ number: Int32, _ draws: [Int], _ after: Situation) -> Bool
  ) {
    let outcome = { (draws: [Int]) in
      var after = situation
      for (region, age) in ages {
        after.frame[entered: region] = Int(Self.now.nanoseconds) - age * 1_000_000
      }
      if !draws.isEmpty { after.frame.prescribe(draws: draws) }
      apply(move, to: &after, alarms)
      return after
    }
    forEachChance(outcome, body)
  }

  /// Calls `act` once for each combination of drawn numbers that matter.
  ///
  /// - Parameter act: applies the move with these drawn numbers.
  func forEachChance(
    _ act: (_ draws: [Int]) -> Situation,
    _ body: (_ number: Int32, _ draws: [Int], _ after: Situation) -> Bool
  ) {
    var draws: [Int] = []
    var number: Int32 = 0
    while true {
      log.clear()
      let after = act(draws)
      let drawn = log.chances
      guard drawn.count <= draws.count else {
        draws += drawn[draws.count...].map(\.range.lowerBound)
        continue
      }
      // A draw may depend on the results of earlier ones.
      draws.removeLast(draws.count - drawn.count)
      guard body(number, draws, after) else { return }
      number += 1
      // The next combination: increment the last draw that matters and is not at its maximum; restart the draws after
      // it.
      while let last = draws.last {
        let draw = drawn[draws.count - 1]
        draws.removeLast()
        if case .number(let range, let value) = draw, slice.follows(value: value), last < range.upperBound {
          draws.append(last + 1)
          break
        }
      }
      if draws.isEmpty { return }
    }
  }

  private func apply(_ move: Move, to situation: inout Situation, _ alarms: [TimedEvent]) {
    switch move {
    case .event(let input, let event, let number):
      if number >= 0, case .events(_, _, let numbers) = inputs[Int(input)] {
        rules.note(numbers[Int(number)], of: Int(input), in: &situation.frame)
      }
      setClock(before: Int(event), of: Int(input), in: &situation)
      guard situation.violations.isEmpty else { break }
      react(to: .input(Int(input), Int(event)), in: &situation)
    case .ask(let event): react(to: .asked(Int(event)), in: &situation)
    case .set(let value, let number):
      rules.set(Int(value), to: number, at: Self.now, in: &situation.frame)
    case .reading(let input, let place):
      guard case .sensor(let numbers) = inputs[Int(input)] else { break }
      rules.read(numbers[Int(place)], of: Int(input), at: Self.now, in: &situation.frame)
    case .loseSensor(let input): rules.lose(sensor: Int(input), at: Self.now, in: &situation.frame)
    case .loseClock:
      for period in periods { situation.frame[position: period] = PanelFrame.unknownPosition }
      rules.follow(.unknown, at: Self.now, in: &situation.frame)
    case .contact(let input):
      let input = Int(input)
      switch inputs[input] {
      case .position(let events):
        react(to: .input(input, events[1 - situation.frame[position: input]]), in: &situation)
      case .button(let button): take(button.move(in: situation.phases[input]), of: input, in: &situation)
      case .none, .events, .sensor: break
      }
    case .find(let input, let position):
      let (input, position) = (Int(input), Int(position))
      let device = panel.inputs[input].device
      guard let word = device.events.indices.first(where: { device.position(after: $0) == position }) else { break }
      // The beginning of its press was not seen.
      if case .button = inputs[input] { situation.phases[input] = position == 1 ? .classified : .up }
      rules.find(word, of: input, at: Self.now, in: &situation.frame)
    case .alarm(let place):
      switch alarms[Int(place)].source {
      case .deadline(let deadline): rules.react(to: deadline, at: Self.now, in: &situation.frame)
      case .sound(let sound, _): rules.end(sound: sound, at: Self.now, in: &situation.frame)
      case .gesture(let input, let phase):
        if case .button(let button) = inputs[input], let timeout = button.timeout(of: phase) {
          take(timeout.step, of: input, in: &situation)
        }
      case .relay(let output, let step): take(step, of: output, in: &situation)
      case .contact, .age: break
      }
    case .lose(let hardware), .restore(let hardware):
      let isLost = move == .lose(hardware)
      let source = PanelTrouble.Source(lens: "", hardware: hardware)
      rules.change(source, isMissing: isLost, at: Self.now, in: &situation.frame)
      if isLost, hardware.hasLines { forgetGestures(on: hardware, in: &situation) }
      for interlock in followedInterlocks where hardware == self.hardware(of: interlock) {
        let contact = isLost ? PanelFrame.unknownPosition : Self.restingContact
        rules.move(interlock.relays.map { ($0, contact) }, at: Self.now, in: &situation.frame)
      }
    case .pass, .start: break
    }
    findViolation(in: &situation)
  }

  /// Sets the clock to the time of an alarm before the alarm occurs.
  private func setClock(before event: Int, of input: Int, in situation: inout Situation) {
    guard panel.clockPart(of: input) == .time, event >= ClockDefinition.firstAlarm, let clock = panel.clock,
      slice.asked.readings.contains(input)
    else { return }
    let alarm = clock.alarms[event - ClockDefinition.firstAlarm]
    // A time that may be later occurs at any reading, and so does one of the sun.
    guard alarm.late <= ClockDefinition.usualLateness, let minutes = minutes(of: alarm.time, in: situation.frame),
      situation.frame[reading: input] != minutes
    else { return }
    rules.note(minutes, of: input, in: &situation.frame)
    react(to: .input(input, 0), in: &situation)
  }

  /// The time of an alarm in minutes since midnight; nil if the model does not know it.
  private func minutes(of time: ClockDefinition.Time, in frame: PanelFrame) -> Int? {
    switch time {
    case .fixed(let minutes): return minutes
    case .value(let value, let later):
      guard slice.follows(value: value) && cells?.numbers(of: value) == nil || constants.contains(value) else {
        return nil
      }
      return (frame[value: value] + later) % 1440
    case .sunrise, .sunset: return nil
    }
  }

  private func take(_ step: TimedEvent.RelayStep, of output: Int, in situation: inout Situation) {
    let interlock = panel.interlocks.first { $0.relays.contains(output) }
    switch step {
    case .rests: situation.frame[contact: output] = PanelFrame.openContact
    case .closes: rules.move([(output, PanelFrame.closedContact)], at: Self.now, in: &situation.frame)
    case .opens:
      let isRest = interlock?.isRest ?? false
      let contact =
        interlock?.pause == .zero
        ? PanelFrame.openContact : isRest ? Self.restingContact : Self.openedContact
      rules.move([(output, contact)], at: Self.now, in: &situation.frame)
    }
    // The number of relay steps is not a part of a situation.
    situation.frame.deadlinesAtOnce = 0
  }

  /// The hardware that is lost together with the relays of an interlock.
  private func hardware(of interlock: PanelDefinition.Interlock) -> PluggableHardware {
    panel.hardware(ofChip: panel.chip(of: panel.outputs[interlock.relays[0]].device))
  }

  private func take(_ step: ButtonModel.Step, of input: Int, in situation: inout Situation) {
    situation.phases[input] = step.next
    for event in step.events { react(to: .input(input, event), in: &situation) }
  }

  /// Applies one event and then checks the properties.
  func react(to event: PanelEvent, in situation: inout Situation) {
    guard situation.violations.isEmpty else { return }
    rules.react(to: event, at: Self.now, in: &situation.frame)
    findViolation(in: &situation)
  }

  func findViolation(in situation: inout Situation) {
    guard situation.violations.isEmpty else { return }
    switch situation.frame.stop {
    case .violated(let never, _, _):
      let frame = situation.frame.unstopped
      situation.violations = rules.violated(with: never, in: frame).map { .never($0) } + interlocksViolated(in: frame)
    case .endless(let states): situation.violations = [.endless(states)]
    case .restless(let states): situation.violations = [.circle(states)]
    case .chattering: situation.violations = [.circle([])]
    case nil where panel.interlocks.isEmpty: break
    case nil: situation.violations = interlocksViolated(in: situation.frame)
    }
  }

  /// The interlocks of which more than one relay is switched on.
  private func interlocksViolated(in frame: PanelFrame) -> [Violation] {
    panel.interlocks.indices.filter { place in
      panel.interlocks[place].relays.count { show.appearance(of: $0, in: frame) == .on } > 1
    }.map { .interlock($0) }
  }

  /// Resets the presses of the buttons on a chip that is lost.
  private func forgetGestures(on chip: PluggableHardware, in situation: inout Situation) {
    for input in panel.inputs.indices where chipsOfInputs[input] == chip {
      guard case .button(let button) = inputs[input] else { continue }
      situation.phases[input] = button.phase(afterLossIn: situation.phases[input])
    }
  }
}
