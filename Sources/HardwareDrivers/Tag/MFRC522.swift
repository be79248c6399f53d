import CycleCore

/// A reader of contactless tags with the chip MFRC522 by NXP: the board RC522. It reads the numbers of tags of ISO/IEC
/// 14443 A: MIFARE Classic, Ultralight, NTAG.
///
/// **Wiring.** SDA (the chip select) to a chip select of the bus, SCK, MOSI and MISO to the bus, RST and 3.3V to 3.3 V,
/// GND to ground. IRQ stays open. The chip does not tolerate 5 V.
///
/// **Timing.** A search takes about 5 ms without a tag, and about 10 ms with one. The chip is set up at the first search
/// and after an error.
///
/// **Source.** NXP, MFRC522 data sheet, rev. 3.9; ISO/IEC 14443-3.
public final class MFRC522: TagChip {
  /// The registers that are used (data sheet, section 9.2).
  enum Register: UInt8 {
    case command = 0x01
    case interrupts = 0x04
    case error = 0x06
    case data = 0x09
    case level = 0x0A
    case control = 0x0C
    case bitFraming = 0x0D
    case collision = 0x0E
    case mode = 0x11
    case transmitter = 0x14
    case modulation = 0x15
    case timerMode = 0x2A
    case timerPrescaler = 0x2B
    case timerReloadHigh = 0x2C
    case timerReloadLow = 0x2D
    case version = 0x37
  }

  /// The commands that are used (section 10.3).
  enum Command: UInt8 {
    case idle = 0x00
    case transceive = 0x0C
    case softReset = 0x0F
  }

  /// The versions of the chip, and of its common copies.
  static let versions: Set<UInt8> = [0x88, 0x90, 0x91, 0x92, 0xB2]
  /// The clock frequency, below the chip's 10 MHz for long wires.
  static let hertz = 4_000_000

  /// The request that wakes all tags in the field, also those that were halted (ISO/IEC 14443-3, 6.4).
  private static let wakeUp: UInt8 = 0x52
  /// The select commands of the three cascade levels.
  private static let levels: [UInt8] = [0x93, 0x95, 0x97]
  /// The first byte of a level's answer if another level follows.
  private static let cascadeTag: UInt8 = 0x88
  /// The longest wait for the chip: twice its own timer of 2 ms, and the time of the bytes.
  private static let patience = Duration.milliseconds(8)
  private static let pollInterval = Duration.microseconds(500)
  /// The time after a reset (section 8.8.2: the oscillator needs 37.74 µs after its start-up).
  private static let resetTime = Duration.milliseconds(5)

  private let device: SPIDevice
  private var isReady = false

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - bus: the SPI bus.
  ///   - chipSelect: the number of the chip select.
  ///   - name: the name of the bus in errors: `spi0`.
  public init(_ bus: any SPIBus, chipSelect: Int, name: String = "spi0") {
    device = SPIDevice(bus, chipSelect: chipSelect, SPISettings(hertz: Self.hertz))
    self.name = "mfrc522 at chip select \(chipSelect) of \(name)"
  }

  public let name: String
  public var needsThread: Bool { device.bus.needsThread }

  public func findTag(on clock: WorkClock) throws(DriverError) -> TagID? {
    do throws(DriverError) {
      if !isReady { try setUp(on: clock) }
      // A tag that was read before goes back to its idle state at the first request, and answers the second one.
      for _ in 0..<2 {
        guard try exchange([Self.wakeUp], lastBits: 7, on: clock)?.count == 2 else { continue }
        return try readNumber(on: clock)
      }
      // A chip that has lost its power has lost its settings, and finds nothing. This one must know its mode.
      guard try read(.timerMode, on: clock) == Self.timerMode else {
        throw fault("it has lost its settings", "Check its supply of 3.3 V; it is set up again.")
      }
      return nil
    } catch {
      isReady = false
      throw error
    }
  }

  private static let timerMode: UInt8 = 0x80

  private func setUp(on clock: WorkClock) throws(DriverError) {
    try write(.command, Command.softReset.rawValue, on: clock)
    clock.sleep(for: Self.resetTime)
    let version = try read(.version, on: clock)
    guard Self.versions.contains(version) else {
      throw fault(
        "its version is 0x\(version.hexadecimal)",
        "No MFRC522 answers: check its wires, RST at 3.3 V, and the chip select.")
    }
    // The timer starts after each transmission, and ends after 80 steps of 25 µs: 2 ms (section 8.5).
    try write(.timerMode, Self.timerMode, on: clock)
    try write(.timerPrescaler, 0xA9, on: clock)
    try write(.timerReloadHigh, 0, on: clock)
    try write(.timerReloadLow, 80, on: clock)
    // 100 % amplitude modulation, as ISO/IEC 14443 A requires.
    try write(.modulation, 0x40, on: clock)
    try write(.mode, 0x3D, on: clock)
    // Both antenna drivers on.
    try write(.transmitter, try read(.transmitter, on: clock) | 0x03, on: clock)
    clock.sleep(for: Self.resetTime)
    isReady = true
  }

  /// Reads the number of the only tag in the field; nil if several tags answer, or one leaves.
  private func readNumber(on clock: WorkClock) throws(DriverError) -> TagID? {
    var number: [UInt8] = []
    // Bit 7 clears the bits of an answer in which tags collide; such an answer is not used.
    try write(.collision, try read(.collision, on: clock) & 0x7F, on: clock)
    for (place, select) in Self.levels.enumerated() {
      guard let answer = try exchange([select, 0x20], on: clock), answer.count == 5,
        answer[0] ^ answer[1] ^ answer[2] ^ answer[3] == answer[4]
      else { return nil }
      guard answer[0] == Self.cascadeTag, place + 1 < Self.levels.count else {
        number += answer.prefix(4)
        return TagID(number)
      }
      number += answer[1..<4]
      let selected = CRCA.appended(to: [select, 0x70] + answer)
      guard let reply = try exchange(selected, on: clock), reply.count == 3 else { return nil }
    }
    return nil
  }

  /// Sends bytes to the tags, and returns the answer; nil if none arrives, or a damaged one.
  ///
  /// - Parameter lastBits: the number of bits of the last byte; 0 for all.
  private func exchange(
    _ bytes: [UInt8], lastBits: UInt8 = 0, on clock: WorkClock
  ) throws(DriverError) -> [UInt8]? {
    try write(.command, Command.idle.rawValue, on: clock)
    try write(.interrupts, 0x7F, on: clock)
    // Empties the buffer.
    try write(.level, 0x80, on: clock)
    _ = try device.transfer([.write([Register.data.rawValue << 1] + bytes)], on: clock)
    try write(.bitFraming, lastBits, on: clock)
    try write(.command, Command.transceive.rawValue, on: clock)
    try write(.bitFraming, 0x80 | lastBits, on: clock)
    let end = clock.now + Self.patience
    var interrupts: UInt8 = 0
    // Received, idle, or the timer has ended.
    while interrupts & 0x31 == 0 {
      guard clock.now < end else {
        throw fault("it does not end a transmission", "Check its wires and its supply of 3.3 V.")
      }
      clock.sleep(for: Self.pollInterval)
      interrupts = try read(.interrupts, on: clock)
    }
    try write(.bitFraming, 0, on: clock)
    guard interrupts & 0x20 != 0, try read(.error, on: clock) & 0x1B == 0 else { return nil }
    // The buffer has 64 bytes, and no answer is longer than 5.
    let count = Int(try read(.level, on: clock) & 0x7F)
    guard (1...16).contains(count) else { return nil }
    var answer: [UInt8] = []
    for _ in 0..<count { answer.append(try read(.data, on: clock)) }
    return answer
  }

  private func write(_ register: Register, _ value: UInt8, on clock: WorkClock) throws(DriverError) {
    try device.write([register.rawValue << 1, value], on: clock)
  }

  private func read(_ register: Register, on clock: WorkClock) throws(DriverError) -> UInt8 {
    try device.exchange([0x80 | register.rawValue << 1, 0], on: clock)[1]
  }

  private func fault(_ reason: String, _ remedy: String) -> DriverError {
    DriverError(.failed, of: name, cannot: "search for tags with \(name)", reason: reason, remedy: remedy)
  }
}

/// The checksum of ISO/IEC 14443 A: polynomial 0x1021, reflected, from 0x6363.
package enum CRCA {
  package static func of(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0x6363) { sum, byte in
      var sum = sum ^ UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0x8408 }
      return sum
    }
  }

  /// The bytes with their checksum, the low byte first.
  package static func appended(to bytes: [UInt8]) -> [UInt8] {
    let sum = of(bytes)
    return bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }
}
