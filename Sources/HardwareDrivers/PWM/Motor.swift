import CycleCore

/// A DC motor at a bridge: a chip such as DRV8833, TB6612FNG or L298N.
///
/// The direction never changes while the motor runs: the speed goes down to zero, both lines are off for
/// ``Settings/deadTime``, and then the speed goes up in the other direction.
///
/// **Wiring.** The lines to the inputs of the bridge, a supply for the motor, and a common ground. A pair of relays is
/// no bridge: ``Model/brake`` would be a short circuit. Use an ``Interlock`` for relays.
///
/// **Timing.** While the speed changes, a channel is written at most 50 times a second. A motor at a constant speed
/// causes no wake-up.
///
///     let lines = Motor.Inputs.pair(channel("GPIO5"), channel("GPIO6"))
///     Lens(PWMDriver(Motor(lines, settings: .init(ramp: .milliseconds(500)))), show: { .speed($0.speed) })
public struct Motor: PWMDevice {
  public typealias Event = Never

  public enum Model: Equatable, Sendable, Codable {
    /// The speed as a share of the full one, -1 to 1; negative is backward. Without PWM it is on for at least one half.
    case speed(Double)
    /// The motor is short-circuited, and stops quickly. A bridge with ``Inputs/phase(_:enable:)`` only lets it coast.
    case brake
    /// The motor has no current, and runs out.
    case coast
  }

  /// The inputs of the bridge.
  public enum Inputs {
    /// Forward and backward, each with PWM or as a ``SwitchedLine``.
    case pair(any PWMChannel, any PWMChannel)
    /// Forward and backward as lines, and the speed.
    case enabled(any PWMChannel, any PWMChannel, enable: any PWMChannel)
    /// The direction as a line, high for forward, and the speed.
    case phase(any PWMChannel, enable: any PWMChannel)
  }

  public struct Settings: Equatable, Sendable {
    /// The time from a standstill to full speed; zero for a jump.
    public var ramp: Duration
    /// The time without current before the direction changes.
    public var deadTime: Duration
    /// The frequency of the PWM, clamped to 24 to 100 000 Hz. Data sheets have up to 25 kHz for an L298N, 100 kHz for
    /// a TB6612FNG.
    public var hertz: Int
    /// Whether the speed has no levels: all channels are lines.
    public var isSwitched: Bool

    public init(
      ramp: Duration = .zero, deadTime: Duration = .milliseconds(20), hertz: Int = 1_000, isSwitched: Bool = false
    ) {
      self.ramp = ramp
      self.deadTime = deadTime
      self.hertz = hertz
      self.isSwitched = isSwitched
    }
  }

  /// The state of the bridge.
  private enum Drive: Equatable {
    case forward, backward, brake, coast
  }

  private static let frame = Duration.milliseconds(20)

  private let inputs: Inputs
  private let settings: Settings
  private var model = Model.coast
  /// The speed, with its sign.
  private var motion: Motion
  /// The speed that is wanted in the end.
  private var wanted = 0.0
  private var drive = Drive.coast
  /// Whether a write failed, so that the motor may have any current.
  private var isUncertain = false
  /// The end of the dead time after a failed write.
  private var certainAt = Moment.zero
  /// The last state with a current, and the moment at which it ended.
  private var last: (drive: Drive, end: Moment)?
  private var speed = 0.0
  public private(set) var alarm: Moment?

  /// - Parameters:
  ///   - inputs: the channels of the bridge.
  ///   - settings: everything that has a default.
  public init(_ inputs: Inputs, settings: Settings = Settings()) {
    self.inputs = inputs
    self.settings = settings
    motion = Motion(
      at: 0,
      limits: .init(
        speed: settings.ramp > .zero && !settings.isSwitched ? 1 / (settings.ramp / .seconds(1)) : .infinity))
  }

  public var channels: [any PWMChannel] {
    switch inputs {
    case .pair(let forward, let backward): [forward, backward]
    case .enabled(let forward, let backward, let enable): [forward, backward, enable]
    case .phase(let phase, let enable): [phase, enable]
    }
  }

  public var safeModel: Model { .coast }
  public var isAtRest: Bool { alarm == nil }

  public mutating func render(_ model: Model, at moment: Moment) {
    self.model = model
    switch model {
    case .speed(let speed):
      let speed = speed.isNaN ? 0 : min(1, max(-1, speed))
      wanted = settings.isSwitched ? (abs(speed) >= 0.5 ? (speed > 0 ? 1 : -1) : 0) : speed
    case .brake, .coast:
      wanted = 0
      // Without a ramp: the reason may be a danger.
      motion = Motion(at: 0, limits: motion.limits)
    }
    follow(moment)
  }

  public mutating func ring(at moment: Moment, emit: Emit) { follow(moment) }

  public mutating func loseChannels() {
    // It has run out when the hardware is back.
    motion = Motion(at: 0, limits: motion.limits)
    (drive, last, speed, wanted, model, alarm) = (.coast, nil, 0, 0, .coast, nil)
    (isUncertain, certainAt) = (false, .zero)
  }

  public func openingWave(of channel: Int) -> PWMWave { wave(0) }

  /// The motor has no current from the next write on, and waits for the dead time.
  public mutating func failWrite() {
    motion = Motion(at: 0, limits: motion.limits)
    (drive, last, speed, isUncertain) = (.coast, nil, 0, true)
  }

  private mutating func follow(_ moment: Moment) {
    var change: Moment?
    if isUncertain {
      isUncertain = false
      certainAt = moment + settings.deadTime
    }
    switch model {
    case .brake: change = self.change(to: .brake, at: moment)
    case .coast: change = self.change(to: .coast, at: moment)
    case .speed:
      aim(at: moment)
      if motion.position(at: moment) == 0 {
        change = self.change(to: wanted > 0 ? .forward : wanted < 0 ? .backward : .coast, at: moment)
        aim(at: moment)
      }
    }
    speed = motion.position(at: moment)
    alarm = change
    if motion.isMoving(at: moment) {
      alarm = min(min(moment + Self.frame, motion.end), change ?? .distantFuture)
    }
  }

  /// Aims at the wanted speed, or at zero if the bridge is not in its direction.
  private mutating func aim(at moment: Moment) {
    let direction: Double = drive == .forward ? 1 : drive == .backward ? -1 : 0
    let target = direction * wanted > 0 ? wanted : 0
    if target != motion.target { motion.aim(at: target, from: moment) }
  }

  /// Changes the state of the bridge. Another state than the last one with a current must wait for the dead time.
  ///
  /// - Returns: the moment at which the change is possible; nil if it was made.
  private mutating func change(to asked: Drive, at moment: Moment) -> Moment? {
    guard asked != drive else { return nil }
    if drive != .coast {
      last = (drive, moment)
      drive = .coast
    }
    if asked != .coast, certainAt > moment { return certainAt }
    if asked != .coast, let last, last.drive != asked, last.end + settings.deadTime > moment {
      return last.end + settings.deadTime
    }
    drive = asked
    return nil
  }

  public func wave(of channel: Int) -> PWMWave {
    let (level, state) = (abs(speed), drive)
    let share: Double =
      switch (inputs, channel) {
      case (.pair, 0): state == .forward ? level : state == .brake ? 1 : 0
      case (.pair, _): state == .backward ? level : state == .brake ? 1 : 0
      case (.enabled, 0): state == .forward || state == .brake ? 1 : 0
      case (.enabled, 1): state == .backward || state == .brake ? 1 : 0
      case (.enabled, _): state == .brake ? 1 : level
      // The direction never changes while there may be a current.
      case (.phase, 0): (state == .coast ? last?.drive : state) == .forward ? 1 : 0
      case (.phase, _): state == .forward || state == .backward ? level : 0
      }
    return wave(share)
  }

  private func wave(_ share: Double) -> PWMWave {
    PWMWave(share, hertz: Double(min(100_000, max(24, settings.hertz))))
  }
}
