import CycleCore

/// Produces the instructions that change the content of an HD44780 to the wanted screen, only for the differences.
///
/// It touches no hardware and is independent of the wires: the display on lines and the one on an I²C bus both request
/// the ``next()`` instruction, send it, and wait for its pause. A new screen may be set at any time; instructions of
/// the old one that were not sent are dropped.
///
/// **Timing.** By default, execution times are those of the slowest oscillator that the data sheet allows, 190 kHz: 53
/// µs for an instruction, 58 µs for a character, 2.2 ms to clear. At 270 kHz they are 37 µs, 41 µs and 1.52 ms. A
/// display of 80 characters is written in about 6 ms and initialized in 60 ms.
///
/// **Source.** Hitachi HD44780U, ADE-207-272(Z) rev. 0.0: "Initializing by Instruction" (figure 24), table 6, "AC
/// Characteristics".
public struct HD44780: Sendable {
  /// An instruction to send, and the pause that the controller needs before the next one.
  public struct Instruction: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
      /// Nothing to send, only to wait.
      case wait
      /// One nibble on D4 to D7, for a controller that may be in 8-bit mode.
      case nibble
      /// An instruction: RS is low.
      case command
      /// A byte for the memory at the address: RS is high.
      case data
    }

    public var kind: Kind
    /// Of a nibble, only the lower four bits are used.
    public var byte: UInt8
    /// The pause, counted from the last enable pulse.
    public var pause: Duration

    public init(_ kind: Kind, _ byte: UInt8, pause: Duration) {
      self.kind = kind
      self.byte = byte
      self.pause = pause
    }
  }

  /// The wanted content of the display, in the controller's codes.
  private struct Content: Equatable {
    var cells: [UInt8]
    /// The custom characters in use, 8 rows each.
    var dots: [UInt8] = []
    var control = HD44780.displayOn
    var cursor: UInt8?
  }

  /// The address at which the next data byte is stored.
  private enum Address: Equatable {
    case unknown
    case cell(UInt8)
    case dots(Int)
  }

  public let size: CharacterDisplayLayout
  public let rom: CharacterROM
  private let commandTime: Duration
  private let dataTime: Duration
  private let clearTime: Duration
  private var wanted: Content
  /// The number of instructions of the initialization that have been sent.
  private var stage = 0
  private var cells: [UInt8]
  /// The rows of the eight custom characters in the controller's memory; nil where unknown.
  private var dots: [UInt8?]
  private var control: UInt8 = displayOff
  private var address = Address.unknown

  private static let displayOff: UInt8 = 0x08
  private static let displayOn: UInt8 = 0x0C
  private static let blank: UInt8 = 0x20
  private static let unknownCharacter: UInt8 = 0x3F
  /// If more cells than this must become blank, clearing the display is faster than writing them.
  private static let clearedCells = 8

  /// - Parameter oscillatorHertz: the frequency of the controller's oscillator, or less.
  /// - Parameter size: the columns and rows of the display.
  /// - Parameter rom: the character set in the controller's ROM.
  public init(size: CharacterDisplayLayout, rom: CharacterROM = .japanese, oscillatorHertz: Int = 190_000) {
    precondition(oscillatorHertz > 0, "a controller has an oscillator")
    self.size = size
    self.rom = rom
    func time(_ cycles: Int64) -> Duration { .nanoseconds((cycles * 1_000_000_000) / Int64(oscillatorHertz) + 1) }
    // 37 µs, 37 + 4 µs and 1.52 ms at 270 kHz, in cycles of the oscillator.
    commandTime = time(10)
    dataTime = time(11)
    clearTime = time(411)
    cells = Array(repeating: Self.blank, count: size.count)
    wanted = Content(cells: cells)
    dots = Array(repeating: nil, count: 64)
  }

  // MARK: - Wanted screen

  /// Sets the wanted screen. It replaces one that has not been sent completely.
  public mutating func show(_ screen: CharacterScreen) {
    let glyphs = screen.glyphs.prefix(8)
    wanted.dots = glyphs.flatMap(\.rows)
    var place = 0
    for row in 0..<size.rows {
      let end = place + size.columns
      for character in row < screen.rows.count ? screen.rows[row] : "" {
        if place == end { break }
        wanted.cells[place] = code(of: character, glyphs)
        place += 1
      }
      while place < end {
        wanted.cells[place] = Self.blank
        place += 1
      }
    }
    wanted.control = Self.displayOn
    wanted.cursor = nil
    if let cursor = screen.cursor, (0..<size.rows).contains(cursor.row), (0..<size.columns).contains(cursor.column) {
      wanted.cursor = size.address(of: cursor.row * size.columns + cursor.column)
      wanted.control |= cursor.style == .underline ? 0x02 : 0x01
    }
  }

  private func code(of character: Character, _ glyphs: ArraySlice<CharacterGlyph>) -> UInt8 {
    if let place = glyphs.firstIndex(where: { $0.character == character }) { return UInt8(place) }
    return rom.code(of: character) ?? Self.unknownCharacter
  }

  // MARK: - Instructions

  /// Starts the initialization again: the controller's state is unknown, because it lost its power or received only a
  /// part of an instruction.
  public mutating func reset() { stage = 0 }

  /// Whether no instruction is left to send: the display shows the wanted screen.
  public var isSettled: Bool { nextInstruction == nil }

  /// Returns the next instruction and counts it as sent; nil if the display shows the wanted screen.
  public mutating func next() -> Instruction? {
    guard let next = nextInstruction else { return nil }
    if initialization != nil {
      stage += 1
      if initialization == nil { begin() }
    } else {
      note(next)
    }
    return next
  }

  /// The next instruction of the initialization, from an unknown state to 4-bit mode with a blank display that is off;
  /// nil when the initialization is complete.
  private var initialization: Instruction? {
    switch stage {
    // The controller needs more than 40 ms after its supply has reached 2.7 V, which may be just now.
    case 0: Instruction(.wait, 0, pause: .milliseconds(50))
    // Whatever mode it is in, it is in 8-bit mode after the second or third of these.
    case 1: Instruction(.nibble, 0x3, pause: .milliseconds(5))
    case 2: Instruction(.nibble, 0x3, pause: .microseconds(150))
    case 3: Instruction(.nibble, 0x3, pause: commandTime)
    case 4: Instruction(.nibble, 0x2, pause: commandTime)
    case 5: command(size.hasTwoLines ? 0x28 : 0x20)
    case 6: command(Self.displayOff)
    case 7: Instruction(.command, 0x01, pause: clearTime)
    // Entry mode: the address increments, the display doesn't shift.
    case 8: command(0x06)
    default: nil
    }
  }

  private mutating func begin() {
    clear()
    dots = Array(repeating: nil, count: 64)
    control = Self.displayOff
  }

  private mutating func clear() {
    for cell in cells.indices { cells[cell] = Self.blank }
    address = .cell(0)
  }

  private var nextInstruction: Instruction? {
    if let initialization { return initialization }
    if let place = wanted.dots.indices.first(where: { dots[$0] != wanted.dots[$0] }) {
      return address == .dots(place) ? data(wanted.dots[place]) : command(0x40 | UInt8(place))
    }
    if let cell = differingCell {
      if isClearingShorter { return Instruction(.command, 0x01, pause: clearTime) }
      let place = size.address(of: cell)
      return address == .cell(place) ? data(wanted.cells[cell]) : command(0x80 | place)
    }
    if let cursor = wanted.cursor, address != .cell(cursor) { return command(0x80 | cursor) }
    return control == wanted.control ? nil : command(wanted.control)
  }

  private func command(_ byte: UInt8) -> Instruction { Instruction(.command, byte, pause: commandTime) }
  private func data(_ byte: UInt8) -> Instruction { Instruction(.data, byte, pause: dataTime) }

  /// The cell to write next: that at the address if it differs, else the first.
  private var differingCell: Int? {
    if case .cell(let place) = address, let cell = size.cell(at: place), cells[cell] != wanted.cells[cell] {
      return cell
    }
    if cells == wanted.cells { return nil }
    return cells.indices.first { cells[$0] != wanted.cells[$0] }
  }

  /// Whether clearing the display is faster than writing blanks.
  private var isClearingShorter: Bool {
    var count = 0
    for cell in cells.indices {
      guard wanted.cells[cell] == Self.blank else { return false }
      if cells[cell] != Self.blank { count += 1 }
    }
    return count > Self.clearedCells
  }

  /// Updates the known state of the controller with an instruction that was sent.
  private mutating func note(_ instruction: Instruction) {
    switch (instruction.kind, instruction.byte) {
    case (.data, let byte): store(byte)
    case (.command, 0x01): clear()
    case (.command, let byte) where byte & 0x80 != 0: address = .cell(byte & 0x7F)
    case (.command, let byte) where byte & 0x40 != 0: address = .dots(Int(byte & 0x3F))
    case (.command, let byte) where byte & 0x08 != 0: control = byte
    default: break
    }
  }

  private mutating func store(_ byte: UInt8) {
    switch address {
    case .unknown: break
    case .dots(let place):
      dots[place] = byte
      address = place == 63 ? .unknown : .dots(place + 1)
    case .cell(let place):
      if let cell = size.cell(at: place) { cells[cell] = byte }
      address = .cell(size.address(after: place))
    }
  }
}
