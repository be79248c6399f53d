import CycleCore

/// An ultrasonic distance sensor like the HC-SR04: measures repeatedly while the model is `measuring`.
///
/// **Wiring.** The first line to TRIG, the second one to ECHO. The sensor runs on 5 V, and so does its ECHO: put a
/// divider of 1 kΩ and 2 kΩ between that and a line of 3.3 V.
///
/// **Timing.** The trigger is high for 10 µs or longer, however late the cycle is. About 0.5 ms later the echo line
/// rises, and stays high for 58 µs for each centimetre of distance. Both edges are measured by the kernel's time
/// stamps: ±10 µs are ±1.7 mm, and a late cycle changes no distance. A measurement starts every ``Settings/interval``,
/// and at least 60 ms after the last one if the cycle is late.
///
/// **Source.** ElecFreaks, Ultrasonic Ranging Module HC-SR04, data sheet: trigger of at least 10 µs, 2 to 400 cm, over
/// 60 ms from one measurement to the next. HC-SR04 user guide, section 3: the echo of 38 ms if nothing is in range.
///
///     Lens(
///       DistanceSensor(chip, trigger: "GPIO23", echo: "GPIO24"), show: { $0.isParking ? .measuring : .off },
///       on: { frame, event in
///         if case .distance(let millimetres) = event { frame.isNear = millimetres < 300 }
///       })
public struct DistanceSensor: LineDevice, EdgeReceiver, AlarmReceiver, StepTaker {
  public struct Settings: Equatable, Sendable {
    /// The time from one measurement to the next, clamped to 60 ms to 1 h. With a shorter time, the sensor might
    /// receive the previous echo.
    public var interval: Duration
    /// The range that the sensor can measure; an echo from outside of it emits ``Event/outOfRange``.
    public var rangeMillimetres: ClosedRange<Int>
    /// A measurement whose result differs from the last emitted one by less than this emits nothing. With 1, an object
    /// that does not move is emitted once. 0 emits each measurement.
    public var resolutionMillimetres: Int
    /// The speed of sound: 343 m/s in air of 20 °C, 0.6 m/s more for each degree.
    public var soundMetresPerSecond: Double

    public init(
      interval: Duration = .milliseconds(100), rangeMillimetres: ClosedRange<Int> = 20...4_000,
      resolutionMillimetres: Int = 0, soundMetresPerSecond: Double = 343.2
    ) {
      self.resolutionMillimetres = resolutionMillimetres
      self.interval = interval
      self.rangeMillimetres = rangeMillimetres
      self.soundMetresPerSecond = soundMetresPerSecond
    }
  }

  public enum Model: Equatable, Sendable, Codable {
    case off
    case measuring
  }

  public enum Event: Equatable, Sendable, Codable {
    /// The distance of the nearest object.
    case distance(millimetres: Int)
    /// There was an echo of an object nearer or farther than ``Settings/rangeMillimetres``.
    case outOfRange
    /// There was no echo: the echo line was high for 36 ms or longer.
    case noEcho
    /// This number of edges is missing, nil for an unknown number: their measurement is dropped.
    case edgesLost(Int?)
  }

  /// The shortest trigger.
  private static let pulse = Duration.microseconds(10)
  /// The shortest time from one trigger to the next.
  private static let pause = Duration.milliseconds(60)
  /// The longest wait for the echo line to rise; it normally rises 0.5 ms after the trigger.
  private static let longestWait = Duration.milliseconds(20)
  /// The shortest echo that means "nothing in range": its sound would have travelled to 6 m and back. The sensor's own
  /// limit is 38 ms.
  private static let longestEcho = Duration.milliseconds(36)
  /// An echo line that is high for longer is stuck. Some sensors hold it high for 200 ms if nothing is in range.
  private static let longestHigh = Duration.milliseconds(500)

  private enum Phase: Equatable {
    /// Not measuring.
    case idle
    /// The trigger pulse is requested or being written.
    case triggering
    /// The echo line must rise by this moment.
    case waiting(Moment)
    /// The echo line has been high since this moment.
    case hearing(Moment)
  }

  public let chip: any GPIOChip
  private let names: [LineName]
  private let settings: Settings
  private let interval: Duration
  private var model = Model.off
  private var phase = Phase.idle
  /// When the next measurement is due.
  private var next = Moment.zero
  /// The earliest moment of the next trigger, `pause` after the last one.
  private var earliest = Moment.zero
  /// The moment since which the echo line has been high although no echo is expected, or an echo has lasted too long.
  private var highSince: Moment?
  /// Whether the trigger line may be high, because a write has failed.
  private var mayBeTriggering = false
  /// The result that was emitted last; nil after the start, after a fault and after the lines were lost.
  private var emitted: Event?
  /// The current fault of the sensor.
  public private(set) var fault: DriverError? {
    didSet { if fault != nil { emitted = nil } }
  }

  public init(_ chip: any GPIOChip, trigger: LineName, echo: LineName, settings: Settings = Settings()) {
    self.chip = chip
    names = [trigger, echo]
    self.settings = settings
    interval = min(max(settings.interval, Self.pause), .seconds(3600))
  }

  public static var isInput: Bool { true }
  public func refusal(of event: Event) -> String? {
    switch event {
    case .distance(let millimetres) where !settings.rangeMillimetres.contains(millimetres):
      "\(millimetres) mm is out of its range, \(settings.rangeMillimetres)"
    case .edgesLost(let count): LostEdgeCountCheck.refusal(of: count)
    case .distance, .outOfRange, .noEcho: nil
    }
  }

  public var safeModel: Model { .off }

  public var lines: [LineConfiguration] {
    [LineConfiguration(names[0], .output(.inactive, .pushPull)), LineConfiguration(names[1], .input(.asIs))]
  }

  // MARK: - Outputs

  /// The trigger is low between two pulses.
  public var outputs: LineValues { [] }

  public mutating func render(_ model: Model, at moment: Moment) {
    if model == .measuring, self.model == .off { next = moment }
    // Don't retry a failed trigger.
    if model == .off, phase == .triggering { phase = .idle }
    self.model = model
  }

  public mutating func addSteps(to steps: inout LineSteps) {
    if mayBeTriggering, phase != .triggering {
      // The line stays as it is for a whole pulse before it falls.
      steps.write([], mask: [], hold: Self.pulse)
      return steps.write([])
    }
    guard phase == .triggering, highSince == nil else { return }
    steps.write(.first(1), hold: Self.pulse)
    steps.write([])
  }

  public mutating func finishSteps(at clock: Moment, emit: Emit) {
    earliest = clock + Self.pause
    mayBeTriggering = false
    // Skip measurements that the cycle was too late for; the others stay on schedule.
    let late = max(0, (clock - next).wholeNanoseconds)
    let interval = interval.wholeNanoseconds
    next = next + .nanoseconds((late / interval + 1) * interval)
    // If the cycle was interrupted after the last write, the echo line may have risen already.
    if phase == .triggering { phase = .waiting(clock + Self.longestWait) }
  }

  // `phase` stays `triggering`: the trigger is written again at the next try.
  public mutating func abandonSteps() { mayBeTriggering = true }

  public var isAtRest: Bool { model == .measuring || phase != .triggering }

  // MARK: - Inputs

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    phase = .idle
    highSince = values[1].isActive ? moment : nil
    next = moment
  }

  public mutating func loseLines() {
    phase = .idle
    emitted = nil
    highSince = nil
    mayBeTriggering = false
    fault = nil
  }

  public mutating func receive(_ edge: LineEdge, emit: Emit) {
    if edge.value.isActive {
      rise(at: edge.moment)
    } else {
      fall(at: edge.moment, emit: emit)
    }
  }

  private mutating func rise(at moment: Moment) {
    switch phase {
    case .waiting: phase = .hearing(moment)
    case .triggering:
      // The write that failed has triggered the sensor.
      earliest = moment + Self.pause
      phase = .hearing(moment)
    case .idle, .hearing: highSince = highSince ?? moment
    }
  }

  private mutating func fall(at moment: Moment, emit: Emit) {
    highSince = nil
    guard case .hearing(let start) = phase else {
      // The line is not stuck any more.
      if phase == .idle { fault = nil }
      return
    }
    phase = .idle
    fault = nil
    tell(moment - start, from: start, to: moment, emit: emit)
  }

  private mutating func tell(_ echo: Duration, from start: Moment, to end: Moment, emit: Emit) {
    guard model == .measuring else { return }
    guard echo < Self.longestEcho else { return tell(.noEcho, at: start + Self.longestEcho, emit: emit) }
    // The sound travels the distance twice.
    let millimetres = Double(echo.wholeNanoseconds) / 1e6 * settings.soundMetresPerSecond / 2
    let rounded = Int(millimetres.rounded())
    tell(
      settings.rangeMillimetres.contains(rounded) ? .distance(millimetres: rounded) : .outOfRange, at: end, emit: emit)
  }

  private mutating func tell(_ result: Event, at moment: Moment, emit: Emit) {
    if settings.resolutionMillimetres > 0, let emitted {
      switch (emitted, result) {
      case (.distance(let last), .distance(let next)) where abs(next - last) < settings.resolutionMillimetres: return
      case (.outOfRange, .outOfRange), (.noEcho, .noEcho): return
      default: break
      }
    }
    emitted = result
    emit(result, moment)
  }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    // It is unknown which of the edges belong together.
    if phase != .triggering { phase = .idle }
    emit(.edgesLost(count), moment)
  }

  public mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {
    if phase != .triggering { phase = .idle }
    highSince = values[1].isActive ? highSince ?? moment : nil
  }

  // MARK: - Time

  public var alarm: Moment? {
    switch phase {
    case .triggering: nil
    case .waiting(let deadline): deadline
    case .hearing(let start): start + Self.longestEcho
    case .idle:
      if model == .off {
        nil
      } else if let highSince {
        // Until the line falls, the driver only reports it as stuck.
        fault == nil ? highSince + Self.longestHigh : nil
      } else {
        max(next, earliest)
      }
    }
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    switch phase {
    case .triggering: break
    case .waiting:
      phase = .idle
      if model == .measuring { fault = silent }
    case .hearing(let start):
      phase = .idle
      highSince = start
      fault = nil
      if model == .measuring { tell(.noEcho, at: moment, emit: emit) }
    case .idle:
      guard model == .measuring else { return }
      if highSince != nil {
        fault = stuck
      } else {
        phase = .triggering
      }
    }
  }

  private var silent: DriverError {
    DriverError(
      .failed, of: "\(names[0]), \(names[1])", cannot: "measure with the sensor at \(names[0]) and \(names[1])",
      reason: "\(names[1]) does not rise after a trigger",
      remedy: "Check its 5 V supply and the wires to TRIG and ECHO; it is retried every \(interval).")
  }

  private var stuck: DriverError {
    DriverError(
      .failed, of: "\(names[0]), \(names[1])", cannot: "measure with the sensor at \(names[0]) and \(names[1])",
      reason: "\(names[1]) stays high", remedy: "Check the wire to ECHO, or switch the sensor's power off and on.")
  }
}
