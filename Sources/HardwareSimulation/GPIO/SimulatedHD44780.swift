import HardwareDrivers

/// The memory of an HD44780, and the effects of its instructions.
///
/// Source: Hitachi HD44780U, ADE-207-272(Z) rev. 0.0, table 6.
struct SimulatedHD44780 {
  /// The time for which a byte keeps the controller busy, in cycles of its oscillator.
  typealias Cycles = Int64

  private(set) var cells: [UInt8] = Array(repeating: 0x20, count: 128)
  private(set) var dots: [UInt8] = Array(repeating: 0, count: 64)
  private(set) var address: UInt8 = 0
  private(set) var isOn = false
  private(set) var hasUnderline = false
  private(set) var blinks = false
  private(set) var hasTwoLines = false
  /// The number of places by which the text is shifted to the left, 0 to less than the length of a line in memory.
  private(set) var shift = 0
  private var isAddressOfDots = false
  private var increments = true
  private var shiftsWithEntry = false
  private var hasEightBitInterface = true
  private var highNibble: UInt8?

  /// Receives the levels of D4 to D7 at a falling edge of E. Returns the time for which the controller is busy; nil if
  /// it waits for the second nibble of a byte.
  mutating func receive(_ nibble: UInt8, isData: Bool) -> Cycles? {
    // D0 to D3 are not wired and read as low.
    if hasEightBitInterface { return execute(nibble << 4, isData: isData) }
    guard let high = highNibble else {
      highNibble = nibble
      return nil
    }
    highNibble = nil
    return execute(high << 4 | nibble, isData: isData)
  }

  private mutating func execute(_ byte: UInt8, isData: Bool) -> Cycles {
    if isData {
      store(byte)
      return 11
    }
    switch byte {
    case 0x80...:
      address = byte & 0x7F
      isAddressOfDots = false
    case 0x40...:
      address = byte & 0x3F
      isAddressOfDots = true
    case 0x20...:
      hasEightBitInterface = byte & 0x10 != 0
      hasTwoLines = byte & 0x08 != 0
      highNibble = nil
    case 0x10...: move(byte & 0x04 != 0 ? 1 : -1, isDisplay: byte & 0x08 != 0)
    case 0x08...:
      isOn = byte & 0x04 != 0
      hasUnderline = byte & 0x02 != 0
      blinks = byte & 0x01 != 0
    case 0x04...:
      increments = byte & 0x02 != 0
      shiftsWithEntry = byte & 0x01 != 0
    case 0x02...:
      home()
      return 410
    case 0x01:
      cells = Array(repeating: 0x20, count: 128)
      increments = true
      home()
      return 410
    default: break
    }
    return 10
  }

  private mutating func home() {
    address = 0
    isAddressOfDots = false
    shift = 0
  }

  private mutating func store(_ byte: UInt8) {
    if isAddressOfDots {
      dots[Int(address & 0x3F)] = byte & 0x1F
      address = (address &+ (increments ? 1 : 0xFF)) & 0x3F
      return
    }
    cells[Int(address)] = byte
    move(increments ? 1 : -1, isDisplay: false)
    if shiftsWithEntry { move(increments ? -1 : 1, isDisplay: true) }
  }

  private var lineLength: Int { hasTwoLines ? 40 : 80 }

  private mutating func move(_ places: Int, isDisplay: Bool) {
    if isDisplay {
      shift = (shift - places + lineLength) % lineLength
      return
    }
    guard hasTwoLines else {
      address = UInt8((Int(address) + places + 80) % 80)
      return
    }
    let place = ((address >= 0x40 ? 40 : 0) + Int(address & 0x3F) + places + 80) % 80
    address = UInt8(place < 40 ? place : 0x40 + place - 40)
  }

  /// The character code that is displayed, with the current shift, at the place of `address` without a shift.
  func code(at address: UInt8) -> UInt8 {
    if address >= 0x40, !hasTwoLines, address >= 0x50 { return 0x20 }
    guard hasTwoLines else { return cells[(Int(address) + shift) % 80] }
    let base = address >= 0x40 ? 0x40 : 0
    return cells[base + (Int(address) - base + shift) % 40]
  }

  /// The cursor's address; nil while the address counter points into the memory of custom characters.
  var cursorAddress: UInt8? { isAddressOfDots ? nil : address }
}
