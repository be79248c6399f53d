import CycleCore

/// A counter of pulses on a line: a flow meter, an anemometer, a rain gauge, the tachometer of a fan.
///
/// **Wiring.** An output that pulls the line low (open collector, reed contact) between the line and ground; the chip's
/// pull-up holds the line high between the pulses. A reed contact bounces: set a debounce time.
///
/// **Timing.** The rate is the number of pulses divided by the time from the first of them to the last, by the kernel's
/// time stamps. It is reported with a pulse, or once per interval if pulses are faster. The rate is 0 when no pulse has
/// arrived for the silence time. A line without pulses causes no wake-up. Each pulse is two edges.
///
/// **Source.** Kernel documentation, `userspace-api/gpio/chardev`.
///
///     Lens(
///       PulseCounter(chip, line: "GPIO24"), found: { frame, _ in frame.litresPerMinute = 0 },
///       on: { frame, event in if case .rate(let hertz) = event { frame.litresPerMinute = hertz / 7.5 } })
public struct PulseCounter: PositionDevice, EdgeReceiver, AlarmReceiver {
  /// The number that is reported.
  public enum Measure: Equatable, Sendable {
    /// The pulses per second.
    case rate
    /// The pulses since the start.
    case total
  }

  public struct Settings: Equatable, Sendable {
    public var bias: Bias
    /// True for a pulse that pulls the line low.
    public var isActiveLow: Bool
    /// The time for which a level must be stable to count, 0 to 1 s. With 0, each edge counts.
    public var debounce: Duration
    public var measure: Measure
    /// The shortest time from one event to the next, 10 ms to 1 h.
    public var interval: Duration
    /// The time without a pulse after which the rate is 0, 10 ms to 1 h.
    public var silence: Duration

    public init(
      bias: Bias = .pullUp, isActiveLow: Bool = true, debounce: Duration = .zero, measure: Measure = .rate,
      interval: Duration = .seconds(1), silence: Duration = .seconds(2)
    ) {
      (self.bias, self.isActiveLow, self.debounce, self.measure) = (bias, isActiveLow, debounce, measure)
      (self.interval, self.silence) = (interval, silence)
    }
  }

  public enum Event: Codable, Equatable, Sendable {
    /// The pulses per second; finite, 0 or more.
    case rate(Double)
    /// The pulses since the start of the application.
    case total(Int)
    /// This many edges were lost; nil if the number is unknown. Their pulses are missing in the total.
    case edgesLost(Int?)
  }

  public let chip: any GPIOChip
  /// True after the lines were requested. The number of pulses is known then: it is 0.
  public private(set) var isKnown = false
  private let line: LineName
  private let settings: Settings
  private var contact: DebouncedContact
  /// The settled value of the line; nil while it is unknown.
  private var value: LineValue?
  private var total = 0
  /// The number that was reported last.
  private var reportedTotal: Int?
  private var reportedRate: Double?
  /// The pulse from which the current rate is measured; nil without a pulse.
  private var first: Moment?
  /// The last pulse; nil after the silence time without one.
  private var last: Moment?
  /// The pulses after the first one.
  private var pulses = 0
  /// The first pulse or the last report of a rate, from which the interval runs.
  private var mark: Moment?
  /// When the next event may be emitted; nil if none is due.
  private var next: Moment?

  public init(_ chip: any GPIOChip, line: LineName, settings: Settings = Settings()) {
    self.chip = chip
    self.line = line
    var settings = settings
    settings.interval = min(max(settings.interval, .milliseconds(10)), .seconds(3600))
    settings.silence = min(max(settings.silence, .milliseconds(10)), .seconds(3600))
    self.settings = settings
    contact = DebouncedContact(period: settings.debounce)
  }

  public func refusal(of event: Event) -> String? {
    switch event {
    case .rate(let hertz): hertz.isFinite && hertz >= 0 ? nil : "\(hertz) is not a number of pulses per second"
    case .total(let count): count >= 0 ? nil : "\(count) is not a number of pulses"
    case .edgesLost(let count): LostEdgeCountCheck.refusal(of: count)
    }
  }

  public var lines: [LineConfiguration] {
    [LineConfiguration(line, .input(settings.bias), isActiveLow: settings.isActiveLow, isCounter: true)]
  }

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    value = nil
    if let change = contact.begin(values[0], at: moment) { value = change.value }
    switch settings.measure {
    case .rate: report(rate: 0, at: moment, emit)
    case .total: report(at: moment, emit)
    }
    isKnown = true
  }

  public mutating func endStart() {}

  public mutating func receive(_ edge: LineEdge, emit: Emit) {
    settle(by: edge.moment, emit)
    apply(contact.receive(edge.value, at: edge.moment), emit)
    settle(by: edge.moment, emit)
  }

  private mutating func apply(_ change: DebouncedContact.Change?, _ emit: Emit) {
    guard let change else { return }
    let isPulse = value == .inactive && change.value.isActive
    value = change.value
    guard isPulse else { return }
    total += 1
    switch settings.measure {
    case .total:
      if next == nil { report(at: change.moment, emit) }
    case .rate:
      last = change.moment
      guard first != nil, let mark else {
        (first, mark, pulses) = (change.moment, change.moment, 0)
        return
      }
      pulses += 1
      if next == nil { next = max(change.moment, mark + settings.interval) }
    }
  }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    guard !contact.missedOnlyBounces(at: moment, lost: count) else { return }
    // The lost pulses are missing between the first and the last one.
    if settings.measure == .rate { (first, pulses, next) = (nil, 0, nil) }
    emit(.edgesLost(count), moment)
  }

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    settle(by: moment, emit)
    apply(contact.correct(values[0], at: moment), emit)
    settle(by: moment, emit)
  }

  public mutating func loseLines() {
    contact.end()
    (first, last, pulses, next) = (nil, nil, 0, nil)
    (reportedRate, reportedTotal) = (nil, nil)
  }

  public var alarm: Moment? {
    guard let settled = contact.deadline else { return due }
    return min(settled, due ?? settled)
  }

  /// When the rate or the total is reported next, or the rate becomes 0; nil for never.
  private var due: Moment? {
    guard settings.measure == .rate, let last else { return next }
    let silent = last + settings.silence
    return min(silent, next ?? silent)
  }

  public mutating func ring(at moment: Moment, emit: Emit) { settle(by: moment, emit) }

  /// Applies what is due by a moment, in the order of the moments, so that a late call gives the same events. Between two
  /// edges, these are at most two reports.
  private mutating func settle(by moment: Moment, _ emit: Emit) {
    while let next = alarm, next <= moment {
      if contact.deadline == next { apply(contact.settle(by: next), emit) }
      guard let due, due <= next else { continue }
      switch settings.measure {
      case .total:
        if total == reportedTotal { self.next = nil } else { report(at: due, emit) }
      case .rate: measure(at: due, emit)
      }
    }
  }

  private mutating func report(at moment: Moment, _ emit: Emit) {
    if reportedTotal != nil { next = moment + settings.interval }
    reportedTotal = total
    emit(.total(total), moment)
  }

  private mutating func measure(at moment: Moment, _ emit: Emit) {
    guard let last, moment < last + settings.silence else {
      (first, self.last, pulses, next) = (nil, nil, 0, nil)
      return report(rate: 0, at: moment, emit)
    }
    next = nil
    guard let first, pulses > 0 else { return }
    // Two pulses can have the same time stamp if the clock is coarse. Then the next one gives the rate.
    guard last > first else { return }
    report(rate: Double(pulses) * Self.hertz(of: last - first), at: moment, emit)
    (self.first, mark, pulses) = (last, moment, 0)
  }

  /// The pulses per second if this is the time from one to the next.
  private static func hertz(of period: Duration) -> Double { 1e9 / Double(max(1, period.wholeNanoseconds)) }

  private mutating func report(rate: Double, at moment: Moment, _ emit: Emit) {
    guard rate != reportedRate else { return }
    reportedRate = rate
    emit(.rate(rate), moment)
  }
}
