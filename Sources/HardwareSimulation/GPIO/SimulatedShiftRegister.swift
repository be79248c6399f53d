import CycleCore
import HardwareDrivers

/// A 74HC595, or a chain of them, at lines of a simulated chip: takes a bit with each rising clock, and shows what it has with each rising
/// latch.
///
///     let register = SimulatedShiftRegister(chip, data: "GPIO5", clock: "GPIO6", latch: "GPIO13")
///     #expect(register.text == "##______")
///
/// What it holds at power-up is chance. Set-up times are checked by the order of the writes: a system call takes longer than any time
/// in the data sheet, but two lines that change in one call have no order.
///
/// **Source.** Nexperia, 74HC595; 74HCT595, product data sheet, rev. 11, sections 6 and 10.
public final class SimulatedShiftRegister {
  public let outputCount: Int
  private let chip: SimulatedChip
  private let data: SimulatedLine
  private let enable: SimulatedLine?
  /// The stages behind the data line: bit n goes to output n.
  private var stages: LineValues
  /// What the outputs are driven to while they are enabled.
  public private(set) var latched: LineValues
  /// Whether a row has been latched since the power came on.
  private var isKnown = false
  /// Each picture with the moment from which the outputs show it, the newest last; dark while they are not enabled.
  public private(set) var pictures: [(moment: Moment, levels: LineValues)] = []
  /// How many rows have been latched.
  public private(set) var latchCount = 0
  /// What was done against the data sheet, a sentence each; no more than the first 100.
  public private(set) var faults: [String] = []
  /// The number of the write in which a line changed last.
  private var dataWrite = -1
  private var clockWrite = -1

  /// - Parameters:
  ///   - outputEnable: the line to /OE, which gets a pull-up resistor; nil where /OE is wired to ground.
  ///   - chipCount: how many registers are in the chain, 1 to 8.
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
    self.data.onChange { [weak self] _, _ in self?.changeData(isClockHigh: clock.level == .high) }
    clock.onChange { [weak self] level, _ in if level == .high { self?.shift() } }
    chip.line(latch).onChange { [weak self] level, moment in if level == .high { self?.show(at: moment) } }
    enable?.onChange { [weak self] level, moment in self?.enableOutputs(level == .low, at: moment) }
  }

  /// Cuts the power and brings it back: what the register holds then is chance.
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

  private func note(at moment: Moment) {
    if pictures.last?.levels != levels { pictures.append((moment, levels)) }
  }

  private func complainOfData() {
    complain("data changed in the write with which the clock rose: the bit has no order")
  }

  private func complain(_ sentence: String) {
    if faults.count < 100 { faults.append(sentence) }
  }
}
