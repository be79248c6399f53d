import CycleCore

/// Several relays of which at most one is closed: the two directions of a motor, the feeds of a load.
///
/// A relay closes only when the one before it has been open for a pause. During the pause only the newest request is
/// kept. If several are requested at the same time, the one that is closed stays closed; if none is, the first one
/// closes.
///
/// **Wiring.** Each relay as a ``Relay``. This doesn't replace an interlock in hardware, by the relays' own contacts.
/// It has no effect while the board boots, while another program has the lines, or when a contact is welded.
///
/// **Timing.** The pause is the time that contacts and motors need to stop. It is also kept after lost lines have been
/// requested again, because any relay may have been closed in between. The start has no pause: a load that was driven
/// before had no power while the program started. A program that was killed has left its relay closed on a Raspberry
/// Pi: run `panel safe` before the next start. The relay that was closed last closes again without a pause, unless
/// ``Settings/alwaysPauses``.
///
/// The contacts can differ from the model. With ``Settings/emitsContacts`` each change of the contacts is emitted. An
/// application can count the travel of a motor from these events.
///
///     Lens(
///       Interlock([Relay(chip, line: "GPIO24"), Relay(chip, line: "GPIO25")]),
///       show: { $0.isRising ? .first(1) : [] })
public struct Interlock: LineDevice, AlarmReceiver, StepTaker {
  public struct Settings: Equatable, Sendable {
    /// The time for which all relays are open before another one closes; negative means zero. Half a second lets a
    /// small motor stop.
    public var pause: Duration
    /// Whether ``Event/contacts(closed:)`` is emitted. The default is false, because most applications need only their
    /// model.
    public var emitsContacts: Bool
    /// Whether the pause is also kept before the relay that was closed last closes again. The default is false. A
    /// compressor needs it, which must not start against its own pressure.
    public var alwaysPauses: Bool

    public init(pause: Duration = .milliseconds(500), emitsContacts: Bool = false, alwaysPauses: Bool = false) {
      (self.pause, self.emitsContacts, self.alwaysPauses) = (pause, emitsContacts, alwaysPauses)
    }
  }

  /// The relays that are requested: bit n is relay n. Bits without a relay are ignored.
  public typealias Model = LineValues

  public enum Event: Equatable, Sendable, Codable {
    /// These relays were requested together, and `kept` is the one that is closed or may close.
    case askedTogether(LineValues, kept: Int)
    /// This relay is closed from now on, or none is: the write was done. Emitted at each change, and first at the start
    /// and when lost lines are back.
    case contacts(closed: Int?)
  }

  /// The known state of the relays' contacts.
  private enum Contacts: Equatable {
    /// Any of them may be closed, or may have been a moment ago.
    case unknown
    case closed(Int)
    /// All are open; until this moment of the loop's clock only the relay that was closed last may close.
    case pausing(until: Moment, last: Int?)
    /// All are open, and any of them may close.
    case open
  }

  private let relays: [Relay]
  private let pause: Duration
  private let emitsContacts: Bool
  private let alwaysPauses: Bool
  /// The relay that was emitted last as closed, if any; nil if the contacts must be emitted again.
  private var emitted: Int?? = nil
  /// The moment at which the last model was applied.
  private var renderedAt = Moment.zero
  private var asked: LineValues = []
  private var contacts = Contacts.unknown
  /// Whether a relay may have been closed a moment ago without the knowledge of this device: lines were lost, or a
  /// write failed.
  private var mayHaveOpened = false
  /// The values of the step that is being done.
  private var row: LineValues = []
  /// The moment at which several relays were requested together; nil after it was emitted.
  private var conflict: Moment?

  /// The known state of the relays before the start.
  public enum Beginning: Equatable, Sendable {
    /// The load had no power while the program started.
    case rested
    /// Another application has just had the lines, which stay requested. This relay is closed; with nil none is, and
    /// one may have been closed a moment ago.
    case handedOver(closed: Int?)
  }

  /// - Parameters:
  ///   - relays: 1 to 64, all on one chip.
  ///   - settings: everything that has a default.
  ///   - beginning: the known state of the relays before the start.
  public init(_ relays: [Relay], settings: Settings = Settings(), beginning: Beginning = .rested) {
    precondition((1...64).contains(relays.count), "an interlock has 1 to 64 relays, not \(relays.count)")
    self.relays = relays
    pause = max(settings.pause, .zero)
    emitsContacts = settings.emitsContacts
    alwaysPauses = settings.alwaysPauses
    if case .handedOver(let closed) = beginning {
      mayHaveOpened = closed == nil
      if let closed { contacts = .closed(closed) }
    }
  }

  public func refusal(of event: Event) -> String? {
    let isKnown =
      switch event {
      case .askedTogether(let asked, let kept):
        asked.isSubset(of: .first(relays.count)) && relays.indices.contains(kept)
      case .contacts(let closed): closed.map { relays.indices.contains($0) } ?? true
      }
    return isKnown ? nil : "there is no such relay; relays are 0 to \(relays.count - 1)"
  }

  public var chip: any GPIOChip { relays[0].chip }
  public var safeModel: LineValues { [] }
  /// All relays are open when the lines are requested, except one that is known to be closed.
  public var lines: [LineConfiguration] {
    var lines = relays.flatMap(\.lines)
    if case .closed(let relay) = contacts, case .output(_, let drive, let bias) = lines[relay].direction {
      lines[relay].direction = .output(.active, drive, bias)
    }
    return lines
  }

  public mutating func loseLines() {
    contacts = .unknown
    mayHaveOpened = true
    emitted = nil
  }

  public mutating func render(_ model: LineValues, at moment: Moment) {
    let asked = model.intersection(.first(relays.count))
    if asked != self.asked { conflict = asked.rawValue.nonzeroBitCount > 1 ? moment : nil }
    self.asked = asked
    renderedAt = moment
    endPause(at: moment)
  }

  /// Whether the state of the contacts differs from the one that was emitted last.
  private var mustEmit: Bool {
    guard emitsContacts, contacts != .unknown else { return false }
    return emitted != .some(closed)
  }

  /// The relay that is closed; nil if none is.
  private var closed: Int? { if case .closed(let relay) = contacts { relay } else { nil } }

  private mutating func emitContacts(at moment: Moment, _ emit: Emit) {
    guard mustEmit else { return }
    emitted = .some(closed)
    emit(.contacts(closed: closed), moment)
  }

  /// The relay that should be closed, now or after the pause.
  private var wanted: Int? {
    if case .closed(let relay) = contacts, asked[relay].isActive { return relay }
    return asked.isEmpty ? nil : asked.rawValue.trailingZeroBitCount
  }

  public var outputs: LineValues {
    guard let wanted else { return [] }
    let mayClose =
      switch contacts {
      case .unknown: false
      case .closed(let relay): relay == wanted
      case .pausing(_, let last): last == wanted
      case .open: true
      }
    return mayClose ? only(wanted) : []
  }

  private func only(_ relay: Int) -> LineValues { LineValues(rawValue: 1 << UInt64(relay)) }

  // A step, not a plain write: the device learns when it was done, and whether it failed.
  public mutating func addSteps(to steps: inout LineSteps) {
    let written: LineValues? =
      switch contacts {
      case .unknown: nil
      case .closed(let relay): only(relay)
      case .pausing, .open: []
      }
    guard written != outputs else { return }
    row = outputs
    steps.write(row)
  }

  public mutating func finishSteps(at clock: Moment, emit: Emit) {
    defer { emitContacts(at: clock, emit) }
    guard row.isEmpty else {
      contacts = .closed(row.rawValue.trailingZeroBitCount)
      return
    }
    switch contacts {
    case .closed(let relay) where pause > .zero:
      contacts = .pausing(until: clock + pause, last: alwaysPauses ? nil : relay)
    case .unknown where pause > .zero && mayHaveOpened: contacts = .pausing(until: clock + pause, last: nil)
    case .closed, .unknown, .pausing, .open: contacts = .open
    }
    mayHaveOpened = false
  }

  public mutating func abandonSteps() {
    switch contacts {
    // The step was to open this relay, so all others are open.
    case .closed, .unknown: break
    case .pausing, .open:
      contacts = .unknown
      mayHaveOpened = true
    }
  }

  public var alarm: Moment? {
    if let conflict { return conflict }
    // The state of lines that were handed over is known without a write.
    if mustEmit { return renderedAt }
    guard case .pausing(let end, let last) = contacts, let wanted, wanted != last else { return nil }
    return end
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    if let conflict, conflict <= moment {
      self.conflict = nil
      if let wanted { emit(.askedTogether(asked, kept: wanted), conflict) }
    }
    endPause(at: moment)
    emitContacts(at: moment, emit)
  }

  private mutating func endPause(at moment: Moment) {
    if case .pausing(let end, _) = contacts, end <= moment { contacts = .open }
  }

  public var isAtRest: Bool {
    switch contacts {
    case .unknown: false
    case .closed(let relay): relay == wanted
    case .pausing, .open: asked.isEmpty
    }
  }
}
