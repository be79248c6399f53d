import CycleCore

/// The position of something that moves, as a function of time: a servo, a stepper, a fader, the speed of a motor.
///
///     var motion = Motion(at: 0, limits: .init(speed: 200, acceleration: 400))
///     motion.aim(at: 200, from: .zero)
///     motion.position(at: .zero + .milliseconds(500))        // 50, and 200 after 1.5 s
///
/// It reads no clock. A new target during a move continues from the present position and speed, without a jump. The
/// units are those of the caller: degrees, steps, a share.
public struct Motion: Equatable, Sendable, BitwiseCopyable {
  /// The limits of a move.
  public struct Limits: Equatable, Sendable, BitwiseCopyable, Codable {
    /// The greatest speed, in units per second, above 0; infinite for a jump to the target.
    public var speed: Double
    /// The greatest acceleration, in units per second and second, above 0; nil for a speed that is reached immediately.
    public var acceleration: Double?

    /// - Parameters:
    ///   - speed: above 0.
    ///   - acceleration: above 0; nil for none.
    public init(speed: Double, acceleration: Double? = nil) {
      precondition(speed > 0, "a speed is above 0")
      precondition(acceleration ?? 1 > 0, "an acceleration is above 0")
      (self.speed, self.acceleration) = (speed, acceleration)
    }
  }

  /// A part of the move with one acceleration. It begins at the end of the one before.
  private struct Phase: Equatable, BitwiseCopyable {
    /// The seconds from the beginning of the move, the position and the speed at the beginning of the phase.
    var start = 0.0
    var position: Double
    var speed = 0.0
    var acceleration = 0.0
    var length = 0.0

    func position(after time: Double) -> Double { position + time * (speed + acceleration * time / 2) }
    func speed(after time: Double) -> Double { speed + acceleration * time }

    /// The seconds from the beginning of the phase until a position is reached, not before `earliest`; nil if it is not
    /// reached.
    func time(reaching wanted: Double, from earliest: Double) -> Double? {
      let distance = wanted - position
      if acceleration == 0 {
        guard speed != 0 else { return nil }
        return accept(distance / speed, earliest)
      }
      let square = speed * speed + 2 * acceleration * distance
      guard square >= 0 else { return nil }
      let root = square.squareRoot()
      let times = [(-speed - root) / acceleration, (-speed + root) / acceleration].sorted()
      return accept(times[0], earliest) ?? accept(times[1], earliest)
    }

    private func accept(_ time: Double, _ earliest: Double) -> Double? {
      // The position at the end of a phase is computed with rounding.
      time >= earliest && time <= length + 1e-9 ? min(time, length) : nil
    }
  }

  public private(set) var limits: Limits
  /// The position at the end of the move.
  public private(set) var target: Double
  /// The moment at which the move began.
  public private(set) var start = Moment.zero
  // Speeding up or slowing down, at the greatest speed, and slowing down to the target.
  private var first: Phase
  private var second: Phase
  private var third: Phase

  /// - Parameters:
  ///   - position: where it rests.
  ///   - limits: the limits of its moves.
  public init(at position: Double, limits: Limits) {
    self.limits = limits
    target = position
    first = Phase(position: position)
    (second, third) = (first, first)
  }

  /// Moves to a target from the present position and speed.
  ///
  /// - Parameters:
  ///   - target: the position at the end, a finite number.
  ///   - limits: the limits of this move and of those after it; nil for the same ones as before.
  ///   - moment: the moment at which the move begins.
  public mutating func aim(at target: Double, limits: Limits? = nil, from moment: Moment) {
    precondition(target.isFinite, "a target is a finite number")
    let (position, speed) = state(at: moment)
    if let limits { self.limits = limits }
    self.target = target
    start = moment
    first = Phase(position: position, speed: speed)
    (second, third) = (first, first)
    if let acceleration = self.limits.acceleration {
      plan(acceleration)
    } else {
      cruise()
    }
  }

  /// Stops as soon as the acceleration allows, and aims at the position where it then is.
  public mutating func halt(at moment: Moment) {
    let (position, speed) = state(at: moment)
    let way = limits.acceleration.map { speed * abs(speed) / (2 * $0) } ?? 0
    aim(at: position + way, from: moment)
  }

  private mutating func cruise() {
    let distance = target - first.position
    let speed = distance < 0 ? -limits.speed : limits.speed
    first.speed = distance == 0 ? 0 : speed
    first.length = distance == 0 ? 0 : distance / speed
    second = Phase(start: first.length, position: target)
    third = second
  }

  private mutating func plan(_ acceleration: Double) {
    let distance = target - first.position
    // The way that it takes to stop decides the direction.
    let stop = first.speed * abs(first.speed) / (2 * acceleration)
    guard distance != stop || first.speed != 0 else { return }
    let sign = distance < stop ? -1.0 : 1
    let speed = first.speed * sign
    let peak = min((max(0, acceleration * distance * sign + speed * speed / 2)).squareRoot(), limits.speed)
    first.acceleration = peak < speed ? -acceleration * sign : acceleration * sign
    first.length = abs(peak - speed) / acceleration
    second = Phase(start: first.length, position: first.position(after: first.length), speed: peak * sign)
    let slowing = peak * peak / (2 * acceleration)
    let rest = (target - second.position) * sign - slowing
    second.length = peak > 0 ? max(0, rest / peak) : 0
    third = Phase(
      start: second.start + second.length, position: target - slowing * sign, speed: peak * sign,
      acceleration: -acceleration * sign, length: peak / acceleration)
  }

  /// The moment at which the target is reached; the beginning of the move if it has no way.
  public var end: Moment { moment(third.start + third.length) }

  /// Whether it moves at a moment.
  public func isMoving(at moment: Moment) -> Bool { moment < end }

  /// The position at a moment; before the beginning of the move, the one at the beginning.
  public func position(at moment: Moment) -> Double { state(at: moment).position }

  /// The speed at a moment, in units per second; negative towards lower positions.
  public func speed(at moment: Moment) -> Double { state(at: moment).speed }

  private func state(at moment: Moment) -> (position: Double, speed: Double) {
    guard moment < end else { return (target, 0) }
    let time = max(0, Double(moment.nanoseconds - start.nanoseconds) / 1e9)
    let phase = time < second.start ? first : time < third.start ? second : third
    return (phase.position(after: time - phase.start), phase.speed(after: time - phase.start))
  }

  /// The first moment, not before `earliest`, at which a position is reached; nil if the move does not reach it.
  public func moment(reaching position: Double, from earliest: Moment) -> Moment? {
    let passed = passing(position, from: earliest)
    guard position == target, earliest <= end else { return passed }
    // The end is exact, without the rounding of a root.
    return min(passed ?? end, end)
  }

  private func passing(_ position: Double, from earliest: Moment) -> Moment? {
    let time = max(0, Double(earliest.nanoseconds - start.nanoseconds) / 1e9)
    for phase in [first, second, third] where phase.length > 0 && phase.start + phase.length >= time {
      if let found = phase.time(reaching: position, from: max(0, time - phase.start)) {
        return max(earliest, moment(phase.start + found))
      }
    }
    return nil
  }

  /// The moment after some seconds of the move.
  private func moment(_ seconds: Double) -> Moment {
    let nanoseconds = (seconds * 1e9).rounded()
    // A move of centuries ends never.
    guard nanoseconds < 9e18 - Double(max(0, start.nanoseconds)) else { return .distantFuture }
    return start + .nanoseconds(Int64(nanoseconds))
  }
}
