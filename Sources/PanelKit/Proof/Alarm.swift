import CycleCore

/// Something that comes by itself when a clock has run for long enough: a deadline, the end of a sound, a button that has been down
/// for long. Some come never, and are there for their clock.
struct Alarm: Equatable {
  enum Source: Equatable {
    case deadline(PanelDeadline)
    /// The button has been in its phase for as long as that lasts.
    case gesture(input: Int, ButtonModel.Phase)
    /// A sound that was started so often.
    case sound(Int, start: Int)
    /// A contact can move again; it has moved into this position.
    case contact(input: Int, position: Int)
    /// How long a region's state has been current.
    case age(region: Int, entry: Int)
  }

  /// What begins the clock anew when it changes.
  var source: Source
  /// In ticks, the least time after which it comes; for one that never comes the greatest number that its clock is compared with.
  var earliest: Int
  /// The time after which it comes at the latest; nil if it need not come at all.
  var latest: Int?

  /// Whether it comes exactly at one time.
  var isExact: Bool { earliest == latest }

  /// Whether it is only there for its clock.
  var isSilent: Bool {
    switch source {
    case .contact, .age: true
    case .deadline, .gesture, .sound: false
    }
  }

  /// The input that tells something when it comes; nil if none does.
  var input: Int? {
    switch source {
    case .gesture(let input, _): input
    case .deadline(let deadline): if case .input(let input, 0) = deadline.owner { input } else { nil }
    case .sound, .contact, .age: nil
    }
  }

  /// The greatest number that its clock is compared with.
  var greatest: Int { max(earliest, latest ?? 0) }

  /// Of alarms at one moment, those of lower ranks come first: what inputs tell, what sounds tell, deadlines that were armed earlier,
  /// deadlines that were armed just now.
  private var rank: Int {
    if input != nil { return 0 }
    return switch source {
    case .gesture, .contact, .age: 0
    case .sound: 1
    case .deadline: earliest > 0 ? 2 : 3
    }
  }

  /// Of two alarms at one moment, whether this one comes after the other.
  ///
  /// - Parameter isBefore: whether the other is before this one in the order of the file.
  func yields(to other: Alarm, isBefore: Bool) -> Bool {
    guard other.isExact else { return false }
    if rank == 0 { return isOfDerived && other.isOfDerived && isBefore }
    return other.rank < rank || other.rank == rank && isBefore
  }

  /// Whether an input that follows from others tells something when it comes.
  private var isOfDerived: Bool { if case .deadline = source { input != nil } else { false } }
}

extension ProofModel {
  /// The alarms that run or have come in a situation; their order is the same whenever the situation is.
  func alarms(in situation: Situation) -> [Alarm] {
    let (frame, phases) = (situation.frame, situation.phases)
    var alarms: [Alarm] = []
    guard situation.violations.isEmpty else { return alarms }
    for input in panel.inputs.indices {
      guard case .button(let button) = inputs[input], let timeout = button.timeout(of: phases[input]) else { continue }
      let span = ticks(timeout.span)
      alarms.append(Alarm(source: .gesture(input: input, phases[input]), earliest: span, latest: span))
    }
    for input in exactContacts {
      let source = Alarm.Source.contact(input: input, position: position(of: input, in: situation))
      alarms.append(Alarm(source: source, earliest: ticks(panel.inputs[input].device.debounce), latest: nil))
    }
    addAges(in: frame, to: &alarms)
    if !frame.isMissing(.audio), !panel.sounds.isEmpty {
      for sound in show.playing(in: frame) where slice.follows(sound: sound) && !frame[ended: sound] {
        guard let length = soundLengths[sound] else { continue }
        alarms.append(Alarm(source: .sound(sound, start: frame[start: sound]), earliest: length, latest: nil))
      }
    }
    for deadline in show.deadlines(in: frame) where slice.follows(deadline.id) {
      alarms.append(alarm(of: deadline))
    }
    return alarms
  }

  private func addAges(in frame: PanelFrame, to alarms: inout [Alarm]) {
    guard !slice.asked.elapsed.isEmpty else { return }
    for region in panel.regions.indices where frame[state: region] >= 0 {
      guard let cells = ages[frame[state: region]] else { continue }
      let source = Alarm.Source.age(region: region, entry: frame[entry: region])
      alarms.append(Alarm(source: source, earliest: ticks(milliseconds: cells.greatest), latest: nil))
    }
  }

  private func alarm(of deadline: Timer<PanelDeadline>.Deadline) -> Alarm {
    if let (state, index) = deadline.id.ofState, case .drawn(let range, _) = panel.states[state].after[index].delay {
      return Alarm(
        source: .deadline(deadline.id), earliest: ticks(milliseconds: range.lowerBound),
        latest: ticks(milliseconds: range.upperBound))
    }
    guard case .after(let span, _) = deadline.time else { preconditionFailure("a panel's deadlines are spans") }
    return Alarm(source: .deadline(deadline.id), earliest: ticks(span), latest: ticks(span))
  }

  /// The position of a contact: 1 while it is closed.
  func position(of input: Int, in situation: Situation) -> Int {
    if case .button(let button) = inputs[input] { return button.isDown(situation.phases[input]) ? 1 : 0 }
    return situation.frame[position: input]
  }
}
