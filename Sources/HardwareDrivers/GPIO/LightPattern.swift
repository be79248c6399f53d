import CycleCore

/// The on and off times of a light, as a function of time only.
///
///     blink(on: 2, off: 3, times: 2)   ##___##________
///     level 0.3                        ###_______###_______
public struct LightPattern: Equatable, Sendable {
  /// The model, and the moment from which it applies.
  public private(set) var model: LED.Model
  public private(set) var start: Moment
  /// The period of the pulse width modulation that makes levels between off and on.
  public let period: Duration

  /// - Parameter period: clamped to 1 to 50 ms.
  /// - Parameter model: the lamp's model.
  /// - Parameter start: the moment at which the pattern begins.
  public init(model: LED.Model, start: Moment, period: Duration = .milliseconds(10)) {
    self.model = model
    self.start = start
    self.period = min(max(period, .milliseconds(1)), .milliseconds(50))
  }

  /// Replaces the model from this moment on.
  mutating func begin(_ model: LED.Model, at moment: Moment) {
    self.model = model
    start = moment
  }

  /// Whether the light is on at `moment`, and the next moment at which that may change; nil for never.
  public func value(at moment: Moment) -> (isOn: Bool, until: Moment?) {
    let elapsed = max(0, moment.nanoseconds &- start.nanoseconds)
    switch model {
    case .off: return (false, nil)
    case .on: return (true, nil)
    case .level(let level): return modulated(level, elapsed)
    case .blink(let on, let off, let times): return blinking(on.wholeNanoseconds, off.wholeNanoseconds, times, elapsed)
    case .pulse(let length): return pulsing(length.wholeNanoseconds, elapsed)
    }
  }

  private func moment(_ elapsed: Int64) -> Moment {
    start + .nanoseconds(elapsed)
  }

  private func blinking(_ on: Int64, _ off: Int64, _ times: Int?, _ elapsed: Int64) -> (Bool, Moment?) {
    guard on > 0 else { return (false, nil) }
    let (sum, overflow) = on.addingReportingOverflow(max(0, off))
    let length = overflow ? .max : sum
    let round = elapsed / length
    if let times, round >= Int64(times) { return (false, nil) }
    guard off > 0 else { return (true, times.map { end(of: on, times: $0) }) }
    let isOn = elapsed % length < on
    return (isOn, moment(round * length + (isOn ? on : length)))
  }

  /// The end of a blink with no dark time.
  private func end(of on: Int64, times: Int) -> Moment {
    let (total, overflow) = on.multipliedReportingOverflow(by: Int64(times))
    return overflow ? .distantFuture : moment(total)
  }

  private func modulated(_ level: Double, _ elapsed: Int64) -> (Bool, Moment?) {
    let length = period.wholeNanoseconds
    let on = Int64((min(1, max(0, level)) * Double(length)).rounded())
    if on <= 0 { return (false, nil) }
    if on >= length { return (true, nil) }
    let round = elapsed / length
    let isOn = elapsed % length < on
    return (isOn, moment(round * length + (isOn ? on : length)))
  }

  /// Up and down once in every `length`. Perceived brightness is the square root of the level, so the level is the
  /// square of the ramp.
  private func pulsing(_ length: Int64, _ elapsed: Int64) -> (Bool, Moment?) {
    guard length > 0 else { return (true, nil) }
    let slot = period.wholeNanoseconds
    let round = elapsed / slot
    let phase = Double((round * slot) % length) / Double(length)
    let ramp = phase < 0.5 ? 2 * phase : 2 - 2 * phase
    let on = Int64((ramp * ramp * Double(slot)).rounded())
    let isOn = elapsed % slot < on
    return (isOn, moment(round * slot + (isOn && on < slot ? on : slot)))
  }
}
