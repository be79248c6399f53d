import PanelEngine
import PanelLanguage

/// The result of a move: a situation and a set of values of its clocks.
struct Successor {
  var situation: Situation
  var zone: Zone
}

/// The moves from one situation, and their results.
///
/// Inputs occur at any moment. Moves at the same moment occur in the order of the rules: inputs, then sounds and chips,
/// then deadlines in the order of the file. After a sound's end or a deadline, the next input occurs at least one tick
/// later.
struct SuccessorGenerator {
  let model: ProofModel
  let situation: Situation
  let alarms: [TimedEvent]

  init(from situation: Situation, in model: ProofModel) {
    self.init(from: situation, model.alarms(in: situation), in: model)
  }

  /// - Parameter alarms: the alarms of the situation.
  init(from situation: Situation, _ alarms: [TimedEvent], in model: ProofModel) {
    self.model = model
    self.situation = situation
    self.alarms = alarms
  }

  /// The situation at the start of a panel: all alarms begin at 0.
  static func start(_ situation: Situation, in model: ProofModel) -> Successor {
    var situation = situation
    let alarms = model.alarms(in: situation)
    situation.clocks = alarms.map { _ in 1 }
    var zone = Zone(clocks: situation.clockCount)
    zone.up()
    bound(&zone, situation, alarms)
    return Successor(situation: situation, zone: zone)
  }

  /// All moves that the clocks allow.
  var moves: [Move] {
    var moves: [Move] = []
    for (place, alarm) in alarms.enumerated() where situation.clocks[place] > 0 && !alarm.isSilent {
      if case .sound = alarm.source, situation.instant == .afterInputs { continue }
      moves.append(.alarm(Int32(place)))
    }
    if situation.instant != .open { moves.append(.pass) }
    guard situation.instant != .afterInputs else { return moves }
    for hardware in model.losable {
      moves.append(situation.frame.isMissing(hardware) ? .restore(hardware) : .lose(hardware))
    }
    for event in model.panel.accept.events.indices where model.slice.events.contains(.asked(event)) {
      moves.append(.ask(Int32(event)))
    }
    if model.canLoseClock(in: situation.frame) { moves.append(.loseClock) }
    for (value, numbers) in model.settable {
      for number in numbers where number != situation.frame[value: value] {
        moves.append(.set(value: Int32(value), number))
      }
    }
    for (number, input) in model.inputs.enumerated() {
      if case .after(let last) = situation.instant, number <= last, model.keepsOrder(number) || model.isDerived(last) {
        continue
      }
      addMoves(of: number, input, to: &moves)
    }
    return moves
  }

  private func addMoves(of number: Int, _ input: InputMoves, to moves: inout [Move]) {
    let (frame, place) = (situation.frame, Int32(number))
    if case .sensor(let numbers) = input {
      let isThere = frame[position: number] == Presence.isThere
      moves += numbers.indices.filter { !isThere || numbers[$0] != frame[reading: number] }
        .map { .reading(input: place, Int32($0)) }
      if frame[position: number] != Presence.isLost, model.losableSensors.contains(number) {
        moves.append(.loseSensor(input: place))
      }
      return
    }
    // A contact can also move while its chip is missing. The devices of a chip return one kind after the other, and the
    // hardware counts as missing until the last one has returned.
    switch input {
    case .none, .sensor: break
    case .events(let events, let carriers, let numbers):
      let isUnknownClock = number == model.followedClock && frame[position: number] == PanelFrame.unknownPosition
      // No time of day occurs on a clock that is unknown.
      for event in events where !isUnknownClock || event < ClockDefinition.firstAlarm {
        guard carriers.contains(event) else {
          moves.append(.event(input: place, Int32(event), number: -1))
          continue
        }
        for number in numbers.indices { moves.append(.event(input: place, Int32(event), number: Int32(number))) }
      }
    case .position(let events):
      let current = frame[position: number]
      if current == PanelFrame.unknownPosition {
        moves += events.indices.map { .find(input: place, position: Int32($0)) }
      } else if events.count == 2 {
        moves.append(.contact(input: place))
      } else {
        moves += events.indices.filter { $0 != current }
          .map { .event(input: place, Int32(events[$0]), number: -1) }
      }
    case .button:
      moves +=
        frame[position: number] == PanelFrame.unknownPosition
        ? [.find(input: place, position: 0), .find(input: place, position: 1)] : [.contact(input: place)]
    }
  }

  /// Whether a move is a deadline that occurs as soon as it is armed.
  func isAtOnce(_ move: Move) -> Bool {
    if case .alarm(let place) = move, case .deadline = alarms[Int(place)].source {
      alarms[Int(place)].latest == 0
    } else {
      false
    }
  }

  /// Calls `body` with the result of a move, once for each of its outcomes.
  ///
  /// - Parameters:
  ///   - zone: the values of the clocks before the move.
  ///   - body: returns whether to continue.
  func take(_ move: Move, from zone: Zone, _ body: (MadeMove, Successor) -> Bool) {
    var before = zone
    allow(move, in: &before)
    guard !before.isEmpty else { return }
    if move == .pass {
      var after = situation
      after.instant = .open
      before.up(byAtLeast: 1)
      Self.bound(&before, after, alarms)
      model.log.clear()
      if !before.isEmpty { _ = body(MadeMove(move: move), Successor(situation: after, zone: before)) }
      return
    }
    ages(at: move).forEach(in: before, self) { number, ages, aged in
      var goesOn = true
      model.take(move, in: situation, alarms, ages: ages) { chance, _, after in
        if let next = successor(move, aged, after) {
          goesOn = body(MadeMove(move: move, age: number, chance: chance), next)
        }
        return goesOn
      }
      return goesOn
    }
  }

  /// The result of a move, with the clocks of its alarms; nil if the clocks do not allow it.
  private func successor(_ move: Move, _ before: Zone, _ situation: Situation) -> Successor? {
    var after = situation
    after.instant = .open
    let alarms = model.alarms(in: after)
    let origins: [Int]
    (after.clocks, origins) = clocks(of: alarms, after: move)
    var zone = Zone(clocks: 0)
    before.carry(origins, into: &zone)
    if comesBeforeDeadlines(move) {
      if let input = orderedInput(of: move) { after.instant = .after(input: input) } else { zone.up() }
    } else if isDue(alarms, after.clocks, in: zone) {
      after.instant = .afterInputs
    } else {
      zone.up(byAtLeast: 1)
    }
    Self.bound(&zone, after, alarms)
    return zone.isEmpty ? nil : Successor(situation: after, zone: zone)
  }

  /// The combinations of the ages that are distinguished at a move.
  func ages(at move: Move) -> StateAgeCombinations {
    StateAgeCombinations(model.ages(in: situation.frame, at: move, alarms), in: situation.frame)
  }

  // MARK: - When a move is possible

  private func allow(_ move: Move, in zone: inout Zone) {
    switch move {
    case .alarm(let place):
      let alarm = alarms[Int(place)]
      zone.constrain(situation.clocks[Int(place)], atLeast: alarm.earliest)
      for (other, rival) in alarms.enumerated() where situation.clocks[other] > 0 && other != Int(place) {
        if alarm.yields(to: rival, isBefore: other < place) {
          zone.constrain(situation.clocks[other], atMost: rival.earliest - 1)
        }
      }
    case .contact(let input):
      for (place, alarm) in alarms.enumerated() where situation.clocks[place] > 0 {
        switch alarm.source {
        // An alarm that is due for the button occurs before the button moves.
        case .gesture(Int(input), _): zone.constrain(situation.clocks[place], atMost: alarm.earliest - 1)
        case .contact(Int(input), _): zone.constrain(situation.clocks[place], atLeast: alarm.earliest)
        default: break
        }
      }
    case .event, .find, .reading, .loseSensor, .loseClock, .lose, .restore, .ask, .set, .pass, .start: break
    }
  }

  /// Whether inputs and deadlines of the same moment can still occur after the move.
  private func comesBeforeDeadlines(_ move: Move) -> Bool {
    switch move {
    case .event, .contact, .find, .reading, .loseSensor, .loseClock, .ask, .set: true
    case .alarm(let place): alarms[Int(place)].input != nil || alarms[Int(place)].isOfRelay
    case .lose, .restore, .pass, .start: false
    }
  }

  /// The input of a move that must keep the order of the file within a moment; nil for other moves.
  private func orderedInput(of move: Move) -> Int? {
    switch move {
    case .event(let input, _, _), .contact(let input), .find(let input, _):
      model.keepsOrder(Int(input)) ? Int(input) : nil
    case .alarm(let place):
      alarms[Int(place)].input.flatMap { model.keepsOrder($0) || model.isDerived($0) ? $0 : nil }
    case .reading, .loseSensor, .loseClock, .lose, .restore, .ask, .set, .pass, .start: nil
    }
  }

  // MARK: - Clocks

  /// The clocks of the alarms after a move. An alarm that was running before keeps its clock; the new ones share one
  /// new clock.
  ///
  /// - Returns: the clock of each alarm, 0 for one that has occurred; and the previous clock of each clock, 0 for the
  ///   new one.
  func clocks(of alarms: [TimedEvent], after move: Move) -> (clocks: [Int], origins: [Int]) {
    let fired: Int? = if case .alarm(let place) = move { Int(place) } else { nil }
    var origins: [Int] = []
    let clocks = alarms.map { alarm in
      var origin = 0
      if let place = self.alarms.firstIndex(where: { $0.source == alarm.source }) {
        guard place != fired, situation.clocks[place] > 0 else { return 0 }
        origin = situation.clocks[place]
      }
      if let known = origins.firstIndex(of: origin) { return known + 1 }
      origins.append(origin)
      return origins.count
    }
    return (clocks, origins)
  }

  private func isDue(_ alarms: [TimedEvent], _ clocks: [Int], in zone: Zone) -> Bool {
    alarms.indices.contains { place in
      if alarms[place].isOfDeadlineOrRelay, alarms[place].input == nil, clocks[place] > 0 {
        return zone.bound(clocks[place], 0) >= alarms[place].earliest
      }
      return false
    }
  }

  /// Limits the time to the next alarm that must occur, and drops clock values that no longer matter.
  private static func bound(_ zone: inout Zone, _ situation: Situation, _ alarms: [TimedEvent]) {
    var greatest = [Int](repeating: 0, count: zone.size - 1)
    for (place, alarm) in alarms.enumerated() where situation.clocks[place] > 0 {
      let clock = situation.clocks[place]
      if let latest = alarm.latest { zone.constrain(clock, atMost: latest) }
      greatest[clock - 1] = max(greatest[clock - 1], alarm.greatest)
    }
    if !zone.isEmpty { zone.forgetBeyond(greatest) }
  }
}
