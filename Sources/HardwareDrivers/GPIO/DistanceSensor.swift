import CycleCore

/// An ultrasonic distance sensor of the kind HC-SR04: measures again and again, for as long as the model says so.
///
/// **Wiring.** The first line to TRIG, the second one to ECHO. The sensor runs on 5 V, and so does its ECHO: put a divider of 1 kΩ and 2 kΩ
/// between that and a line of 3.3 V.
///
/// **Timing.** The trigger is high for 10 µs or longer, however late the cycle is. About 0.5 ms after it the echo line rises, for 58 µs
/// each centimetre of distance. Both edges are taken from the kernel's time stamps: ±10 µs are ±1.7 mm, and a cycle that is late changes
/// no distance. Measurements begin every ``Settings/interval``; if the cycle is late, none begins less than 60 ms after the last one.
///
/// **Source.** ElecFreaks, Ultrasonic Ranging Module HC-SR04, data sheet (trigger of at least 10 µs, 2 to 400 cm, over 60 ms from one
/// measurement to the next); for the echo of 38 ms where nothing is in range: the HC-SR04 user guide, section 3.
///
///     Lens(DistanceSensor(chip, trigger: "GPIO23", echo: "GPIO24"), show: { $0.isParking ? .measuring : .off }, on: { frame, event in
///       if case .distance(let millimetres) = event { frame.isNear = millimetres < 300 }
///     })
public struct DistanceSensor: LineDevice {
  public struct Settings: Equatable, Sendable {
    /// From one measurement to the next, 60 ms to 1 h: sooner, the sensor may hear the echo of the one before.
    public var interval: Duration
    /// What the sensor can tell; nearer and farther is ``Event/outOfRange``.
    public var rangeMillimetres: ClosedRange<Int>
    /// 343 m/s in air of 20 °C; 0.6 m/s more or less for each degree.
    public var soundMetresPerSecond: Double

    public init(
      interval: Duration = .milliseconds(100), rangeMillimetres: ClosedRange<Int> = 20...4_000,
      soundMetresPerSecond: Double = 343.2
    ) {
      self.interval = interval
      self.rangeMillimetres = rangeMillimetres
      self.soundMetresPerSecond = soundMetresPerSecond
    }
  }

  public enum Model: Equatable, Sendable {
    case off
    case measuring
  }

  public enum Event: Equatable, Sendable {
    /// How far away the nearest thing is.
    case distance(millimetres: Int)
    /// There was an echo, of something nearer or farther than the sensor can tell.
    case outOfRange
    /// Nothing came back: the echo line was high for longer than 36 ms.
    case noEcho
    /// So many edges are missing, nil for an unknown number: their measurement is dropped.
    case edgesLost(Int?)
  }

  /// The shortest trigger.
  private static let pulse = Duration.microseconds(10)
  /// The shortest time from one trigger to the next.
  private static let pause = Duration.milliseconds(60)
  /// The echo rises 0.5 ms after the trigger; one that has not risen by then won't.
  private static let longestWait = Duration.milliseconds(20)
  /// The sensor's own limit is 38 ms; an echo of 36 ms would come from 6 m.
  private static let longestEcho = Duration.milliseconds(36)
  /// Some sensors hold the echo line for 200 ms where nothing is in range. One that is high for longer is stuck.
  private static let longestHigh = Duration.milliseconds(500)

  private enum Phase: Equatable {
    /// No measurement is going on.
    case idle
    /// The trigger is to be given, or is being given.
    case triggering
    /// The echo line has to rise by this moment.
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
  /// The earliest moment of the next trigger, counted from the last one.
  private var earliest = Moment.zero
  /// Since when the echo line is high while nobody waits for it, or longer than an echo can be.
  private var highSince: Moment?
  /// What is wrong with the sensor.
  public private(set) var fault: DriverError?

  public init(_ chip: any GPIOChip, trigger: LineName, echo: LineName, settings: Settings = Settings()) {
    self.chip = chip
    names = [trigger, echo]
    self.settings = settings
    interval = min(max(settings.interval, Self.pause), .seconds(3600))
  }

  public var safeModel: Model { .off }

  public var lines: [LineConfiguration] {
    [LineConfiguration(names[0], .output(.inactive, .pushPull)), LineConfiguration(names[1], .input(.asIs))]
  }

  // MARK: - What it shows

  public mutating func render(_ model: Model, at moment: Moment) {
    if model == .measuring, self.model == .off { next = moment }
    // A trigger that failed is not given any more.
    if model == .off, phase == .triggering { phase = .idle }
    self.model = model
  }

  public mutating func addSteps(to steps: inout LineSteps) {
    guard phase == .triggering, highSince == nil else { return }
    steps.write(.first(1), hold: Self.pulse)
    steps.write([])
  }

  public mutating func finishSteps(at clock: Moment, emit: Emit) {
    earliest = clock + Self.pause
    // Measurements that a cycle was too late for are left out: the next one is due when it would be anyway.
    let late = max(0, (clock - next).wholeNanoseconds)
    let interval = interval.wholeNanoseconds
    next = next + .nanoseconds((late / interval + 1) * interval)
    // The echo may have risen already if the cycle was interrupted between the last write and this.
    if phase == .triggering { phase = .waiting(clock + Self.longestWait) }
  }

  // `phase` stays: the trigger is given anew when the next try is due.
  public mutating func abandonSteps() {}

  public var isAtRest: Bool { model == .measuring || phase != .triggering }

  // MARK: - What it hears

  public mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {
    phase = .idle
    highSince = values[1].isActive ? moment : nil
    next = moment
  }

  public mutating func loseLines() {
    phase = .idle
    highSince = nil
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
    case .waiting, .triggering: phase = .hearing(moment)
    case .idle, .hearing: highSince = highSince ?? moment
    }
  }

  private mutating func fall(at moment: Moment, emit: Emit) {
    highSince = nil
    guard case .hearing(let start) = phase else {
      // What was stuck is free again.
      if phase == .idle { fault = nil }
      return
    }
    phase = .idle
    fault = nil
    tell(moment - start, from: start, to: moment, emit: emit)
  }

  private func tell(_ echo: Duration, from start: Moment, to end: Moment, emit: Emit) {
    guard model == .measuring else { return }
    guard echo < Self.longestEcho else { return emit(.noEcho, start + Self.longestEcho) }
    // There and back.
    let millimetres = Double(echo.wholeNanoseconds) / 1e6 * settings.soundMetresPerSecond / 2
    let rounded = Int(millimetres.rounded())
    emit(settings.rangeMillimetres.contains(rounded) ? .distance(millimetres: rounded) : .outOfRange, end)
  }

  public mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {
    // Which of the edges belong together is unknown.
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
        // Nothing to do until the line falls, but to tell that it doesn't.
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
      if model == .measuring { emit(.noEcho, moment) }
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
      remedy: "Look at the sensor's 5 V and at the wires to TRIG and ECHO; it is tried again every \(interval).")
  }

  private var stuck: DriverError {
    DriverError(
      .failed, of: "\(names[0]), \(names[1])", cannot: "measure with the sensor at \(names[0]) and \(names[1])",
      reason: "\(names[1]) stays high", remedy: "Look at the wire to ECHO, or cut the sensor's power for a moment.")
  }
}
