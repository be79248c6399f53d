import CycleCore
import HardwareDrivers

/// An OLED with an SSD1306 or SH1106 on a simulated bus.
///
/// After a power-up the memory has random contents and the display is off. ``faults`` lists what the data sheets
/// forbid, and random pixels that were visible.
///
///     let oled = SimulatedOLED(on: bus)
///     …
///     #expect(oled.visible?[3, 7] == true)
///     #expect(oled.faults == [])
public final class SimulatedOLED: SimulatedI2CDevice, SimulatedOutput {
  /// The OLED's connection to the bus, for faults of only the OLED.
  public private(set) var socket: I2CSocket!
  /// Whether the controller answers a read with its status. Many boards don't: they send 1s.
  public var sendsStatus = true
  /// Sentences on what the program did against the data sheet.
  public private(set) var faults: [String] = []
  /// The bytes that were written to the memory.
  public private(set) var dataCount = 0

  private let bus: SimulatedI2CBus
  private let controller: SSD1306.Controller
  private let height: Int
  private let columns: Int
  private var memory: [UInt8] = []
  /// Whether the program has written each byte of the memory since the power-up.
  private var isWritten: [Bool] = []
  private var page = 0
  private var column = 0
  private var pumps = false
  private var isOn = false
  private var (isMirrored, isFlipped) = (false, false)
  private(set) var contrast: UInt8 = 0x7F
  /// Whether lit pixels are dark, and dark ones lit.
  public private(set) var isInverted = false
  private var rows = 64
  private var random: SeededGenerator
  /// The control byte of the message; nil before it.
  private var control: UInt8?
  /// A command that still lacks its parameter.
  private var incomplete: UInt8?

  /// - Parameters:
  ///   - bus: the bus.
  ///   - address: the address on the bus.
  ///   - controller: the chip.
  ///   - height: the rows of the pixels, 64 or 32.
  public init(
    on bus: SimulatedI2CBus, at address: I2CAddress = 0x3C, controller: SSD1306.Controller = .ssd1306, height: Int = 64
  ) {
    self.bus = bus
    self.controller = controller
    self.height = height
    columns = controller == .ssd1306 ? 128 : 132
    random = SeededGenerator(seed: bus.bench.random.next())
    powerUp()
    socket = bus.connect(self, at: address)
  }

  // MARK: - The world's side

  /// Cuts the power: the OLED is dark and acknowledges nothing.
  public func unplug() {
    socket.isPlugged = false
    isOn = false
  }

  /// Restores the power.
  public func plug() {
    guard !socket.isPlugged else { return }
    socket.isPlugged = true
    powerUp()
  }

  /// The pixels as a viewer sees them, with the board's header above them; nil while the display is off.
  public var visible: PixelBuffer? {
    guard isOn, pumps else { return nil }
    return PixelBuffer(width: SSD1306.width, bytes: visibleBytes)
  }

  private var visibleBytes: [UInt8] {
    var bytes: [UInt8] = []
    for page in 0..<height / 8 {
      let first = (isFlipped ? height / 8 - 1 - page : page) * columns + firstColumn
      let row = memory[first..<first + SSD1306.width]
      bytes += isMirrored ? Array(row.reversed()) : Array(row)
    }
    guard isFlipped || isInverted else { return bytes }
    return bytes.map { byte in (isFlipped ? Self.flipped(byte) : byte) ^ (isInverted ? 0xFF : 0) }
  }

  private static func flipped(_ byte: UInt8) -> UInt8 {
    (0..<8).reduce(0 as UInt8) { flipped, bit in flipped | (byte >> UInt8(bit) & 1) << UInt8(7 - bit) }
  }

  /// The visible state in a few words: a checksum of the pixels, the lit ones, and the contrast; `off` while the
  /// display is off.
  public var picture: String {
    guard isOn, pumps else { return "off" }
    var (sum, lit) = (0 as UInt32, 0)
    for byte in visibleBytes {
      sum = sum &* 31 &+ UInt32(byte)
      lit += byte.nonzeroBitCount
    }
    return "\(lit) lit pixels with checksum \(sum), contrast \(contrast)"
  }

  private var firstColumn: Int { controller == .ssd1306 ? 0 : 2 }

  private func powerUp() {
    memory = (0..<8 * columns).map { _ in UInt8.random(in: 0...255, using: &random) }
    isWritten = Array(repeating: false, count: memory.count)
    (page, column, pumps, isOn) = (0, 0, controller == .sh1106, false)
    // After a reset the first column of the memory is at the right of most boards.
    (isMirrored, isFlipped) = (true, true)
    (contrast, isInverted, rows) = (0x7F, false, 64)
    (control, incomplete) = (nil, nil)
  }

  // MARK: - The bus

  public func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement {
    control = nil
    return .acknowledged
  }

  public func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement {
    guard let control else {
      self.control = byte
      if byte != 0x00 && byte != 0x40 { note("the control byte \(hex(byte)) is not 00 or 40") }
      return .acknowledged
    }
    if control == 0x40 { store(byte) } else { command(byte) }
    return .acknowledged
  }

  public func send(at moment: Moment) -> UInt8 { sendsStatus ? (isOn ? 0x00 : 0x40) : 0xFF }

  public func end(at moment: Moment) {
    if let incomplete { note("the command \(hex(incomplete)) has no parameter") }
    incomplete = nil
  }

  private func store(_ byte: UInt8) {
    guard column < columns else { return note("data is written beyond the last column") }
    memory[page * columns + column] = byte
    isWritten[page * columns + column] = true
    dataCount += 1
    column += 1
  }

  private func command(_ byte: UInt8) {
    if let first = incomplete {
      incomplete = nil
      return complete(first, with: byte)
    }
    switch byte {
    case 0x00...0x0F: column = column & 0xF0 | Int(byte)
    case 0x10...0x1F: column = column & 0x0F | Int(byte & 0xF) << 4
    case 0xB0...0xB7: page = Int(byte & 7)
    case 0x20 where controller == .ssd1306: incomplete = byte
    case 0x8D where controller == .ssd1306: incomplete = byte
    case 0x2E where controller == .ssd1306: break
    case 0xAD where controller == .sh1106:
      if isOn { note("the converter is switched while the display is on") }
      incomplete = byte
    case 0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB: incomplete = byte
    case 0xA0: isMirrored = true
    case 0xA1: isMirrored = false
    case 0xC0: isFlipped = true
    case 0xC8: isFlipped = false
    case 0xA4, 0x40...0x7F: break
    case 0xA6: isInverted = false
    case 0xA7: isInverted = true
    case 0xAE: isOn = false
    case 0xAF: turnOn()
    default: note("\(hex(byte)) is no command")
    }
  }

  private func complete(_ command: UInt8, with parameter: UInt8) {
    switch command {
    case 0x81: contrast = parameter
    case 0x8D: pumps = parameter & 0x04 != 0
    case 0xAD: pumps = parameter & 0x01 != 0
    case 0xA8: rows = Int(parameter) + 1
    case 0x20 where parameter != 0x02: note("the addressing mode \(hex(parameter)) is not simulated")
    default: break
    }
  }

  private func turnOn() {
    if !pumps { note("the display is switched on without its charge pump") }
    if rows != height { note("the display is switched on with \(rows) rows instead of \(height)") }
    isOn = true
    let places = (0..<height / 8).flatMap { page in (0..<SSD1306.width).map { page * columns + $0 + firstColumn } }
    if !places.allSatisfy({ isWritten[$0] }) { note("random pixels are visible") }
  }

  private func note(_ fault: String) {
    if !faults.contains(fault) { faults.append(fault) }
  }

  private func hex(_ byte: UInt8) -> String { byte.hexadecimal }
}
