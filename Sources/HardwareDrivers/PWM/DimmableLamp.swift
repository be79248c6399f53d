import CycleCore

/// A lamp that is dimmed by the PWM channels of its lines, or by switching the lines on a machine without such channels.
///
/// It is a ``PWMDriver`` or a ``LineDriver``. The choice is made at each start: when the application starts, and when
/// lost hardware is back.
///
///     DimmableLamp(PWMLED(channel), orOn: LED(chip, line: "GPIO18"))
public struct DimmableLamp<Channels: PWMDevice, Lines: LineDevice>: Driver
where Channels.Model == Lines.Model, Channels.Event == Never, Lines.Event == Never {
  public typealias Model = Lines.Model
  public typealias Event = Never

  public static var recordingName: String { "Dimmable\(typeName(of: Lines.self))" }

  private enum Choice {
    case channels
    case lines
  }

  private let channels: [any PWMChannel]
  private var pwm: PWMDriver<Channels>
  private var lines: LineDriver<Lines>?
  private var choice = Choice.channels

  /// - Parameters:
  ///   - device: the lamp on its channels.
  ///   - lines: the lamp on the lines themselves, for a machine without the channels; nil if the channels are required.
  public init(_ device: Channels, orOn lines: Lines? = nil) {
    channels = device.channels
    pwm = PWMDriver(device)
    self.lines = lines.map { LineDriver($0) }
  }

  public var safeModel: Model { pwm.safeModel }

  public mutating func start(showing model: Model, in context: DriverContext<Never>) throws(DriverError) {
    choice = lines == nil || channels.allSatisfy(\.isPresent) ? .channels : .lines
    switch choice {
    case .channels: try pwm.start(showing: model, in: context)
    case .lines: try lines?.start(showing: model, in: context)
    }
  }

  public mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    switch choice {
    case .channels: try pwm.render(model, replacing: previous)
    case .lines: try lines?.render(model, replacing: previous)
    }
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    switch choice {
    case .channels: try pwm.wake(wake)
    case .lines: try lines?.wake(wake)
    }
  }

  public mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    switch choice {
    case .channels: try pwm.watchForReturn(watcher)
    case .lines: try lines?.watchForReturn(watcher)
    }
  }

  public mutating func stop() {
    switch choice {
    case .channels: pwm.stop()
    case .lines: lines?.stop()
    }
  }
}
