import CycleCore

/// A single seven-segment digit whose segments are at lines.
///
/// **Wiring.** Segments a to g, and the point if there is an eighth line, each through a resistor. For a digit with a
/// common cathode, its common pin is at ground; for one with a common anode it is at the supply: set `isActiveLow: true`.
///
/// **Timing.** All segments change in one system call. Several digits would have to be switched in turn, 400 times per
/// second: use a chip for them, such as a ``TM1637``.
///
///     Lens(SegmentLines(chip, lines: ["GPIO5", …]), show: { SegmentText("\($0.count)") })
public struct SegmentLines: LineDevice {
  public struct Settings: Equatable, Sendable {
    /// False for a digit with a common cathode: a lit segment is high.
    public var isActiveLow: Bool
    public var drive: Drive

    public init(isActiveLow: Bool = false, drive: Drive = .pushPull) {
      (self.isActiveLow, self.drive) = (isActiveLow, drive)
    }
  }

  public let chip: any GPIOChip
  private let names: [LineName]
  private let settings: Settings
  private var segments: UInt8 = 0

  /// - Parameters:
  ///   - chip: the chip of the lines.
  ///   - lines: those of the segments a to g, and the one of the point, if the digit has one at a line: 7 or 8.
  ///   - settings: everything that has a default.
  public init(_ chip: any GPIOChip, lines: [LineName], settings: Settings = Settings()) {
    precondition((7...8).contains(lines.count), "a digit has 7 segments, and a point")
    self.chip = chip
    names = lines
    self.settings = settings
  }

  public var safeModel: SegmentText { .blank }

  public var lines: [LineConfiguration] {
    names.indices.map {
      LineConfiguration(names[$0], .output(outputs[$0], settings.drive), isActiveLow: settings.isActiveLow)
    }
  }

  public mutating func render(_ model: SegmentText, at moment: Moment) {
    segments = model.brightness > 0 ? model.frame(count: 1, hasColon: false).digits[0] : 0
  }

  public var outputs: LineValues { LineValues(rawValue: UInt64(segments)).intersection(.first(names.count)) }
}
