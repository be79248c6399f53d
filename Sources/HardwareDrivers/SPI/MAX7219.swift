import CycleCore

/// A MAX7219 or MAX7221 with up to eight seven-segment digits on an SPI bus.
///
/// **Wiring.** DIN, CLK and CS, 5 V, ground. The chip takes a high level of 3.5 V at least, so a Raspberry Pi needs a
/// level shifter, such as a 74AHCT125. Digit 0 of the chip is the last one, as on most boards.
///
/// **Source.** Maxim MAX7219/MAX7221, 19-4452, rev. 4.
public struct MAX7219: SegmentChip {
  private enum Register {
    static let decodeMode: UInt8 = 0x09
    static let intensity: UInt8 = 0x0A
    static let scanLimit: UInt8 = 0x0B
    static let shutdown: UInt8 = 0x0C
    static let displayTest: UInt8 = 0x0F
  }

  /// The frequency of the clock; the chip takes 10 MHz.
  public static let hertz = 1_000_000

  public let digitCount: Int
  private let device: SPIDevice

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - bus: the bus.
  ///   - chipSelect: the number of the chip select.
  ///   - digitCount: 1 to 8.
  public init(_ bus: any SPIBus, chipSelect: Int = 0, digitCount: Int = 8) {
    precondition((1...8).contains(digitCount), "a MAX7219 has 1 to 8 digits")
    self.digitCount = digitCount
    device = SPIDevice(bus, chipSelect: chipSelect, SPISettings(hertz: Self.hertz))
  }

  public var hasColon: Bool { false }
  public var needsThread: Bool { device.bus.needsThread }
  public var label: String { "the display" }

  public mutating func show(
    _ frame: SegmentFrame, replacing shown: SegmentFrame?, on clock: WorkClock
  ) throws(DriverError) {
    // A register is latched at the end of each selection.
    var messages: [SPIMessage] = []
    func write(_ register: UInt8, _ value: UInt8) {
      if !messages.isEmpty { messages.append(.reselect) }
      messages.append(.write([register, value]))
    }
    let isDark = shown?.isDark ?? true
    if shown == nil {
      // After a power-up the digits are random, and the chip is shut down.
      write(Register.displayTest, 0)
      write(Register.decodeMode, 0)
      // With fewer than four digits, each of them would get more current than the chip may give.
      write(Register.scanLimit, UInt8(max(4, digitCount) - 1))
      for digit in digitCount..<max(4, digitCount) { write(UInt8(digit + 1), 0) }
    }
    if frame.isDark, !(shown?.isDark ?? false) { write(Register.shutdown, 0) }
    if shown?.brightness != frame.brightness { write(Register.intensity, Self.intensity(frame.brightness)) }
    for (place, segments) in frame.digits.enumerated() where shown?.digits[place] != segments {
      write(UInt8(digitCount - place), Self.byte(segments))
    }
    if !frame.isDark, isDark { write(Register.shutdown, 1) }
    if !messages.isEmpty { _ = try device.transfer(messages, on: clock) }
  }

  /// The brightness has 16 steps.
  private static func intensity(_ share: Double) -> UInt8 {
    share > 0 ? UInt8((min(share, 1) * 15).rounded()) : 0
  }

  /// The chip has segment a in bit 6 and g in bit 0.
  static func byte(_ segments: UInt8) -> UInt8 {
    (0..<7).reduce(segments & SegmentFrame.point) { byte, bit in byte | (segments >> UInt8(bit) & 1) << UInt8(6 - bit) }
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try device.bus.watchForReturn(watcher)
  }

  public mutating func close() { device.close() }
}
