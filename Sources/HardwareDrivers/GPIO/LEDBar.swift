import CycleCore

/// A row of lamps of which the first ones are lit, up to a level: for a volume, a countdown.
///
/// **Wiring.** Each lamp from its line through a resistor to ground. For a bar with a common supply set `isActiveLow:
/// true`.
///
/// **Timing.** All lamps change in one system call. With libgpiod 1.6 it is one call for each combination of drive and
/// polarity. After a reload that has added lamps, it is one call for each request of the kernel.
///
///     Lens(LEDBar(chip, lines: ["GPIO5", "GPIO6", "GPIO13"]), show: { .init(level: $0.count) })
public struct LEDBar: LineDevice {
  public struct Settings: Equatable, Sendable {
    /// False for lamps from the lines to ground: lit is high.
    public var isActiveLow: Bool
    public var drive: Drive

    public init(
      isActiveLow: Bool = false, drive: Drive = .pushPull
    ) {
      self.isActiveLow = isActiveLow
      self.drive = drive
    }
  }

  public struct Model: Equatable, Sendable, Codable {
    /// The number of lit lamps, from the first; clamped to 0 to the number of lamps.
    public var level: Int

    public init(level: Int) { self.level = level }
  }

  public let chip: any GPIOChip
  private let names: [LineName]
  private let settings: Settings
  private var level = 0

  /// - Parameter lines: 1 to 64, the first one lit first.
  /// - Parameter chip: the chip that the lines belong to.
  /// - Parameter settings: everything that has a default.
  public init(_ chip: any GPIOChip, lines: [LineName], settings: Settings = Settings()) {
    self.chip = chip
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
}
