import CycleCore

/// A stepper motor: four coils at a driver board, or the step and direction inputs of a chip such as A4988 or DRV8825.
///
/// **Wiring.** A ULN2003 board for a 28BYJ-48 (IN1 to IN4), a bridge for a bipolar motor, or STEP, DIR and ENABLE of a
/// chip. The motor has a supply of its own, with a common ground.
///
/// **Timing.** Each step is a wake-up of the cycle and a write, so the limit is about 1 000 steps a second. Each step
/// has its moment by speed and acceleration. A late wake-up delays a step, and the next step still waits for the time
/// that ``Settings/speed`` allows. A motor at rest causes no wake-up.
///
/// The motor does not report its position. If it is blocked, or too slow for the acceleration, it loses steps that
/// nothing counts.
///
///     Lens(
///       Stepper(.coils(["GPIO17", "GPIO27", "GPIO22", "GPIO23"]), on: chip, settings: .init(speed: 600)),
///       show: { $0.isOpen ? .position(2_048) : .position(0) })
public struct Stepper: LineDevice, AlarmReceiver, StepTaker {
  public enum Model: Equatable, Sendable, Codable {
    /// A position in steps from the one at the start. The motor moves there, and holds it.
    case position(Int)
    /// It slows down, and holds the position at which it stops.
    case hold
    /// The coils have no current: the motor is cold, and turns freely. A move ends immediately.
    case off
  }

  public enum Event: Equatable, Sendable, Codable {
    /// The motor has made the last step to this position.
    case arrived(Int)
  }

  /// The steps of four coils.
  public enum Steps: String, Sendable, CaseIterable {
    /// One step is the change from one coil pair to the next: 2 048 a turn for a 28BYJ-48.
    case full
    /// Half of that: 4 096 a turn for a 28BYJ-48.
    case half
  }

  public enum Inputs: Sendable {
    /// Four coils in the order of their currents.
    case coils([LineName], Steps = .half)
    /// A pulse for each step, the direction, and the enable input that is active low; nil for none.
    case pulses(step: LineName, direction: LineName, enable: LineName?)
  }

  public struct Settings: Equatable, Sendable {
    /// The greatest speed in steps per second, above 0 to 1 000.
    public var speed: Double
    /// The acceleration in steps per second and second; nil for none. A motor with a load needs one above about 200
    /// steps a second.
    public var acceleration: Double?

    public init(speed: Double = 300, acceleration: Double? = nil) {
      self.speed = min(1_000, speed)
      self.acceleration = acceleration
    }
  }

  /// The positions that a model can have.
  public static let positions = -1_000_000_000...1_000_000_000

  public let chip: any GPIOChip
  private let inputs: Inputs
  private let settings: Settings
  private var motion: Motion
  private var model = Model.off
  /// The position in steps after the steps that were requested.
  private var position: Int
  private let lastPosition: MotorPosition
  /// Whether the coils have a current.
  private var isEnergised = false
  /// The direction of a step that is due; nil for none.
  private var due: Int?
  /// The moment of the last step by the motion, or of a change of the target after it.
  private var planned = Moment.zero
  /// The next step and its moment.
  private var next: (direction: Int, moment: Moment)?
  /// The direction input of the last pulse.
  private var isForward = true
  /// Whether ``Event/arrived(_:)`` is still to come.
  private var isOnItsWay = false

  /// - Parameters:
  ///   - inputs: the lines of the motor.
  ///   - chip: the chip that the lines are on.
  ///   - settings: everything that has a default.
  ///   - position: the position of the motor; only one stepper uses it at a time.
  public init(
    _ inputs: Inputs, on chip: any GPIOChip, settings: Settings = Settings(), position: MotorPosition = MotorPosition()
  ) {
    precondition(settings.speed > 0, "the speed of a stepper is above 0")
    if case .coils(let lines, _) = inputs { precondition(lines.count == 4, "a stepper has four coils") }
    (self.inputs, self.chip, self.settings, lastPosition) = (inputs, chip, settings, position)
    self.position = Int(position.value ?? 0)
    motion = Motion(at: position.value ?? 0, limits: .init(speed: settings.speed, acceleration: settings.acceleration))
  }

  public var safeModel: Model { .off }

  public var lines: [LineConfiguration] {
    let names =
      switch inputs {
      case .coils(let lines, _): lines
      case .pulses(let step, let direction, let enable): [step, direction] + [enable].compactMap(\.self)
      }
    let outputs = outputs
    return names.enumerated().map { place, line in
      // The enable input of such chips is active low.
      LineConfiguration(line, .output(outputs[place], .pushPull), isActiveLow: place == 2 && names.count == 3)
    }
  }

  public var isAtRest: Bool { due == nil && next == nil && !isOnItsWay }
  public var alarm: Moment? { due == nil ? next?.moment : nil }

  // MARK: - Moving

  public mutating func render(_ model: Model, at moment: Moment) {
    let isNew = model != self.model
    self.model = model
    switch model {
    case .off:
      motion = Motion(at: Double(position), limits: motion.limits)
      (isEnergised, isOnItsWay, due) = (false, false, nil)
    case .hold:
      isEnergised = true
      guard isNew else { return }
      isOnItsWay = false
      motion.halt(at: moment)
      let stop = motion.target.rounded(motion.speed(at: moment) < 0 ? .down : .up)
      motion.aim(at: stop, from: moment)
    case .position(let target):
      isEnergised = true
      let target = min(Self.positions.upperBound, max(Self.positions.lowerBound, target))
      guard isNew || motion.target != Double(target) else { return }
      isOnItsWay = true
      motion.aim(at: Double(target), from: moment)
    }
    planned = moment
    plan()
  }

  public mutating func ring(at moment: Moment, emit: Emit) {
    guard let step = next, step.moment <= moment else { return }
    next = nil
    planned = step.moment
    if step.direction == 0 { return arrive(at: moment, emit: emit) }
    due = step.direction
    plan()
    // The event has the moment of the last step.
    if let end = next, end.direction == 0, end.moment <= moment {
      next = nil
      arrive(at: moment, emit: emit)
    }
  }

  /// Plans the step after the last one.
  private mutating func plan() {
    // A step that is due is made first.
    let position = position + (due ?? 0)
    // Behind its motion, it makes the next step as soon as the pause allows.
    let way = motion.position(at: planned) - Double(position)
    if abs(way) >= 1 {
      next = (way > 0 ? 1 : -1, planned)
      return
    }
    let up = motion.moment(reaching: Double(position + 1), from: planned)
    let down = motion.moment(reaching: Double(position - 1), from: planned)
    next =
      switch (up, down) {
      case (let up?, let down?): up < down ? (1, up) : (-1, down)
      case (let up?, nil): (1, up)
      case (nil, let down?): (-1, down)
      case (nil, nil): isOnItsWay ? (0, max(planned, motion.end)) : nil
      }
  }

  private mutating func arrive(at moment: Moment, emit: Emit) {
    guard isOnItsWay else { return }
    isOnItsWay = false
    emit(.arrived(position + (due ?? 0)), moment)
  }

  // MARK: - Lines

  public mutating func addSteps(to steps: inout LineSteps) {
    guard let direction = due else { return }
    due = nil
    position += direction
    let hold = Duration.nanoseconds(Int64(1e9 / settings.speed))
    guard case .pulses = inputs else { return steps.write(outputs, hold: hold) }
    let isForward = direction > 0
    let changes = isForward != self.isForward
    self.isForward = isForward
    // Data sheet of the A4988: DIR 200 ns before STEP, STEP high and low for 1 µs; DRV8825: 1.9 µs.
    if changes { steps.write(outputs, hold: .microseconds(1)) }
    steps.write(outputs.union(.first(1)), hold: .microseconds(2))
    steps.write(outputs, hold: hold)
  }

  public mutating func finishSteps(at clock: Moment, emit: Emit) {}

  // It is unknown whether the step was made. It counts as made.
  public mutating func abandonSteps() {}

  public mutating func loseLines() {
    lastPosition.value = Double(position)
    motion = Motion(at: Double(position), limits: motion.limits)
    (due, next, isOnItsWay, isEnergised, model) = (nil, nil, false, false, .off)
  }

  private var lineCount: Int {
    if case .pulses(_, _, nil) = inputs { 2 } else if case .pulses = inputs { 3 } else { 4 }
  }

  /// The coils with a current, or the direction and enable inputs.
  public var outputs: LineValues {
    switch inputs {
    case .coils(_, let steps):
      guard isEnergised else { return [] }
      // 1, 12, 2, 23, 3, 34, 4, 41; a full step has two coils.
      let phase = steps == .half ? position & 7 : (position & 3) * 2 + 1
      var values: LineValues = []
      values[phase / 2] = .active
      if phase % 2 == 1 { values[(phase / 2 + 1) % 4] = .active }
      return values
    case .pulses:
      var values: LineValues = []
      values[1] = LineValue(isForward)
      if lineCount > 2 { values[2] = LineValue(isEnergised) }
      return values
    }
  }
}
