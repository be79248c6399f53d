import CycleCore
import HardwareDrivers

/// A 74HC595, or a chain of them, at lines of a simulated chip. It shifts a bit in at each rising edge of the clock,
/// and copies the bits to its outputs at each rising edge of the latch.
///
///     let register = SimulatedShiftRegister(chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13")
///     #expect(register.text == "##______")
///
/// Its contents at power-up are random. Set-up times are checked by the order of the writes. Lines that change in
/// separate system calls satisfy every time in the data sheet; lines that change in one call have no defined order.
///
/// **Source.** Nexperia, 74HC595; 74HCT595, product data sheet, rev. 11, sections 6 and 10.
public final class SimulatedShiftRegister {
  public let outputCount: Int
  private let chip: SimulatedChip
  private let data: SimulatedLine
  private let enable: SimulatedLine?
  /// The shift register's bits: the latch copies bit n to output n.
  private var stages: LineValues
  /// The levels of the outputs while they are enabled.
  public private(set) var latched: LineValues
  /// Whether the outputs have been latched since power-up; until then they are random.
  private var isKnown = false
  /// The levels of the outputs after each change, with its moment, the newest last; all low while they are not enabled.
  /// Keeps at least the newest 4 096.
  public var pictures: [(moment: Moment, levels: LineValues)] { pictureLog.entries }
  private var pictureLog = RecentEntries<(moment: Moment, levels: LineValues)>()
  private var listeners: [(LineValues, Moment) -> Void] = []
  /// The number of rising edges of the latch.
  public private(set) var latchCount = 0
  /// One sentence for each violation of the data sheet; only the first 100.
  public private(set) var faults: [String] = []
  /// The numbers of the writes in which the data line last changed, and the clock last rose: the chip's `writeCount`.
  private var dataWrite = -1
  private var clockWrite = -1

  /// - Parameters:
  ///   - outputEnable: the line to /OE, which gets a pull-up resistor; nil if /OE is wired to ground.
  ///   - chipCount: the number of registers in the chain, 1 to 8.
  ///   - chip: the chip that the lines belong to.
  ///   - clock: the line at SRCLK.
  ///   - data: the line at SER.
  ///   - latch: the line at RCLK.
  public init(
    _ chip: SimulatedChip, data: LineName, clock: LineName, latch: LineName, outputEnable: LineName? = nil,
    chipCount: Int = 1
  ) {
    self.chip = chip
    outputCount = chipCount * 8
    self.data = chip.line(data)
    enable = outputEnable.map { chip.line($0) }
    stages = []
    latched = []
    enable?.pull(.high)
    powerUp()
    let clock = chip.line(clock)
    self.data.onChange(for: self) { [weak self] _, _ in self?.changeData(isClockHigh: clock.level == .high) }
    clock.onChange(for: self) { [weak self] level, _ in if level == .high { self?.shift() } }
    chip.line(latch).onChange(for: self) { [weak self] level, moment in if level == .high { self?.show(at: moment) } }
    enable?.onChange(for: self) { [weak self] level, moment in self?.enableOutputs(level == .low, at: moment) }
  }

  /// Cuts the power and restores it: then the register's contents are random.
  public func powerUp() {
    stages = LineValues(rawValue: chip.bench.random.next()).intersection(.first(outputCount))
    latched = LineValues(rawValue: chip.bench.random.next()).intersection(.first(outputCount))
    isKnown = false
    note(at: chip.bench.now)
  }

  /// Whether the outputs are driven.
  public var isEnabled: Bool { enable?.level != .high }

  /// The levels of the outputs: bit n is output n; low while they are not enabled.
  public var levels: LineValues { isEnabled ? latched : [] }

  /// The outputs from the first one on: `#` for high.
  public var text: String { (0..<outputCount).map { levels[$0].isActive ? "#" : "_" }.joined() }

  private func changeData(isClockHigh: Bool) {
    dataWrite = chip.writeCount
    if clockWrite == dataWrite, isClockHigh { complainOfData() }
  }

  private func shift() {
    clockWrite = chip.writeCount
    if dataWrite == clockWrite { complainOfData() }
    stages = stages.shifted(by: 1).intersection(.first(outputCount))
    stages[0] = LineValue(data.level == .high)
  }

  private func show(at moment: Moment) {
    if clockWrite == chip.writeCount { complain("clock and latch rose in one write: what is latched has no order") }
    latched = stages
    isKnown = true
    latchCount += 1
    note(at: moment)
  }

  private func enableOutputs(_ areEnabled: Bool, at moment: Moment) {
    if areEnabled, !isKnown { complain("the outputs were enabled before a row was latched") }
    note(at: moment)
  }

  /// Calls `listener` with the levels of the outputs at each change.
  public func onChange(_ listener: @escaping (LineValues, Moment) -> Void) {
    listeners.append(listener)
  }

  private func note(at moment: Moment) {
    guard pictures.last?.levels != levels else { return }
    pictureLog.append((moment, levels))
    for listener in listeners { listener(levels, moment) }
  }

  private func complainOfData() {
    complain("data changed in the write with which the clock rose: the bit has no order")
  }

  private func complain(_ sentence: String) {
    if faults.count < 100 { faults.append(sentence) }
  }
}
