import CycleCore
import HardwareDrivers

/// A MAX7219 with seven-segment digits on a simulated SPI bus.
///
///     let display = SimulatedMAX7219(bench, digitCount: 8)
///     bus.connect(display, at: 0)
///     …
///     #expect(display.text == "12.34    ")
///
/// After a power-up its digits are random, and it is shut down. It takes a register at the end of each selection, from
/// the last 16 bits.
public final class SimulatedMAX7219: SimulatedSPIDevice, SimulatedSegmentDisplay {
  public let digitCount: Int
  /// The violations of the data sheet.
  public private(set) var faults: [String] = []
  /// The number of registers that were written.
  public private(set) var writeCount = 0

  private var registers = [UInt8](repeating: 0, count: 16)
  /// The digits that were written since the power-up.
  private var isWritten: [Bool] = []
  private var shift: UInt16 = 0
  private var bitCount = 0
  private var random: SeededGenerator
  private var listeners: [() -> Void] = []

  public var maximumHertz: Int { 10_000_000 }

  /// - Parameters:
  ///   - bench: the bench, whose random numbers fill the registers.
  ///   - digitCount: the number of digits that are connected.
  public init(_ bench: Bench, digitCount: Int = 8) {
    self.digitCount = digitCount
    random = SeededGenerator(seed: bench.random.next())
    powerUp()
  }

  /// Cuts the power and restores it.
  public func powerUp() {
    registers = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    (registers[0x0C], registers[0x0F]) = (0, 0)
    isWritten = Array(repeating: false, count: 9)
    for listener in listeners { listener() }
  }

  public func onChange(_ listener: @escaping () -> Void) { listeners.append(listener) }

  public var frame: SegmentFrame {
    let brightness = Double(registers[0x0A] & 0xF) / 15
    let digits: [UInt8] = (0..<digitCount).map { place in
      if registers[0x0F] & 1 != 0 { return 0xFF }
      let number = digitCount - 1 - place
      guard registers[0x0C] & 1 != 0, number <= Int(registers[0x0B] & 7), registers[0x09] == 0 else { return 0 }
      let byte = registers[number + 1]
      return (0..<7).reduce(byte & SegmentFrame.point) { $0 | (byte >> UInt8(6 - $1) & 1) << UInt8($1) }
    }
    return SegmentFrame(digits: digits, brightness: brightness)
  }

  public func select(at moment: Moment, hertz: Int) { bitCount = 0 }

  public func exchange(_ byte: UInt8, at moment: Moment) -> UInt8 {
    let out = UInt8(shift >> 8)
    shift = shift << 8 | UInt16(byte)
    bitCount += 8
    return out
  }

  public func deselect(at moment: Moment) {
    guard bitCount > 0 else { return }
    if bitCount % 16 != 0 { fault("\(bitCount) bits are no register") }
    let (register, value) = (Int(shift >> 8 & 0xF), UInt8(shift & 0xFF))
    writeCount += 1
    registers[register] = value
    if (1...8).contains(register) { isWritten[register] = true }
    if registers[0x0C] & 1 != 0 {
      if registers[0x09] != 0 { fault("it decodes the digits while it is on") }
      if registers[0x0B] & 7 < 3 { fault("it scans fewer than four digits") }
      for number in 0...Int(registers[0x0B] & 7) where !isWritten[number + 1] {
        fault("digit \(number) is random while it is on")
      }
    }
    for listener in listeners { listener() }
  }

  private func fault(_ text: String) {
    if faults.count < 100, faults.last != text { faults.append(text) }
  }
}
