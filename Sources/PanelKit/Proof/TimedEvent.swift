import CycleCore
import PanelEngine
import PanelLanguage

/// An event that occurs by itself after its clock has run long enough: a deadline, the end of a sound, a button held
/// down. Some alarms never occur and exist only for their clock.
struct TimedEvent: Equatable {
  enum Source: Equatable {
    case deadline(PanelDeadline)
    /// The button has stayed in its phase for the phase's whole length.
    case gesture(input: Int, ButtonModel.Phase)
    /// The sound ends; `start` counts how often the sound was started.
    case sound(Int, start: Int)
    /// The contact can move again after it has moved into this position.
    case contact(input: Int, position: Int)
    /// The time for which a region's state has been current.
    case age(region: Int, entry: Int)
    /// The contact of a relay in an interlock moves, or its pause is over.
    case relay(output: Int, RelayStep)
  }

  enum RelayStep: Equatable {
    case opens, closes, rests
  }

  /// The cause of the alarm. Its clock restarts when the cause changes.
  var source: Source
  /// The least time after which the alarm occurs, in ticks. For a silent alarm, the greatest number that its clock is
  /// compared with.
  var earliest: Int
  /// The greatest time after which the alarm occurs, in ticks; nil if it need not occur.
  var latest: Int?

  /// Whether the alarm occurs at exactly one time.
  var isExact: Bool { earliest == latest }

  /// Whether the alarm never occurs and exists only for its clock.
  var isSilent: Bool {
    switch source {
    case .contact, .age: true
    case .deadline, .gesture, .sound, .relay: false
    }
  }

  /// The input that emits an event when the alarm occurs; nil if there is none.
  var input: Int? {
    switch source {
    case .gesture(let input, _): input
    case .deadline(let deadline): if case .input(let input, 0) = deadline.owner { input } else { nil }
    case .sound, .contact, .age, .relay: nil
    }
  }

  /// Whether the alarm belongs to a relay. It occurs at its moment, before or after all other alarms of that moment.
  var isOfRelay: Bool { if case .relay = source { true } else { false } }

  /// Whether the alarm can still occur at a moment after the inputs of that moment.
  var isOfDeadlineOrRelay: Bool {
    switch source {
    case .deadline, .relay: true
    case .gesture, .sound, .contact, .age: false
    }
  }

  /// The greatest number that the alarm's clock is compared with.
  var greatest: Int { max(earliest, latest ?? 0) }

  /// The rank among alarms at one moment; lower ranks occur first. The order is: inputs, sounds, deadlines armed
  /// earlier, deadlines armed at this moment.
  private var rank: Int {
    if input != nil { return 0 }
    return switch source {
    case .gesture, .contact, .age, .relay: 0
    case .sound: 1
    case .deadline: earliest > 0 ? 2 : 3
    }
  }

  /// Whether this alarm occurs after another alarm of the same moment.
  ///
  /// - Parameter isBefore: whether the other alarm is before this one in the order of the file.
  func yields(to other: TimedEvent, isBefore: Bool) -> Bool {
    guard other.isExact, !isOfRelay, !other.isOfRelay else { return false }
    if rank == 0 { return isOfDerived && other.isOfDerived && isBefore }
    return other.rank < rank || other.rank == rank && isBefore
  }

  /// Whether the alarm is the event of a derived input.
  private var isOfDerived: Bool { if case .deadline = source { input != nil } else { false } }
}

extension ProofModel {
  /// The alarms that are running or have occurred in a situation. Equal situations have their alarms in the same order.
  func alarms(in situation: Situation) -> [TimedEvent] {
    let (frame, phases) = (situation.frame, situation.phases)
    var alarms: [TimedEvent] = []
    guard situation.violations.isEmpty else { return alarms }
    for input in panel.inputs.indices {
      guard case .button(let button) = inputs[input], let timeout = button.timeout(of: phases[input]) else { continue }
      let span = ticks(timeout.span)
      alarms.append(TimedEvent(source: .gesture(input: input, phases[input]), earliest: span, latest: span))
    }
    for input in exactContacts {
      // A contact that is unknown counts as soon as it is found, and from then on has moved.
      let isUnknown = frame[position: input] == PanelFrame.unknownPosition
      let position = isUnknown ? PanelFrame.unknownPosition : position(of: input, in: situation)
      let settling = isUnknown ? .zero : panel.inputs[input].device.settlingTime(to: 1 - position)
      let source = TimedEvent.Source.contact(input: input, position: position)
      alarms.append(TimedEvent(source: source, earliest: ticks(settling), latest: nil))
    }
    addAges(in: frame, to: &alarms)
    if !frame.isMissing(.audio), !panel.sounds.isEmpty {
      for sound in show.playing(in: frame) where slice.follows(sound: sound) && !frame[ended: sound] {
        guard let length = soundLengths[sound] else { continue }
        alarms.append(TimedEvent(source: .sound(sound, start: frame[start: sound]), earliest: length, latest: nil))
      }
    }
    addRelays(in: frame, to: &alarms)
    for deadline in show.deadlines(in: frame) where slice.follows(deadline.id) {
      alarms.append(alarm(of: deadline))
    }
    return alarms
  }

  /// Adds the next steps of the relays in interlocks that a condition asks for. A relay that is switched on closes
  /// immediately after the others have been open for the pause. A relay that is switched off opens immediately.
  private func addRelays(in frame: PanelFrame, to alarms: inout [TimedEvent]) {
    for interlock in followedInterlocks {
      let contacts = interlock.relays.map { frame[contact: $0] }
      for (place, output) in interlock.relays.enumerated() {
        func add(_ step: TimedEvent.RelayStep, after span: Int = 0) {
          alarms.append(TimedEvent(source: .relay(output: output, step), earliest: span, latest: span))
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

  /// The interlocks that contain a relay whose contact a condition asks for.
  var followedInterlocks: [PanelDefinition.Interlock] {
    slice.asked.contacts.isEmpty
      ? [] : panel.interlocks.filter { $0.relays.contains(where: slice.asked.contacts.contains) }
  }

  /// The position of the relay that opened last. Until the pause is over, only this relay may close.
  static let openedContact = 2
  /// The position of a relay that is open after a loss of its lines. Until the pause is over, none may close.
  static let restingContact = 3

  private func addAges(in frame: PanelFrame, to alarms: inout [TimedEvent]) {
    guard !slice.asked.elapsed.isEmpty else { return }
    for region in panel.regions.indices where frame[state: region] >= 0 {
      guard let cells = ages[frame[state: region]] else { continue }
      let source = TimedEvent.Source.age(region: region, entry: frame[entry: region])
      alarms.append(TimedEvent(source: source, earliest: ticks(milliseconds: cells.greatest), latest: nil))
    }
  }

  private func alarm(of deadline: Timer<PanelDeadline>.Deadline) -> TimedEvent {
    if let (state, index) = deadline.id.ofState, case .drawn(let range, _) = panel.states[state].after[index].delay {
      return TimedEvent(
        source: .deadline(deadline.id), earliest: ticks(milliseconds: range.lowerBound),
        latest: ticks(milliseconds: range.upperBound))
    }
    guard case .after(let span, _) = deadline.time else { preconditionFailure("a panel's deadlines are spans") }
    return TimedEvent(source: .deadline(deadline.id), earliest: ticks(span), latest: ticks(span))
  }

  /// The position of a contact: 1 while it is closed.
  func position(of input: Int, in situation: Situation) -> Int {
    if case .button(let button) = inputs[input] { return button.isDown(situation.phases[input]) ? 1 : 0 }
    return situation.frame[position: input]
  }
}
