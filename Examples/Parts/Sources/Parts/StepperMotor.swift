import CycleCore
import HardwareDrivers

/// A small stepper motor of the kind 28BYJ-48 on an ULN2003: it turns to a position, and its coils rest there.
///
/// **Wiring.** Four lines to IN1 to IN4 of the driver board, and 5 V to the board, not from the Pi's 3.3 V.
///
/// **Timing.** A half step each ``Settings/pause``: later when the cycle is late, never sooner, so the motor doesn't
/// lose steps. A new position takes effect with the next half step.
///
/// **Source.** Kiatronics, 28BYJ-48 5V stepper motor, data sheet: half steps, 64 a turn of the rotor, gear 1/64,
/// pull-in 600 Hz.
///
///     Lens(StepperMotor(chip, lines: ["GPIO5", "GPIO6", "GPIO13", "GPIO19"]), show: { $0.isOpen ? .position(1024) : .position(0) })
public struct StepperMotor: LineDevice, StepTaker {
  public struct Settings: Equatable, Sendable {
    /// From one half step to the next, at least 1.7 ms: the motor can't start faster.
    public var pause: Duration

    public init(pause: Duration = .milliseconds(2)) {
      self.pause = max(pause, .microseconds(1700))
    }
  }

  public enum Model: Equatable, Sendable {
    /// The coils have no current, at whatever position the rotor is.
    case off
    /// In half steps from where it was at the start, clockwise.
    case position(Int)
  }

  public enum Event: Equatable, Sendable {
    /// The rotor has reached the position of the model.
    case arrived(Int)
  }

  /// Which coils have current in which half step; bit n is the line n.
  private static let coils: [UInt64] = [0b0001, 0b0011, 0b0010, 0b0110, 0b0100, 0b1100, 0b1000, 0b1001]

  public let chip: any GPIOChip
  private let names: [LineName]
  private let settings: Settings
  private var model = Model.off
  private var position = 0
  /// The half step that is being made: -1, 0 or 1.
  private var direction = 0
  private var hasArrived = true
  /// Whether it was amid a half step when its lines were lost or a write failed.
  private var mustAlign = false

  public init(_ chip: any GPIOChip, lines: [LineName], settings: Settings = Settings()) {
    precondition(lines.count == 4, "IN1 to IN4")
    self.chip = chip
    names = lines
    self.settings = settings
  }

  public var safeModel: Model { .off }

  public var lines: [LineConfiguration] { names.map { LineConfiguration($0, .output(.inactive, .pushPull)) } }

  public mutating func render(_ model: Model, at moment: Moment) {
    self.model = model
    if case .position(let target) = model { hasArrived = hasArrived && target == position }
  }

  public mutating func addSteps(to steps: inout LineSteps) {
    guard case .position(let target) = model, target != position || mustAlign else { return }
    // After a half step that was abandoned, repeat the coils of the last position: they pull the rotor back to it from
    // a half step on either side. The half step may have just begun, so the rotor rests first.
    if mustAlign { steps.write([], hold: settings.pause) }
    direction = mustAlign ? 0 : (target - position).signum()
    let place = (position + direction) & 7
    steps.write(LineValues(rawValue: Self.coils[place]), hold: settings.pause)
  }

  public mutating func finishSteps(at clock: Moment, emit: Emit) {
    position += direction
    direction = 0
    mustAlign = false
    guard case .position(position) = model, !hasArrived else { return }
    hasArrived = true
    emit(.arrived(position), clock)
  }

  public mutating func abandonSteps() {
    mustAlign = true
    direction = 0
  }

  // A half step that was pending has been abandoned before; at rest the rotor stays where it is.
  public mutating func loseLines() {}

  /// The coils have no current while there are no steps to do.
  public var outputs: LineValues { [] }

  public var isAtRest: Bool { model == .off || hasArrived }
}
