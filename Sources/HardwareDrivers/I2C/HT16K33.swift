import CycleCore

/// An HT16K33 with seven-segment digits on an I²C bus: the board with four digits and a colon that is sold as
/// "backpack", or up to eight digits.
///
/// **Wiring.** SDA, SCL, VCC, ground. Resistors on the board pull SDA and SCL up to VCC, so a Raspberry Pi needs 3.3 V
/// there, at which most boards work with less light, or a level shifter and 5 V, as the data sheet asks for. The address
/// is 0x70, plus the bridges at A0 to A2.
///
/// **Source.** Holtek HT16K33, rev. 1.10; the rows of the board with four digits: Adafruit 879.
public struct HT16K33: SegmentChip {
  private static let oscillatorOn: UInt8 = 0x21
  private static let rowOutput: UInt8 = 0xA0
  private static let displayOn: UInt8 = 0x81
  private static let displayOff: UInt8 = 0x80
  private static let dimming: UInt8 = 0xE0

  public let digitCount: Int
  private let board: I2CDevice

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - bus: the bus.
  ///   - address: 0x70 to 0x77.
  ///   - digitCount: 1 to 8. A board with 4 digits has a colon between them.
  public init(_ bus: any I2CBus, address: I2CAddress = 0x70, digitCount: Int = 4) {
    precondition((1...8).contains(digitCount), "an HT16K33 has 1 to 8 digits")
    self.digitCount = digitCount
    board = I2CDevice(bus, at: address)
  }

  public var hasColon: Bool { digitCount == 4 }
  public var needsThread: Bool { board.bus.needsThread }
  public var label: String { "the display at \(board.address)" }

  public mutating func show(
    _ frame: SegmentFrame, replacing shown: SegmentFrame?, on clock: WorkClock
  ) throws(DriverError) {
    let isDark = shown?.isDark ?? true
    if shown == nil {
      // After a power-up the memory has random contents, and the display is off.
      try board.write([Self.oscillatorOn], on: clock)
      try board.write([Self.rowOutput], on: clock)
    }
    if frame.isDark, !(shown?.isDark ?? false) { try board.write([Self.displayOff], on: clock) }
    if shown?.brightness != frame.brightness {
      try board.write([Self.dimming | Self.level(frame.brightness)], on: clock)
    }
    if shown?.digits != frame.digits || shown?.showsColon != frame.showsColon {
      try board.write([0] + memory(of: frame), on: clock)
    }
    if !frame.isDark, isDark { try board.write([Self.displayOn], on: clock) }
  }

  /// The brightness has 16 steps.
  private static func level(_ share: Double) -> UInt8 { share > 0 ? UInt8((min(share, 1) * 15).rounded()) : 0 }

  /// The rows of the digits: with four digits, the row in the middle has the colon.
  static func rows(digitCount: Int) -> [Int] { digitCount == 4 ? [0, 1, 3, 4] : Array(0..<digitCount) }
  /// The row and the bit of the colon.
  static let colon = (row: 2, bit: 0x02 as UInt8)

  /// The 16 bytes of the memory: two for each row, of which the first has the segments.
  private func memory(of frame: SegmentFrame) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    for (row, segments) in zip(Self.rows(digitCount: digitCount), frame.digits) { bytes[2 * row] = segments }
    if hasColon, frame.showsColon { bytes[2 * Self.colon.row] |= Self.colon.bit }
    return bytes
  }

  public func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try board.bus.watchForReturn(watcher)
  }

  public mutating func close() { board.close() }
}
