import CycleCore

/// The registers of an MCP23017: sixteen lines, GPA0 to GPA7 and GPB0 to GPB7, each with a pull-up resistor that can be
/// switched on.
///
/// **Wiring.** SDA, SCL, 1.8 V to 5.5 V, ground; RESET to the supply. The address is 0x20, plus the levels of A0 to A2.
/// INTA or INTB, which are joined and open-drain here, goes to a GPIO line. Newer data sheets allow GPA7 and GPB7 as
/// outputs only.
///
/// **Source.** Microchip MCP23017, DS20001952, sections 3.4 to 3.6.
public struct MCP23017: ExpanderRegisters {
  private static let direction: UInt8 = 0x00
  private static let polarity: UInt8 = 0x02
  private static let interruptEnable: UInt8 = 0x04
  private static let interruptControl: UInt8 = 0x08
  private static let settings: UInt8 = 0x0A
  private static let pullUp: UInt8 = 0x0C
  private static let interruptFlag: UInt8 = 0x0E
  private static let latch: UInt8 = 0x14
  /// The settings register where it is while the registers are in two banks.
  private static let settingsInBanks: UInt8 = 0x05
  /// MIRROR and ODR: INTA and INTB are one signal, and drive low only.
  private static let mirrorAndOpenDrain: UInt8 = 0x44

  public init() {}

  public var lineNames: [LineName] { ["A", "B"].flatMap { port in (0..<8).map { LineName("GP\(port)\($0)") } } }

  public func refusal(of line: LineConfiguration) -> String? {
    switch line.direction {
    case .input(.pullDown): "it has no pull-down resistors"
    case .input: nil
    case .output(_, .pushPull, .asIs), .output(_, .pushPull, .disabled): nil
    case .output: "its outputs are push-pull and have no resistors"
    }
  }

  public func setUp(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) {
    // If the registers are in two banks, this joins them; if not, the next write to them repairs what it changes.
    try chip.write([Self.settingsInBanks, 0], on: clock)
    try chip.write([Self.settings, Self.mirrorAndOpenDrain], on: clock)
    try chip.write(Self.pair(Self.polarity, []), on: clock)
    try writeLevels(pins, on: chip, clock)
    try chip.write(Self.pair(Self.pullUp, pins.pullUps), on: clock)
    try chip.write(Self.pair(Self.direction, pins.inputs), on: clock)
    try chip.write(Self.pair(Self.interruptControl, []), on: clock)
    try chip.write(Self.pair(Self.interruptEnable, pins.watched), on: clock)
  }

  public func writeLevels(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) {
    try chip.write(Self.pair(Self.latch, pins.levels), on: clock)
  }

  public func read(on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) -> ExpanderReading {
    // INTF, INTCAP and GPIO follow each other.
    let bytes = try chip.read(6, after: [Self.interruptFlag], on: clock)
    return ExpanderReading(
      levels: Self.values(bytes[4], bytes[5]), changed: Self.values(bytes[0], bytes[1]),
      stored: Self.values(bytes[2], bytes[3]))
  }

  public func readOutputs(
    _ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock
  ) throws(DriverError) -> LineValues? {
    let bytes = try chip.read(22, after: [Self.direction], on: clock)
    guard
      Self.values(bytes[0], bytes[1]) == pins.inputs && Self.values(bytes[4], bytes[5]) == pins.watched
        && bytes[Int(Self.settings)] == Self.mirrorAndOpenDrain && Self.values(bytes[12], bytes[13]) == pins.pullUps
    else { return nil }
    return Self.values(bytes[Int(Self.latch)], bytes[Int(Self.latch) + 1])
  }

  /// The bytes that write a pair of registers, for the lines A and B.
  private static func pair(_ register: UInt8, _ values: LineValues) -> [UInt8] {
    [register, UInt8(values.rawValue & 0xFF), UInt8(values.rawValue >> 8 & 0xFF)]
  }

  private static func values(_ a: UInt8, _ b: UInt8) -> LineValues { LineValues(rawValue: UInt64(a) | UInt64(b) << 8) }
}

extension ExpanderPins {
  /// The inputs among the lowest sixteen lines.
  fileprivate var inputs: LineValues { LineValues.first(16).subtracting(outputs) }
}
