import PanelLanguage

/// The order of events as a list of differences: `moment[to] - moment[from] >= least`, in ticks. Event 0 is the start,
/// at moment 0.
struct DifferenceConstraints {
  private struct Difference {
    var from: Int
    var to: Int
    var least: Int
    /// Whether the difference must be greater than `least`.
    var isStrict = false
    /// Whether the difference is the length of a sound, which may end later.
    var isSound = false
    /// The amount by which `least` may be reduced if nothing else fits. It separates the actions of one person.
    var slack = 0
  }

  private let model: ProofModel
  private var differences: [Difference] = []
  private var count = 1
  private var previousNumber = 0
  private var previousRank = 0
  /// The event at which each running alarm began.
  private var armed: [(source: TimedEvent.Source, event: Int)] = []
  /// The last event of each contact, and the time after which the contact's next event can begin.
  private var contacts: [Int: (event: Int, rest: Int)] = [:]
  /// The event of the last knob that was turned, and the time after it for which the hands are busy.
  private var busy: (event: Int, rest: Int)?
  /// The last event that a hand caused.
  private var lastHand = 0

  init(_ model: ProofModel) {
    self.model = model
  }

  /// Adds the start, after which these alarms run.
  mutating func begin(_ alarms: [TimedEvent]) {
    armed = alarms.map { ($0.source, 0) }
  }

  /// Adds the next event.
  ///
  /// - Parameters:
  ///   - hand: the action that causes the event.
  ///   - before: the situation before the event.
  ///   - alarms: the alarms of that situation.
  ///   - ages: the bounds of the ages of current states.
  ///   - after: the alarms that run after the event.
  mutating func add(
    _ move: Move, _ hand: Stimulus?, in before: Situation, _ alarms: [TimedEvent],
    ages: [(region: Int, least: Int, most: Int?)], to after: [TimedEvent]
  ) {
    let event = count
    count += 1
    // The event of a relay occurs at the moment of its cause, wherever that is in the order.
    let isOfRelay = if case .alarm(let place) = move { alarms[Int(place)].isOfRelay } else { false }
    let (rank, number) = isOfRelay ? (previousRank, previousNumber) : order(of: move, alarms)
    let isBehind = rank < previousRank || rank == 0 && previousRank == 0 && number < previousNumber
    require(event, after: event - 1, atLeast: 0, isStrict: isBehind)
    addAlarms(move, hand, in: before, alarms, ages: ages.map { ($0.region, $0.least * model.tick / 1_000_000) }, event)
    for (region, least, most) in ages {
      let place = alarms.firstIndex { if case .age(region, _) = $0.source { true } else { false } }
      guard let start = place.map({ armed[$0].event }) else { continue }
      require(event, after: start, atLeast: least)
      if let most { require(start, after: event, atLeast: -most) }
    }
    if let hand { add(hand, event) }
    let fired: Int? = if case .alarm(let place) = move { Int(place) } else { nil }
    armed = after.map { alarm in
      let kept = alarms.firstIndex { $0.source == alarm.source }
      return (alarm.source, kept.flatMap { $0 == fired ? nil : armed[$0].event } ?? event)
    }
    (previousRank, previousNumber) = (rank, number)
  }

  private mutating func addAlarms(
    _ move: Move, _ hand: Stimulus?, in before: Situation, _ alarms: [TimedEvent], ages: [(region: Int, age: Int)],
    _ event: Int
  ) {
    let isImmediate = hand?.isImmediate ?? false
    for (place, alarm) in alarms.enumerated() where before.clocks[place] > 0 && !alarm.isSilent {
      let start = armed[place].event
      if move == .alarm(Int32(place)) {
        require(event, after: start, atLeast: alarm.earliest, isSound: alarm.latest == nil)
        if let latest = alarm.latest { require(start, after: event, atLeast: -latest) }
        continue
      }
      guard let latest = alarm.latest, !hasNoEffect(place, in: before, alarms, ages: ages) else { continue }
      var mustComeFirst = false
      if case .alarm(let fired) = move {
        mustComeFirst = alarms[Int(fired)].yields(to: alarm, isBefore: place < Int(fired))
      } else if case .gesture(let input, _) = alarm.source, move == .contact(input: Int32(input)) {
        mustComeFirst = true
      }
      // An immediate action of a scenario occurs after the alarms that are due at that moment.
      require(start, after: event, atLeast: -latest, isStrict: mustComeFirst || isImmediate)
    }
  }

  /// Whether an alarm only checks the `when` of a state, and none fires then. Such an alarm can as well occur before an
  /// event that is in the path without it.
  ///
  /// - Parameter ages: the ages of states at the event, in milliseconds.
  private func hasNoEffect(
    _ place: Int, in before: Situation, _ alarms: [TimedEvent], ages: [(region: Int, age: Int)]
  ) -> Bool {
    guard case .deadline(let deadline) = alarms[place].source, let (state, index) = deadline.ofState,
      model.panel.states[state].after[index].isCheck
    else { return false }
    var hasEffect = false
    model.take(.alarm(Int32(place)), in: before, alarms, ages: ages) { _, _, after in
      hasEffect = hasEffect || !model.log.taken.isEmpty || !after.violations.isEmpty
      return !hasEffect
    }
    return !hasEffect
  }

  private mutating func require(
    _ event: Int, after earlier: Int, atLeast least: Int, isStrict: Bool = false, isSound: Bool = false, slack: Int = 0
  ) {
    differences.append(
      Difference(from: earlier, to: event, least: least, isStrict: isStrict, isSound: isSound, slack: slack))
  }

  // MARK: - Hands

  private mutating func add(_ hand: Stimulus, _ event: Int) {
    let millisecond = model.ticks(milliseconds: 1)
    // No hand moves before the start.
    require(event, after: 0, atLeast: hand.lead)
    if let last = contacts[hand.input] {
      require(event, after: last.event, atLeast: last.rest + hand.lead, slack: millisecond)
    }
    contacts[hand.input] = (event, hand.rest)
    if let busy { require(event, after: busy.event, atLeast: busy.rest + hand.lead) }
    if case .turn = hand.action {
      require(event, after: lastHand, atLeast: hand.lead)
      busy = (event, hand.rest)
    }
    lastHand = event
  }

  /// The position of a move among those of one moment: inputs by their numbers, then sounds and chips, then deadlines.
  private func order(of move: Move, _ alarms: [TimedEvent]) -> (rank: Int, number: Int) {
    switch move {
    case .event(let input, _, _), .contact(let input), .find(let input, _), .reading(let input, _),
      .loseSensor(let input):
      return (0, Int(input))
    case .loseClock: return (0, model.followedClock ?? 0)
    case .ask, .set: return (0, model.panel.inputs.count)
    case .lose, .restore: return (1, 0)
    case .alarm(let place):
      let alarm = alarms[Int(place)]
      if let input = alarm.input { return (0, input) }
      if case .sound = alarm.source { return (1, 0) }
      return (2, 0)
    case .pass, .start: return (0, 0)
    }
  }

  // MARK: - Moments

  /// The earliest moments that satisfy all differences, in nanoseconds; nil if there are none.
  var moments: [Int]? { moments(withSoundsLaterBy: 0) }

  /// Whether the end of a sound is among the events.
  var hasSounds: Bool { differences.contains { $0.isSound } }

  /// - Parameter delay: the delay after a sound's length at which it ends, in ticks.
  func moments(withSoundsLaterBy delay: Int) -> [Int]? {
    // Events that must occur later are a whole unit apart, if that is possible.
    for (strict, hasSlack) in [
      (ProofModel.ticksPerUnit, false), (1, false), (ProofModel.ticksPerUnit, true), (1, true),
    ] {
      if let moments = moments(laterBy: strict, hasSlack: hasSlack, soundsLaterBy: delay) {
        return moments.map { $0 * model.tick }
      }
    }
    return nil
  }

  /// The moments in ticks: the longest paths from the start (Bellman and Ford).
  ///
  /// - Parameter strict: the ticks by which an event is later that must not occur at the same moment.
  private func moments(laterBy strict: Int, hasSlack: Bool, soundsLaterBy delay: Int) -> [Int]? {
    var moments = [Int](repeating: 0, count: count)
    for _ in 0...count {
      var isChanged = false
      for difference in differences {
        let span = difference.least - (hasSlack ? difference.slack : 0) + (difference.isSound ? delay : 0)
        let least = span + (difference.isStrict ? strict : 0)
        guard moments[difference.to] < moments[difference.from] + least else { continue }
        guard difference.to != 0 else { return nil }
        moments[difference.to] = moments[difference.from] + least
        isChanged = true
      }
      if !isChanged { return moments }
    }
    return nil
  }

}
