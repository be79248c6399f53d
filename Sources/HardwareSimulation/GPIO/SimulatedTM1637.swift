import CycleCore
import HardwareDrivers

/// A TM1637 with seven-segment digits on two simulated lines. It reads the edges of its lines as the chip does, pulls DIO
/// low for its acknowledgements, and has resistors from both lines to its supply.
///
///     let display = SimulatedTM1637(on: chip, clock: "GPIO20", data: "GPIO21")
///     …
///     #expect(display.text == "12:34")
///
/// After a power-up its memory is random, and the display is off.
public final class SimulatedTM1637: SimulatedSegmentDisplay {
  public let digitCount: Int
  /// The violations of the data sheet.
  public private(set) var faults: [String] = []
  /// The number of commands that were received.
  public private(set) var commandCount = 0
  public private(set) var isPowered = true

  private let clock: SimulatedLine
  private let data: SimulatedLine
  private var memory: [UInt8] = []
  private var isWritten: [Bool] = []
  private var control: UInt8 = 0
  private var random: SeededGenerator
  private var listeners: [() -> Void] = []

  /// The bits and bytes since the start; nil between a stop and a start.
  private var received: (bits: Int, byte: UInt8, bytes: [UInt8])?
  private var isAcknowledging = false
  private var lastEdge = Moment.zero

  /// The shortest time between two edges of CLK: half a period of 250 kHz.
  private static let shortest = Duration.microseconds(2)

  /// - Parameters:
  ///   - chip: the chip of the lines.
  ///   - clock: the line at CLK.
  ///   - data: the line at DIO.
  ///   - digitCount: the number of digits. A board with 4 digits has a colon.
  public init(on chip: SimulatedChip, clock: LineName, data: LineName, digitCount: Int = 4) {
    self.digitCount = digitCount
    self.clock = chip.line(clock)
    self.data = chip.line(data)
    random = SeededGenerator(seed: chip.bench.random.next())
    reset()
    pull(.high)
    self.clock.onChange(for: self) { [weak self] level, moment in self?.clockChanged(to: level, at: moment) }
    self.data.onChange(for: self) { [weak self] level, _ in self?.dataChanged(to: level) }
  }

  // MARK: - The world's side

  /// Cuts the power: the display is dark, and acknowledges nothing.
  public func unplug() {
    isPowered = false
    acknowledge(false)
    pull(nil)
    notify()
  }

  /// Restores the power.
  public func plug() {
    guard !isPowered else { return }
    isPowered = true
    reset()
    pull(.high)
    notify()
  }

  public func onChange(_ listener: @escaping () -> Void) { listeners.append(listener) }

  public var frame: SegmentFrame {
    let brightness = Double(control & 7) / 7
    guard isPowered, control & 8 != 0 else {
      return SegmentFrame(digits: Array(repeating: 0, count: digitCount), brightness: brightness)
    }
    let frame = SegmentFrame(digits: Array(memory.prefix(digitCount)), brightness: brightness)
    return digitCount == 4 ? frame.withColonOnly : frame
  }

  private func pull(_ level: Level?) {
    clock.pull(level)
    data.pull(level)
  }

  private func reset() {
    memory = (0..<6).map { _ in UInt8.random(in: 0...255, using: &random) }
    isWritten = Array(repeating: false, count: 6)
    (control, received, isAcknowledging) = (0, nil, false)
  }

  private func notify() { for listener in listeners { listener() } }

  // MARK: - The lines

  private func dataChanged(to level: Level) {
    guard isPowered, !isAcknowledging, clock.level == .high else { return }
    if level == .low {
      received = (0, 0, [])
    } else if let all = received {
      received = nil
      take(all.bytes)
    }
  }

  private func clockChanged(to level: Level, at moment: Moment) {
    guard isPowered, received != nil else { return }
    if moment - lastEdge < Self.shortest { fault("CLK changes after less than 2 µs") }
    lastEdge = moment
    if level == .low {
      // The acknowledgement lasts from the falling edge after the eighth bit to the next one.
      if received?.bits == 8 {
        acknowledge(true)
      } else if isAcknowledging {
        acknowledge(false)
      }
    } else if isAcknowledging {
      if let all = received { received = (0, 0, all.bytes + [all.byte]) }
    } else if let all = received {
      received = (all.bits + 1, all.byte >> 1 | (data.level == .high ? 0x80 : 0), all.bytes)
    }
  }

  private func acknowledge(_ isLow: Bool) {
    guard isLow != isAcknowledging else { return }
    // Before the line changes: the chip does not read its own edges.
    if isLow { isAcknowledging = true }
    data.drive(isLow ? .low : nil)
    isAcknowledging = isLow
  }

  private func take(_ bytes: [UInt8]) {
    guard let command = bytes.first else { return }
    commandCount += 1
    switch command & 0xC0 {
    case 0x40: if command != 0x40 { fault("there is no data command \(command)") }
    case 0x80: control = command
    case 0xC0:
      for (place, byte) in bytes.dropFirst().enumerated() {
        let address = (Int(command & 7) + place) % 6
        memory[address] = byte
        isWritten[address] = true
      }
    default: fault("there is no command \(command)")
    }
    if command & 0xC0 != 0xC0, bytes.count > 1 { fault("bytes follow a command") }
    if control & 8 != 0, isWritten.prefix(digitCount).contains(false) { fault("random segments are visible") }
    notify()
  }

  private func fault(_ text: String) {
    if faults.count < 100, faults.last != text { faults.append(text) }
  }
}
