import CycleCore

/// A device on PWM channels: a lamp, a servo, a buzzer. It makes waves of models and moments.
///
/// It is a state machine that touches no hardware and never reads a clock, like a ``LineDevice``. ``PWMDriver`` opens,
/// writes, loses and restores its channels.
public protocol PWMDevice {
  /// The desired state of the device.
  associatedtype Model: Equatable, Sendable
  /// An event of the device. `Never` for a device without events.
  associatedtype Event: Sendable = Never

  /// Emits an event that happened at the moment.
  typealias Emit = (Event, Moment) -> Void

  /// The device's channels, at least one.
  var channels: [any PWMChannel] { get }
  /// The model that is rendered when the application ends.
  var safeModel: Model { get }

  /// Applies a model that is valid from `moment` on.
  mutating func render(_ model: Model, at moment: Moment)
  /// The wave of a channel now.
  func wave(of channel: Int) -> PWMWave

  /// The wave with which a channel is opened, before all channels are there. The default is ``wave(of:)``.
  func openingWave(of channel: Int) -> PWMWave
  /// Called when a write failed: the waves that the channels show are unknown until the next ones are written. Does
  /// nothing by default.
  mutating func failWrite()

  /// The moment at which ``ring(at:emit:)`` should be called next; nil for never, the default. Even if the call is
  /// late, its moment is this one.
  var alarm: Moment? { get }
  /// Called when ``alarm`` is due.
  mutating func ring(at moment: Moment, emit: Emit)
  /// Whether the hardware has reached the state of the last model; true by default.
  var isAtRest: Bool { get }
  /// Whether the waves of ``safeModel``, or of another safe model, stay on the lines when the application has ended:
  /// true for a lamp that is dark while its line is high. False by default: the lines are low then.
  static var keepsWaves: Bool { get }
  /// Called when the channels were closed or lost: nothing is shown. ``render(_:at:)`` follows before they are opened
  /// again.
  mutating func loseChannels()
}

extension PWMDevice {
  public func openingWave(of channel: Int) -> PWMWave { wave(of: channel) }
  public mutating func failWrite() {}
  public var alarm: Moment? { nil }
  public mutating func ring(at moment: Moment, emit: Emit) {}
  public var isAtRest: Bool { true }
  public static var keepsWaves: Bool { false }
  public mutating func loseChannels() {}
}
