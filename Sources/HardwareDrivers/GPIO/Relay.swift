import CycleCore

/// A relay, a lock, a motor's enable: energised or not.
///
/// **Wiring.** The line to the relay board's input, never directly to the coil. Most boards switch when their input is
/// low: set `isActiveLow: true`, or the relay is energised while it should be off.
///
/// **Timing.** The line is requested with the value of the seed's model, so the relay doesn't click at start. When the
/// program is killed, the kernel of a Raspberry Pi keeps driving the line: run `panel safe` then.
///
///     Lens(Relay(chip, line: "GPIO24"), show: { $0.isOpen ? .on : .off })
public struct Relay: LineDevice {
  public struct Settings: Equatable, Sendable {
    /// False if high energises the relay, true if low does.
    public var isActiveLow: Bool
    public var drive: Drive

    public init(
      isActiveLow: Bool = false, drive: Drive = .pushPull
    ) {
      self.isActiveLow = isActiveLow
      self.drive = drive
    }
  }

  public enum Model: Equatable, Sendable, Codable {
    case off
    case on
  }

  public let chip: any GPIOChip
  private let line: LineName
  private let settings: Settings
  private var model = Model.off

  public init(_ chip: any GPIOChip, line: LineName, settings: Settings = Settings()) {
    self.chip = chip
    self.line = line
    self.settings = settings
  }

  public var safeModel: Model { .off }

  public var lines: [LineConfiguration] {
    [LineConfiguration(line, .output(outputs[0], settings.drive), isActiveLow: settings.isActiveLow)]
  }

  public mutating func render(_ model: Model, at moment: Moment) {
    self.model = model
  }

  public var outputs: LineValues { model == .on ? .first(1) : [] }
}
