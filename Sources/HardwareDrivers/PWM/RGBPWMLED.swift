import CycleCore

/// A lamp of three or four LEDs in one, each on a PWM channel: any colour without a wake-up, and smooth fades.
///
/// **Wiring.** As an ``RGBLED``.
///
/// **Timing.** As a ``PWMLED``: while the colour changes, a channel is written when its step of 1 024 changes, at most
/// 50 times a second.
public struct RGBPWMLED: PWMDevice {
  public typealias Event = Never

  public static var keepsWaves: Bool { true }
  public let channels: [any PWMChannel]
  private let settings: PWMLED.Settings
  private var course: LightCourse<Colour>

  /// - Parameters:
  ///   - channels: the channels of red, green and blue, and of white if there are four.
  ///   - settings: everything that has a default.
  ///   - since: the moment at which the lamp began to show the first model, in an application that replaces another.
  public init(_ channels: [any PWMChannel], settings: PWMLED.Settings = .init(), since: Moment? = nil) {
    precondition((3...Colour.channelCount).contains(channels.count), "a lamp of colours has 3 or 4 channels")
    self.channels = channels
    self.settings = settings
    course = LightCourse(since: since)
  }

  public var safeModel: Light<Colour> { .off }

  public mutating func render(_ model: Light<Colour>, at moment: Moment) {
    course.begin(model, at: moment, isSameStep: isSameStep)
  }

  public mutating func ring(at moment: Moment, emit: Emit) { course.follow(moment, isSameStep: isSameStep) }

  public var alarm: Moment? { course.alarm }

  public func wave(of channel: Int) -> PWMWave { settings.wave(of: course.look[channel]) }

  private func isSameStep(_ one: Colour, _ other: Colour) -> Bool {
    channels.indices.allSatisfy { PWMLED.Settings.step(one[$0]) == PWMLED.Settings.step(other[$0]) }
  }
}
