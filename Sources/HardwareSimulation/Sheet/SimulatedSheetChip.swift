import CycleCore
import HardwareDrivers

/// A chip that answers as the example of its sheet states, on a simulated I²C or SPI bus.
///
///     let chip = SimulatedSheetChip(sheet)
///     bus.connect(chip, at: 0x76)
///     chip.set([0x00], at: 0xD0)                 // another chip
public final class SimulatedSheetChip: SimulatedI2CDevice, SimulatedSPIDevice {
  /// The bytes of each write that is no part of a read, or of each transfer on SPI, the newest last. At least the
  /// newest 4 096 are kept.
  public var written: [[UInt8]] { log.entries }
  /// The number of bits of the next answers that arrive wrong, one in each answer.
  public var damagedAnswers = 0

  /// The bytes from each register on; nil for a chip whose answers come in turn.
  private var registers: [Int: [UInt8]]?
  private var answers: [[UInt8]] = []
  private var nextAnswer = 0
  private var log = RecentEntries<[UInt8]>()
  private var received: [UInt8] = []
  private var answer: [UInt8] = []
  private var place = 0
  private var hasRead = false
  private(set) var listeners = Listeners<() -> Void>()
  private var readListeners: [() -> Void] = []
  /// The registers that were read and are not in the example, each once, at most 16 of them.
  public private(set) var unknownRegisters: [Int] = []
  /// The answers of the example that were not read.
  var unreadAnswers: Int { registers == nil ? max(0, answers.count - nextAnswer) : 0 }
  private static let unknownAtMost = 16
  /// The registers that the program selects before it reads, each as its bytes.
  private let readRegisters: [Sheet.Register]
  /// The registers whose bytes are wrong until the program writes to them, as after a power-up.
  private var unwritten: Set<Int> = []

  public convenience init(_ sheet: Sheet) { self.init(sheet.example, reading: sheet.readRegisters) }

  /// - Parameters:
  ///   - example: the answers.
  ///   - registers: the registers that the program selects before it reads, for a chip on SPI.
  public init(_ example: SheetExample, reading registers: [Sheet.Register] = []) {
    readRegisters = registers
    switch example.answers {
    case .registers(let list): self.registers = Dictionary(list.map { ($0.register, $0.bytes) }) { $1 }
    case .inTurn(let answers): self.answers = answers
    }
  }

  /// Changes the bytes from a register on. Only for a chip with registers.
  public func set(_ bytes: [UInt8], at register: Int) { registers?[register] = bytes }

  /// Sets or clears the bits of a mask in a register. Only for a chip with registers.
  public func set(_ isSet: Bool, mask: UInt8, at register: Int) {
    guard let registers else { return }
    let start = registers.first { $0.key <= register && register < $0.key + $0.value.count }?.key ?? register
    var bytes = registers[start] ?? [0]
    bytes[register - start] = isSet ? bytes[register - start] | mask : bytes[register - start] & ~mask
    self.registers?[start] = bytes
  }

  /// Cuts the power and restores it: the registers have other bytes until the program writes to them.
  public func powerUp(losing registers: [Int]) { unwritten = Set(registers) }

  /// Calls `listener` after each write that is no part of a read, and after each transfer on SPI.
  public func onWrite(for owner: AnyObject? = nil, _ listener: @escaping () -> Void) {
    listeners.add(listener, for: owner)
  }

  /// Calls `listener` after each read on I²C.
  public func onRead(_ listener: @escaping () -> Void) { readListeners.append(listener) }

  private func note(_ bytes: [UInt8]) {
    log.append(bytes)
    if let first = bytes.first { unwritten.remove(Int(first)) }
    if bytes.count > 1 { unwritten.remove(Int(bytes[0]) << 8 | Int(bytes[1])) }
    for listener in listeners.all { listener() }
  }

  /// The bytes of the answer to a read of a register: those that the example has for it, and then those of the registers
  /// after it.
  private func byte(_ index: Int, from register: Int) -> UInt8 {
    if unwritten.contains(register + index) { return ~content(index, from: register) }
    return content(index, from: register)
  }

  private func content(_ index: Int, from register: Int) -> UInt8 {
    guard let registers else { return 0xFF }
    if let bytes = registers[register], index < bytes.count { return bytes[index] }
    let wanted = register + index
    for (start, bytes) in registers where start <= wanted && wanted < start + bytes.count {
      return bytes[wanted - start]
    }
    if unknownRegisters.count < Self.unknownAtMost, !unknownRegisters.contains(wanted) {
      unknownRegisters.append(wanted)
    }
    return 0
  }

  private func beginAnswer() {
    if registers == nil {
      answer = answers.isEmpty ? [] : answers[nextAnswer % answers.count]
      nextAnswer += 1
    }
    place = 0
  }

  private func nextByte() -> UInt8 {
    defer { place += 1 }
    let register = received.reduce(0) { ($0 << 8 | Int($1)) & 0xFFFF_FFFF }
    var byte = registers == nil ? (place < answer.count ? answer[place] : 0xFF) : byte(place, from: register)
    if place == 0, damagedAnswers > 0 {
      damagedAnswers -= 1
      byte ^= 1
    }
    return byte
  }

  // MARK: - I²C

  public func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement {
    if reading {
      hasRead = true
      beginAnswer()
    }
    return .acknowledged
  }

  public func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement {
    received.append(byte)
    return .acknowledged
  }

  public func send(at moment: Moment) -> UInt8 { nextByte() }

  public func end(at moment: Moment) {
    if hasRead { for listener in readListeners { listener() } } else { note(received) }
    received = []
    hasRead = false
  }

  // MARK: - Serial

  /// Connects it to a serial line: it answers what is written to it, or sends its frames one after the other by itself,
  /// one per second.
  public func connect(to line: SimulatedSerial, sendsByItself: Bool) {
    if sendsByItself {
      line.repeatEvery(.seconds(1)) { [weak self] in self?.nextFrame() ?? [] }
    } else {
      line.onReceive { [weak self, weak line] bytes in
        guard let self else { return }
        log.append(bytes)
        line?.send(nextFrame())
      }
    }
  }

  private func nextFrame() -> [UInt8] {
    beginAnswer()
    return (0..<answer.count).map { _ in nextByte() }
  }

  // MARK: - SPI

  public func select(at moment: Moment, hertz: Int) {
    received = []
    beginAnswer()
  }

  public func exchange(_ byte: UInt8, at moment: Moment) -> UInt8 {
    defer { received.append(byte) }
    let beginning = received + [byte]
    // The bytes of the register are sent while the answers of the chip have no meaning.
    if readRegisters.contains(where: { $0.starts(with: beginning) }) { return 0xFF }
    guard registers != nil else { return nextByte() }
    if let register = readRegisters.first(where: { received.starts(with: $0) }) {
      return self.byte(received.count - register.count, from: register.reduce(0) { $0 << 8 | Int($1) })
    }
    // The first byte selects the register.
    guard let first = received.first else { return 0xFF }
    return self.byte(received.count - 1, from: Int(first))
  }

  public func deselect(at moment: Moment) {
    if !received.isEmpty { note(received) }
  }
}
