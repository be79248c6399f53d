import CycleCore

/// A row of lamps of which the first so many are lit: a level, a countdown.
///
/// **Wiring.** Each lamp from its line through a resistor to ground. For a bar with a common supply set `isActiveLow: true`.
///
/// **Timing.** All lamps change in one system call.
///
///     Lens(LEDBar(chip, lines: ["GPIO5", "GPIO6", "GPIO13"]), show: { .init(level: $0.count) })
public struct LEDBar: LineDriver {
  public struct Settings: Equatable, Sendable {
    /// To ground: lit is high.
    public var isActiveLow: Bool
    public var drive: Drive

    public init(
      isActiveLow: Bool = false, drive: Drive = .pushPull
    ) {
      self.isActiveLow = isActiveLow
      self.drive = drive
    }
  }

  public struct Model: Equatable, Sendable {
    /// How many lamps are lit, from the first; beyond 0 and the number of lamps, the nearer of the two.
    public var level: Int

    public init(level: Int) { self.level = level }
  }

  public enum Event: Equatable, Sendable {
    case trouble(Trouble)
  }

  public let chip: any GPIOChip
  public let device: LEDBarDevice
  public var group: LineGroup<LEDBarDevice, Event>?

  /// - Parameter lines: 1 to 64, the first one lit first.
  public init(_ chip: any GPIOChip, lines: [LineName], settings: Settings = Settings()) {
    self.chip = chip
    device = LEDBarDevice(lines: lines, settings: settings)
  }
}

/// What an ``LEDBar`` does with its lines.
public struct LEDBarDevice: LineDevice {
  public typealias Model = LEDBar.Model
  public typealias Event = LEDBar.Event

  private let names: [LineName]
  private let settings: LEDBar.Settings
  private var level = 0

  init(lines: [LineName], settings: LEDBar.Settings) {
    names = lines
    self.settings = settings
  }

  public var safeModel: Model { Model(level: 0) }

  public var lines: [LineConfiguration] {
    names.indices.map {
      LineConfiguration(
        names[$0], .output(outputs[$0], settings.drive), isActiveLow: settings.isActiveLow)
    }
  }

  public mutating func render(_ model: Model, at moment: Moment) {
    level = min(names.count, max(0, model.level))
  }

  public var outputs: LineValues { .first(level) }

  public static func event(for trouble: Trouble) -> Event? { .trouble(trouble) }
}
