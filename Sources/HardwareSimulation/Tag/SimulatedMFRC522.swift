import CycleCore
import HardwareDrivers

/// An MFRC522 on a simulated SPI bus, with tags that are put into its field.
///
///     let reader = SimulatedMFRC522()
///     bus.connect(reader, at: 0)
///     reader.tags = [TagID("04A2B3C4")!]
///
/// A tag answers requests as ISO/IEC 14443-3 describes: after its number was read, it ignores one request. Several tags
/// collide. The chip forgets its settings when its power is cut.
public final class SimulatedMFRC522: SimulatedSPIDevice {
  /// The tags in the field.
  public var tags: [TagID] = [] {
    didSet { if tags != oldValue { answering = nil } }
  }
  /// The version register; a copy of the chip has another one.
  public var version: UInt8 = 0x92
  /// Whether a disturbance damages the answers of the tags.
  public var isDisturbed = false
  /// The violations of the data sheet.
  public private(set) var faults: [String] = []
  /// The number of requests for tags.
  public private(set) var requestCount = 0

  private var registers = [UInt8](repeating: 0, count: 64)
  private var fifo: [UInt8] = []
  /// The bytes of the current selection.
  private var address: UInt8?
  /// The number of the cascade level that the tag answers next; nil if it waits for a request.
  private var answering: Int?

  public var maximumHertz: Int { 10_000_000 }

  public init() { powerUp() }

  /// Cuts the power and restores it: the antenna is off, and all settings are those of the data sheet.
  public func powerUp() {
    registers = [UInt8](repeating: 0, count: 64)
    registers[0x14] = 0x80
    registers[0x0E] = 0x80
    (fifo, answering) = ([], nil)
  }

  public func select(at moment: Moment, hertz: Int) { address = nil }

  public func exchange(_ byte: UInt8, at moment: Moment) -> UInt8 {
    guard let current = address else {
      address = byte
      if byte & 1 != 0 { note("bit 0 of an address is not 0") }
      return 0
    }
    let register = Int(current >> 1 & 0x3F)
    guard current & 0x80 != 0 else {
      write(byte, to: register)
      return 0
    }
    // The byte that is sent now is the address of the next reading.
    address = byte & 0x80 != 0 ? byte : current
    return read(register)
  }

  private func note(_ fault: String) { if faults.count < 100 { faults.append(fault) } }

  private func read(_ register: Int) -> UInt8 {
    switch register {
    case 0x09: fifo.isEmpty ? 0 : fifo.removeFirst()
    case 0x0A: UInt8(fifo.count)
    case 0x37: version
    default: registers[register]
    }
  }

  private func write(_ byte: UInt8, to register: Int) {
    switch register {
    case 0x01 where byte & 0x0F == 0x0F: powerUp()
    case 0x04:
      // Bit 7 sets the marked bits, or clears them.
      if byte & 0x80 == 0 { registers[0x04] &= ~byte } else { registers[0x04] |= byte & 0x7F }
    case 0x09: if fifo.count < 64 { fifo.append(byte) } else { note("the buffer overflows") }
    case 0x0A: if byte & 0x80 != 0 { fifo = [] }
    case 0x0D:
      registers[0x0D] = byte & 0x7F
      if byte & 0x80 != 0, registers[0x01] & 0x0F == 0x0C { transmit(lastBits: byte & 7) }
    default: registers[register] = byte
    }
  }

  /// Sends the buffer to the tags.
  private func transmit(lastBits: UInt8) {
    let request = fifo
    fifo = []
    registers[0x06] = 0
    let isAntennaOn = registers[0x14] & 3 == 3
    // The timer ends without an answer if it starts with each transmission.
    guard isAntennaOn, let answer = answer(to: request, lastBits: lastBits) else {
      if registers[0x2A] & 0x80 != 0 { registers[0x04] |= 0x01 }
      return
    }
    fifo = isDisturbed ? answer.map { $0 ^ 0x20 } : answer
    registers[0x04] |= 0x20
    // A collision, if several tags send different bits.
    if tags.count > 1, request.count > 1 { registers[0x06] |= 0x08 }
  }

  private func answer(to request: [UInt8], lastBits: UInt8) -> [UInt8]? {
    guard let tag = tags.first else { return nil }
    if lastBits == 7, request == [0x52] || request == [0x26] {
      requestCount += 1
      // A tag that is being read goes back to its idle state, without an answer.
      guard answering == nil else {
        answering = nil
        return nil
      }
      answering = 0
      return [0x44, 0x00]
    }
    let levels: [UInt8] = [0x93, 0x95, 0x97]
    guard let level = answering, request.count >= 2, lastBits == 0, request[0] == levels[level] else {
      answering = nil
      return nil
    }
    let parts = Self.parts(of: tag)
    guard parts.indices.contains(level) else { return nil }
    let part = parts[level] + [parts[level].reduce(0, ^)]
    if request == [levels[level], 0x20] { return part }
    guard request == CRCA.appended(to: [levels[level], 0x70] + part) else {
      note("a tag is selected with a wrong number or checksum")
      answering = nil
      return nil
    }
    let isLast = level + 1 == parts.count
    if !isLast { answering = level + 1 }
    return CRCA.appended(to: [isLast ? 0x08 : 0x04])
  }

  /// The four bytes of each cascade level.
  private static func parts(of tag: TagID) -> [[UInt8]] {
    var (rest, parts) = (tag.bytes[...], [[UInt8]]())
    while rest.count > 4 {
      parts.append([0x88] + rest.prefix(3))
      rest = rest.dropFirst(3)
    }
    return parts + [Array(rest)]
  }
}
