import CycleCore

/// The on and off times of lines that show a light, as a function of time only.
///
///     blink(on: 2, off: 3, times: 2)   ##___##________
///     level 0.3                        ###_______###_______
public struct LightSwitchTimes<Look: Blendable>: Equatable, Sendable {
  private var state: LightState<Look>
  // Small, because lamps are copied.
  private let periodNanoseconds: UInt32

  /// - Parameter period: clamped to 1 to 50 ms.
  /// - Parameter light: the light of the lamp.
  /// - Parameter start: the moment at which the light begins.
  public init(_ light: Light<Look>, start: Moment, period: Duration = .milliseconds(10)) {
    state = LightState(light, at: start)
    periodNanoseconds = UInt32(min(max(period, .milliseconds(1)), .milliseconds(50)).wholeNanoseconds)
  }

  /// The period of the pulse width modulation that makes levels between off and on.
  public var period: Duration { .nanoseconds(Int64(periodNanoseconds)) }
  public var light: Light<Look> { state.light }
  /// The moment from which the light applies.
  public var start: Moment { state.start }

  /// Replaces the light from this moment on. The same one continues.
  mutating func begin(_ light: Light<Look>, at moment: Moment) { state.begin(light, at: moment) }

  /// Whether a line is on at `moment`, and the next moment at which that may change; nil for never.
  ///
  /// - Parameters:
  ///   - moment: not before ``start``.
  ///   - share: returns the part of a look that the line shows, 0 to 1.
  @inline(__always)
  func value(at moment: Moment, showing share: (Look) -> Double) -> (isOn: Bool, until: Moment?) {
    let shown = state.shown(at: moment)
    var level = share(shown.look)
    if !shown.isChanging {
      if level <= 0 { return (false, shown.until) }
      if level >= 1 { return (true, shown.until) }
    }
    let length = Int64(periodNanoseconds)
    let elapsed = max(0, moment.nanoseconds &- start.nanoseconds)
    let round = elapsed / length
    // A level that changes is that of the beginning of its period.
    if shown.isChanging { level = share(state.shown(at: start + .nanoseconds(round * length)).look) }
    let on = Int64((level * Double(length)).rounded())
    if !shown.isChanging, on <= 0 || on >= length { return (on > 0, shown.until) }
    let isOn = elapsed % length < on
    let next = start + .nanoseconds(round * length + (isOn && on < length ? on : length))
    return (isOn, shown.isChanging ? next : min(next, shown.until ?? next))
  }
}

extension LightSwitchTimes<Brightness> {
  /// Whether the line of a lamp is on at `moment`, and the next moment at which that may change; nil for never.
  public func value(at moment: Moment) -> (isOn: Bool, until: Moment?) { value(at: moment) { $0.share } }
}
