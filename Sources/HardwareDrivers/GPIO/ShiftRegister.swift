import CycleCore

/// A 74HC595 shift register, or up to eight of them in a chain: 8 to 64 outputs on three or four lines.
///
/// **Wiring.** The lines go to DS (data, pin 14), SHCP (clock, 11) and STCP (latch, 12) of the first chip. Q7S (9) of
/// each chip goes to DS of the next one, clock and latch to all. /MR (10) is wired to the supply. /OE (13) is wired to
/// ground, or to a line with a pull-up resistor of 10 kΩ: then no output is driven before the first row has been
/// written. Without that line the outputs have unknown levels from power-up until the driver has started.
///
/// **Timing.** A model is written as one row: two writes for each output, one to latch them, and the first time one
/// more to enable the outputs. All outputs change together at the last of these writes. Each level lasts one system
/// call, 200 ns or more; the data sheet requires 100 ns at 2 V and less at higher voltages. 64 outputs take 129 calls,
/// 0.1 to 0.4 ms on a Raspberry Pi.
///
/// **Source.** Nexperia, 74HC595; 74HCT595, product data sheet, rev. 11, sections 6 (function table) and 10 (dynamic
/// characteristics).
///
///     Lens(
///       ShiftRegister(chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13", outputEnable: "GPIO19"),
///       show: { .first($0.level) })
///
/// To connect an LED, a bar or a relay to its outputs, see ``ShiftRegisterChip``.
public struct ShiftRegister: LineDevice, StepTaker {
  public struct Settings: Equatable, Sendable {
    /// The number of registers in the chain, 1 to 8.
    public var chipCount: Int

    public init(chipCount: Int = 1) {
      precondition((1...8).contains(chipCount), "a chain has 1 to 8 shift registers, not \(chipCount)")
      self.chipCount = chipCount
    }
  }

  /// The levels of the outputs: bit n is Q(n modulo 8) of chip n / 8, counted from the chip at the data line. Bits
  /// without an output are ignored.
  public typealias Model = LineValues
  public typealias Event = Never

  private static let data = LineValues(rawValue: 1)
  private static let clock = LineValues(rawValue: 2)
  private static let latch = LineValues(rawValue: 4)
  private static let enable = LineValues(rawValue: 8)

  public let chip: any GPIOChip
  private let names: [LineName]
  private let settings: Settings
  private var model: LineValues = []
  /// The row on the outputs; nil if a row must be written in any case, because an unknown part of one may have been
  /// shifted in.
  private var latched: LineValues?
  /// The row that is being written.
  private var row: LineValues = []
  /// Whether the outputs have been enabled, after a first row.
  private var isEnabled = false

  /// - Parameter outputEnable: the line to /OE, active low; nil if /OE is wired to ground.
  /// - Parameter settings: everything that has a default.
  /// - Parameter chip: the chip that the lines belong to.
  /// - Parameter data: the line at SER.
  /// - Parameter latch: the line at RCLK.
  /// - Parameter clock: the line at SRCLK.
  public init(
    _ chip: any GPIOChip, data: LineName, clock: LineName, latch: LineName, outputEnable: LineName? = nil,
    settings: Settings = Settings()
  ) {
    self.chip = chip
    names = [data, clock, latch] + (outputEnable.map { [$0] } ?? [])
    self.settings = settings
  }

  /// The number of outputs, 8 to 64.
  public var outputCount: Int { settings.chipCount * 8 }

  public var safeModel: LineValues { [] }

  public var lines: [LineConfiguration] {
    names.indices.map {
      // /OE is active low: the outputs are off while its line is inactive.
      LineConfiguration(names[$0], .output(outputs[$0], .pushPull), isActiveLow: $0 == 3)
    }
  }

  public mutating func loseLines() {
    latched = nil
    isEnabled = false
  }

  public mutating func render(_ model: LineValues, at moment: Moment) {
    self.model = model.intersection(.first(outputCount))
  }

  /// Between two rows the latch stays high, and falls with the first bit of the next row. So the last write of a row is
  /// the one that changes the outputs, and a row that fails at any write has changed none.
  public var outputs: LineValues { isEnabled ? enabled.union(Self.latch) : [] }

  private var enabled: LineValues { names.count > 3 ? Self.enable : [] }

  public mutating func addSteps(to steps: inout LineSteps) {
    guard latched != model else { return }
    row = model
    let base = isEnabled ? enabled : []
    for output in (0..<outputCount).reversed() {
      let bit = row[output].isActive ? base.union(Self.data) : base
      steps.write(bit)
      steps.write(bit.union(Self.clock))
    }
    steps.write(base.union(Self.latch))
    if !isEnabled, !enabled.isEmpty { steps.write(enabled.union(Self.latch)) }
  }

  public mutating func finishSteps(at clock: Moment, emit: Emit) {
    latched = row
    isEnabled = true
  }

  public mutating func abandonSteps() {
    latched = nil
  }
}
