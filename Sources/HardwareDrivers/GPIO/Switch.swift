import CycleCore

/// A switch that keeps its position: on, off.
///
/// **Wiring.** Between the line and ground, like a ``Button``; closed is on.
///
/// **Timing.** A position is settled when the contact has been stable for the debounce period; default: 5 ms.
///
/// **The start.** The position of the switch at the start is not an event. It is found, and belongs to the first frame:
///
///     Lens(
///       Switch(chip, line: "GPIO27"),
///       found: { frame, position in frame.isMuted = position == .on },
///       on: { frame, event in frame.isMuted = event.isOn ?? frame.isMuted })
public struct Switch: PositionDevice, EdgeReceiver, AlarmReceiver {
  public struct Settings: Equatable, Sendable {
    /// A switch to ground needs a resistor that pulls its line high.
    public var bias: Bias
    /// True for a switch to ground: on is low.
    public var isActiveLow: Bool
    /// The time for which the contact must be stable until its position counts, 0 to 1 h. At the start, 90 ms are
    /// enough.
    public var debounce: Duration
    /// The time until off counts; nil for ``debounce``.
    public var offDebounce: Duration?

    public init(
      bias: Bias = .pullUp, isActiveLow: Bool = true, debounce: Duration = .milliseconds(5),
      offDebounce: Duration? = nil
    ) {
      (self.bias, self.isActiveLow) = (bias, isActiveLow)
      (self.debounce, self.offDebounce) = (debounce, offDebounce)
    }

    fileprivate var periods: DebouncePeriods {
      DebouncePeriods(active: debounce, inactive: offDebounce ?? debounce)
    }
  }

  public enum Event: Codable, Equatable, Sendable {
    case on
    case off
    /// This many edges were lost; nil if the number is unknown. If the position has changed, its event follows.
    case edgesLost(Int?)

    /// The position that the event leads to; nil for lost edges.
    public var isOn: Bool? {
      switch self {
      case .on: true
      case .off: false
      case .edgesLost: nil
      }
    }
  }

  public let chip: any GPIOChip
  private let line: LineName
  private let settings: Settings
  private var contact: DebouncedContact
  /// The position; nil until it has been found.
  private var position: LineValue?

  /// - Parameters:
  ///   - chip: the chip that the line is on.
  ///   - line: the line's name.
  ///   - settings: everything that has a default.
  ///   - isOn: the switch's position before the start, if the application knows it, for example from the application
  ///     that this one replaces. A different position at the start is then an event. Nil if it is unknown.
  public init(_ chip: any GPIOChip, line: LineName, settings: Settings = Settings(), isOn: Bool? = nil) {
    self.chip = chip
    self.line = line
    self.settings = settings
    position = isOn.map { LineValue($0) }
    contact = DebouncedContact(periods: settings.periods)
  }

  public func refusal(of event: Event) -> String? {
    if case .edgesLost(let count) = event { LostEdgeCountCheck.refusal(of: count) } else { nil }
  }

  public var lines: [LineConfiguration] {
    [LineConfiguration(line, .input(settings.bias), isActiveLow: settings.isActiveLow)]
  }

  public var isKnown: Bool { position != nil }

  // A position has no beginning: the next change is an event, whatever came before.
  public mutating func endStart() {}

  private mutating func move(to value: LineValue, at moment: Moment, emit: Emit) {
    guard value != position else { return }
    position = value
    emit(value.isActive ? .on : .off, moment)
  }

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    if let change = contact.begin(values[0], at: moment) { move(to: change.value, at: change.moment, emit: emit) }
  }

  public mutating func receive(_ edge: LineEdge, emit: Emit) {
    if let change = contact.receive(edge.value, at: edge.moment) {
      move(to: change.value, at: change.moment, emit: emit)
    }
  }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    guard !contact.missedOnlyBounces(at: moment, lost: count) else { return }
    emit(.edgesLost(count), moment)
  }

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    if let change = contact.correct(values[0], at: moment) {
      move(to: change.value, at: change.moment, emit: emit)
    }
  }

  public mutating func loseLines() {
    contact.end()
  }

  public var alarm: Moment? { contact.deadline }

  public mutating func ring(at moment: Moment, emit: Emit) {
    if let change = contact.settle(by: moment) { move(to: change.value, at: change.moment, emit: emit) }
  }
}

extension Switch.Event: Recordable {
  public func write(to recording: inout JSONWriter) {
    switch self {
    case .on: recording.write(plain: "on")
    case .off: recording.write(plain: "off")
    case .edgesLost(let count): recording.write(case: "edgesLost", count)
    }
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    let place = recording.offset
    switch try recording.readCase() {
    case ("on", false): self = .on
    case ("off", false): self = .off
    case ("edgesLost", true): self = .edgesLost(try recording.readPayload())
    case (let name, _): throw recording.unknownCase(name, of: Self.self, at: place)
    }
  }
}
