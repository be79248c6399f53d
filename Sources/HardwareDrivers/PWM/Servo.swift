import CycleCore

/// A hobby servo, or the controller of a brushless motor (ESC), on a PWM channel. The width of a pulse sets the angle.
///
/// **Wiring.** The signal wire to the line, a supply of its own for the servo, and a common ground: a servo takes more
/// current than a Raspberry Pi supplies.
///
/// **Timing.** A pulse every 20 ms. During a move the width changes once in a period, to that of the middle of the
/// period. A servo at rest causes no wake-up.
///
///     Lens(
///       PWMDriver(Servo(platform.hardware(at: PWMPort(line: "GPIO12")), settings: .init(speed: 60))),
///       show: { $0.isOpen ? .angle(90) : .angle(0) })
public struct Servo: PWMDevice {
  public enum Model: Equatable, Sendable, Codable {
    /// An angle in degrees, clamped to ``Settings/angles``.
    case angle(Double)
    /// From angle to angle, repeated `times` times; for ever if nil. Between two angles the servo moves evenly, but
    /// not faster than ``Settings/speed``.
    case keys(Keyframes<Double>, times: Int32?)
    /// No pulse: the servo has no force. An ESC gets the narrowest pulse.
    case rest
  }

  public enum Event: Equatable, Sendable, Codable {
    /// The servo has reached the angle, or the last one of the keys, by the time that ``Settings/speed`` takes. Nothing
    /// measures where it is.
    case arrived
  }

  public struct Settings: Equatable, Sendable {
    /// The widths of the pulse at both ends of ``angles``, within 400 to 2 600 µs. Data sheets of common servos have
    /// 1 to 2 ms; many turn further with 0.5 to 2.5 ms.
    public var pulse: ClosedRange<Duration>
    /// The angles at the shortest and the longest pulse, in degrees.
    public var angles: ClosedRange<Double>
    /// The greatest speed in degrees per second, above 0. A common servo turns by 60° in 0.1 to 0.2 s.
    public var speed: Double
    /// The greatest acceleration in degrees per second and second; nil for none.
    public var acceleration: Double?
    /// The time from the arrival to the end of the pulses, which ends its hum and its force; nil for pulses without
    /// end.
    public var rest: Duration?
    /// The time for which an ESC gets the narrowest pulse before anything else; nil for a servo.
    public var arming: Duration?
    /// Whether the greatest angle is at the shortest pulse: a servo that is mounted the other way round. No effect on an
    /// ESC.
    public var isReversed: Bool

    /// - Parameters:
    ///   - pulse: clamped to 400 to 2 600 µs.
    ///   - angles: two different finite numbers.
    ///   - speed: above 0.
    ///   - acceleration: above 0; nil for none.
    ///   - rest: the time from the arrival to the end of the pulses; nil for pulses without end.
    ///   - arming: the time of the narrowest pulse at the start of an ESC; nil for a servo.
    ///   - isReversed: whether the greatest angle is at the shortest pulse.
    public init(
      pulse: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(2), angles: ClosedRange<Double> = -90...90,
      speed: Double = 300, acceleration: Double? = nil, rest: Duration? = nil, arming: Duration? = nil,
      isReversed: Bool = false
    ) {
      self.pulse = pulse.clamped(to: Self.pulses)
      self.angles = angles
      self.speed = speed
      self.acceleration = acceleration
      self.rest = rest
      self.arming = arming
      self.isReversed = isReversed
    }

    /// The pulses that servos understand.
    public static let pulses: ClosedRange<Duration> = .microseconds(400) ... .microseconds(2_600)
  }

  /// The time from one pulse to the next.
  public static let period = Duration.milliseconds(20)

  private let channel: any PWMChannel
  private let settings: Settings
  private let limits: Motion.Limits
  private var motion: Motion?
  private let lastPosition: MotorPosition
  private var model = Model.rest
  /// The number of the key that the servo moves to, counted over all rounds; nil if the model has no keys, or they have
  /// ended.
  private var key: Int?
  /// The moment at which the keys began.
  private var keysBegan = Moment.zero
  /// Whether ``Event/arrived`` is still to come for the present model.
  private var isOnItsWay = false
  /// The end of arming; nil if it is over.
  private var armed: Moment?
  private var needsArming: Bool
  private var pulse = Duration.zero
  public private(set) var alarm: Moment?
  private var now = Moment.zero

  /// - Parameters:
  ///   - channel: the channel of the line.
  ///   - settings: everything that has a default.
  ///   - position: the position of the servo, in degrees; only one driver uses it at a time.
  public init(
    _ channel: any PWMChannel, settings: Settings = Settings(), position: MotorPosition = MotorPosition()
  ) {
    precondition(settings.speed > 0, "the speed of a servo is above 0")
    precondition(settings.angles.lowerBound < settings.angles.upperBound, "a servo has two different angles")
    self.channel = channel
    self.settings = settings
    lastPosition = position
    needsArming = settings.arming != nil
    limits = Motion.Limits(speed: settings.speed, acceleration: settings.acceleration)
    motion = position.value.map {
      Motion(at: min(settings.angles.upperBound, max(settings.angles.lowerBound, $0)), limits: limits)
    }
  }

  public var channels: [any PWMChannel] { [channel] }
  public var safeModel: Model { .rest }
  public var isAtRest: Bool { !isOnItsWay && armed == nil }

  public mutating func render(_ model: Model, at moment: Moment) {
    now = moment
    if needsArming, let arming = settings.arming {
      needsArming = false
      armed = moment + arming
      motion = Motion(at: settings.angles.lowerBound, limits: limits)
    }
    guard motion == nil || model != self.model else { return follow() }
    self.model = model
    key = nil
    if armed == nil { begin() }
    follow()
  }

  /// Begins the present model.
  private mutating func begin() {
    switch model {
    case .rest:
      motion?.halt(at: now)
      // The narrowest pulse of an ESC is its lowest angle.
      if settings.arming != nil { motion = Motion(at: settings.angles.lowerBound, limits: limits) }
      isOnItsWay = false
    case .angle(let angle): aim(at: angle, limits)
    case .keys(let keys, _):
      keysBegan = now
      key = 0
      aim(at: keys[0].value, limits)
    }
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    now = moment
    if let end = armed, end <= now {
      armed = nil
      begin()
    }
    moveToNextKey()
    if isOnItsWay, armed == nil, key == nil, let arrival, arrival <= now {
      isOnItsWay = false
      emit(.arrived, arrival)
    }
    follow()
  }

  public func wave(of channel: Int) -> PWMWave { PWMWave(period: Self.period, high: pulse) }

  public mutating func loseChannels() {
    // It stays where it is, and moves from there when it is back.
    motion?.halt(at: now)
    lastPosition.value = motion?.position(at: now)
    model = .rest
    (key, isOnItsWay, armed, needsArming) = (nil, false, nil, settings.arming != nil)
  }

  // MARK: - Moving

  /// Moves to an angle. The first angle of all is reached immediately, because nothing is known of the one before.
  private mutating func aim(at angle: Double, _ limits: Motion.Limits) {
    let angle = min(settings.angles.upperBound, max(settings.angles.lowerBound, angle.isNaN ? 0 : angle))
    isOnItsWay = true
    if motion == nil { motion = Motion(at: angle, limits: limits) }
    motion?.aim(at: angle, limits: limits, from: now)
  }

  /// Aims at the next key when the time of the present one has come.
  private mutating func moveToNextKey() {
    guard case .keys(let keys, let times) = model else { return }
    while let place = key, now >= moment(of: place, keys) {
      let next = place + 1
      if let times, next >= Int(keys.count) * Int(max(1, times)) {
        key = nil
        return
      }
      key = next
      let (from, to) = (keys[place % Int(keys.count)], keys[next % Int(keys.count)])
      // The first key of a new round is reached as fast as the servo can.
      let span = next % Int(keys.count) == 0 ? 0 : Double(to.nanoseconds - from.nanoseconds) / 1e9
      let speed = span > 0 ? abs(to.value - from.value) / span : .infinity
      aim(
        at: to.value,
        Motion.Limits(
          speed: speed > 0 ? min(speed, limits.speed) : limits.speed, acceleration: limits.acceleration))
    }
  }

  /// The moment of a key, counted over all rounds.
  private func moment(of place: Int, _ keys: Keyframes<Double>) -> Moment {
    let count = Int(keys.count)
    return keysBegan
      + .nanoseconds(
        Int64(place / count) * max(Self.period.wholeNanoseconds, keys.last.nanoseconds)
          + keys[place % count].nanoseconds)
  }

  /// Sets the pulse and the alarm of this moment.
  private mutating func follow() {
    if let armed {
      pulse = settings.pulse.lowerBound
      alarm = armed
      return
    }
    guard let motion, model != .rest else {
      pulse = settings.arming == nil ? .zero : settings.pulse.lowerBound
      alarm = nil
      return
    }
    let next = nextKeyMoment
    if motion.isMoving(at: now) {
      let half = Duration.nanoseconds(Self.period.wholeNanoseconds / 2)
      // The first pulse of a move is the one that is shown already.
      let isBeginning = now == motion.start
      pulse = width(at: motion.position(at: isBeginning ? now : now + half))
      let tick = now + Self.period
      alarm = min(min(tick, motion.end), next ?? .distantFuture)
      return
    }
    pulse = width(at: motion.target)
    if isOnItsWay, next == nil {
      alarm = now
      return
    }
    let rest = settings.rest.flatMap { rest in arrival.map { $0 + rest } }
    if let rest, next == nil, rest <= now {
      pulse = settings.arming == nil ? .zero : settings.pulse.lowerBound
      alarm = nil
    } else {
      alarm = next ?? rest
    }
  }

  /// The moment at which the model is reached: the end of the move, and not before the last key.
  private var arrival: Moment? {
    guard let motion else { return nil }
    guard case .keys(let keys, let times?) = model else { return motion.end }
    let last = Int(keys.count) * Int(max(1, times)) - 1
    return max(motion.end, moment(of: last, keys))
  }

  private var nextKeyMoment: Moment? {
    guard let key, case .keys(let keys, _) = model else { return nil }
    return moment(of: key, keys)
  }

  private func width(at angle: Double) -> Duration {
    var share = (angle - settings.angles.lowerBound) / (settings.angles.upperBound - settings.angles.lowerBound)
    if settings.isReversed, settings.arming == nil { share = 1 - share }
    let (low, high) = (settings.pulse.lowerBound.wholeNanoseconds, settings.pulse.upperBound.wholeNanoseconds)
    return .nanoseconds(low + Int64((Double(high - low) * min(1, max(0, share))).rounded()))
  }
}
