import CycleCore

/// A switch with several positions, each with a contact of its own: a rotary selector, a slide switch.
///
/// **Wiring.** The common pin to ground, each position's pin to a line; the chip's pull-ups hold the open lines high.
/// One position may have no line: the middle of a toggle switch that is off there.
///
/// **Timing.** Each contact counts when it has been stable for the debounce period; default: 5 ms. The switch is in a
/// position when exactly the contact of that position is closed. Between two positions no contact is closed, or both
/// are: the last position counts. The position without a line counts when no contact has been closed for the gap time;
/// default: 50 ms.
///
/// **Source.** Kernel documentation, `userspace-api/gpio/chardev`.
///
///     Lens(
///       Selector(chip, lines: ["GPIO5", "GPIO6", "GPIO13"]),
///       found: { frame, event in if case .selected(let position) = event { frame.speed = position } },
///       on: { frame, event in if case .selected(let position) = event { frame.speed = position } })
public struct Selector: PositionDevice, EdgeReceiver, AlarmReceiver {
  public struct Settings: Equatable, Sendable {
    public var bias: Bias
    /// True for contacts to ground: closed is low.
    public var isActiveLow: Bool
    /// 0 to 10 s.
    public var debounce: Duration
    /// The time without a closed contact until the position without a line counts. Longer than the switch takes from
    /// one contact to the next.
    public var gap: Duration

    public init(
      bias: Bias = .pullUp, isActiveLow: Bool = true, debounce: Duration = .milliseconds(5),
      gap: Duration = .milliseconds(50)
    ) {
      (self.bias, self.isActiveLow, self.debounce, self.gap) = (bias, isActiveLow, debounce, gap)
    }
  }

  public enum Event: Codable, Equatable, Sendable {
    /// The switch is in this position now, by its place in the list of lines.
    case selected(Int)
    /// This many edges were lost; nil if the number is unknown. If the position has changed, its event follows.
    case edgesLost(Int?)
  }

  public let chip: any GPIOChip
  /// The line of each position; nil for the one without a line.
  private let places: [LineName?]
  private let settings: Settings
  /// The contacts, and the positions of their lines.
  private var contacts: [DebouncedContact]
  private let positions: [Int]
  /// The contacts that are closed; nil for one that has not settled yet.
  private var closed: [Bool?]
  /// The moment since which no contact is closed; nil while one is, or is not known.
  private var openSince: Moment?
  private var position: Int?

  /// - Parameters:
  ///   - chip: the chip of the lines.
  ///   - lines: the line of each position, 2 to 32; nil for a position without one, at most once.
  ///   - settings: everything that has a default.
  ///   - position: the position before the start, if the application knows it, for example from the application that
  ///     this one replaces. Another position at the start is then an event. Nil if it is unknown.
  public init(_ chip: any GPIOChip, lines: [LineName?], settings: Settings = Settings(), position: Int? = nil) {
    precondition((2...32).contains(lines.count), "a selector has 2 to 32 positions")
    precondition(lines.filter { $0 == nil }.count <= 1, "one position of a selector may have no line")
    self.chip = chip
    self.settings = settings
    self.position = position
    places = lines
    positions = lines.indices.filter { lines[$0] != nil }
    contacts = positions.map { _ in DebouncedContact(period: settings.debounce) }
    closed = positions.map { _ in nil }
  }

  public var lines: [LineConfiguration] {
    places.compactMap { line in
      line.map { LineConfiguration($0, .input(settings.bias), isActiveLow: settings.isActiveLow) }
    }
  }

  public func refusal(of event: Event) -> String? {
    switch event {
    case .selected(let position) where !places.indices.contains(position):
      "there is no position \(position) of \(places.count)"
    case .selected: nil
    case .edgesLost(let count): LostEdgeCountCheck.refusal(of: count)
    }
  }

  public var isKnown: Bool { position != nil }

  // A position has no beginning: the next change is an event, whatever came before.
  public mutating func endStart() {}

  /// The position without a line; nil if each position has one.
  private var open: Int? { places.firstIndex { $0 == nil } }

  private mutating func apply(_ change: DebouncedContact.Change?, of contact: Int, emit: Emit) {
    guard let change else { return }
    closed[contact] = change.value.isActive
    guard !closed.contains(nil) else { return }
    let shut = closed.indices.filter { closed[$0] == true }
    openSince = shut.isEmpty ? openSince ?? change.moment : nil
    if shut.count == 1 { move(to: positions[shut[0]], at: change.moment, emit: emit) }
  }

  private mutating func move(to position: Int, at moment: Moment, emit: Emit) {
    guard position != self.position else { return }
    self.position = position
    emit(.selected(position), moment)
  }

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    closed = closed.map { _ in nil }
    openSince = nil
    for contact in contacts.indices {
      apply(contacts[contact].begin(values[contact], at: moment), of: contact, emit: emit)
    }
  }

  public mutating func receive(_ edge: LineEdge, emit: Emit) {
    settle(by: edge.moment, emit: emit)
    let contact = Int(edge.line)
    apply(contacts[contact].receive(edge.value, at: edge.moment), of: contact, emit: emit)
  }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    guard !contacts.allSatisfy({ $0.missedOnlyBounces(at: moment, lost: count) }) else { return }
    emit(.edgesLost(count), moment)
  }

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    settle(by: moment, emit: emit)
    for contact in contacts.indices {
      apply(contacts[contact].correct(values[contact], at: moment), of: contact, emit: emit)
    }
  }

  public mutating func loseLines() {
    for contact in contacts.indices { contacts[contact].end() }
    openSince = nil
  }

  /// The moment at which the position without a line counts; nil if it counts already, or if a contact is closed.
  private var openDeadline: Moment? {
    guard let open, open != position, let openSince else { return nil }
    return openSince + settings.gap
  }

  public var alarm: Moment? {
    contacts.reduce(openDeadline) { earliest, contact in
      guard let deadline = contact.deadline else { return earliest }
      return min(deadline, earliest ?? deadline)
    }
  }

  public mutating func ring(at moment: Moment, emit: Emit) { settle(by: moment, emit: emit) }

  /// Applies what has settled by a moment, in the order of the moments: however late this is called, the events are the
  /// same.
  private mutating func settle(by moment: Moment, emit: Emit) {
    while let deadline = alarm, deadline <= moment {
      for contact in contacts.indices where contacts[contact].deadline == deadline {
        apply(contacts[contact].settle(by: deadline), of: contact, emit: emit)
      }
      if let open, openDeadline == deadline { move(to: open, at: deadline, emit: emit) }
    }
  }
}
