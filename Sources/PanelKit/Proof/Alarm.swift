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
    /// The contact of a relay in an interlock moves, or its pause is over.
    case relay(output: Int, RelayStep)
  }

  enum RelayStep: Equatable {
    case opens, closes, rests
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
    case .deadline, .gesture, .sound, .relay: false
    }
  }

  /// The input that tells something when it comes; nil if none does.
  var input: Int? {
    switch source {
    case .gesture(let input, _): input
    case .deadline(let deadline): if case .input(let input, 0) = deadline.owner { input } else { nil }
    case .sound, .contact, .age, .relay: nil
    }
  }

  /// Whether it is a relay's. It comes at its moment, before or behind all others of that moment.
  var isOfRelay: Bool { if case .relay = source { true } else { false } }

  /// Whether it is one of those that can still come at a moment behind inputs.
  var isOfDeadlineOrRelay: Bool {
    switch source {
    case .deadline, .relay: true
    case .gesture, .sound, .contact, .age: false
    }
  }

  /// The greatest number that its clock is compared with.
  var greatest: Int { max(earliest, latest ?? 0) }

  /// Of alarms at one moment, those of lower ranks come first: what inputs tell, what sounds tell, deadlines that were armed earlier,
  /// deadlines that were armed just now.
  private var rank: Int {
    if input != nil { return 0 }
    return switch source {
    case .gesture, .contact, .age, .relay: 0
    case .sound: 1
    case .deadline: earliest > 0 ? 2 : 3
    }
  }

  /// Of two alarms at one moment, whether this one comes after the other.
  ///
  /// - Parameter isBefore: whether the other is before this one in the order of the file.
  func yields(to other: Alarm, isBefore: Bool) -> Bool {
    guard other.isExact, !isOfRelay, !other.isOfRelay else { return false }
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
    addRelays(in: frame, to: &alarms)
    for deadline in show.deadlines(in: frame) where slice.follows(deadline.id) {
      alarms.append(alarm(of: deadline))
    }
    return alarms
  }

  /// What the relays of interlocks do whose contacts are asked for. One that is asked for closes at once when the others have been
  /// open for the pause, and one that isn't opens at once.
  private func addRelays(in frame: PanelFrame, to alarms: inout [Alarm]) {
    for interlock in followedInterlocks {
      let contacts = interlock.relays.map { frame[contact: $0] }
      for (place, output) in interlock.relays.enumerated() {
        func add(_ step: Alarm.RelayStep, after span: Int = 0) {
          alarms.append(Alarm(source: .relay(output: output, step), earliest: span, latest: span))
        }
        let isAsked = show.appearance(of: output, in: frame) == .on
        switch contacts[place] {
        case PanelFrame.unknownPosition: break
        case PanelFrame.closedContact: if !isAsked { add(.opens) }
        default:
          if contacts[place] != PanelFrame.openContact { add(.rests, after: ticks(interlock.pause)) }
          let othersRest = contacts.indices.allSatisfy { $0 == place || contacts[$0] == PanelFrame.openContact }
          if isAsked, othersRest, contacts[place] != Self.restingContact { add(.closes) }
        }
      }
    }
  }

  /// The interlocks of which a relay's contact is asked for.
  var followedInterlocks: [PanelDefinition.Interlock] {
    slice.asked.contacts.isEmpty
      ? [] : panel.interlocks.filter { $0.relays.contains(where: slice.asked.contacts.contains) }
  }

  /// Of a relay that is open and was closed last: until the pause is over only it may close.
  static let openedContact = 2
  /// Of a relay that is open after a loss of its lines: until the pause is over none may close.
  static let restingContact = 3

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
