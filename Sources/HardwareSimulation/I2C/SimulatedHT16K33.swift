import CycleCore
import HardwareDrivers

/// An HT16K33 with seven-segment digits on a simulated I²C bus.
///
///     let display = SimulatedHT16K33(on: bus)
///     …
///     #expect(display.text == "12:34")
///
/// After a power-up its memory has random contents, its oscillator stands, and the display is off.
public final class SimulatedHT16K33: SimulatedI2CDevice, SimulatedSegmentDisplay {
  public let digitCount: Int
  /// The board's connection to the bus, for faults of only the board.
  public private(set) var socket: I2CSocket!
  /// The violations of the data sheet.
  public private(set) var faults: [String] = []
  /// The number of messages that were received.
  public private(set) var messageCount = 0

  private var memory: [UInt8] = []
  private var isWritten: [Bool] = []
  private var oscillates = false
  private var isOn = false
  private var blinks = false
  private var dimming: UInt8 = 15
  /// The place of the next byte in the memory; nil before the first byte of a message.
  private var place: Int?
  private var isCommand = false
  private var random: SeededGenerator
  private var listeners: [() -> Void] = []

  /// - Parameters:
  ///   - bus: the bus.
  ///   - address: the address on the bus.
  ///   - digitCount: the number of digits. A board with 4 digits has a colon.
  public init(on bus: SimulatedI2CBus, at address: I2CAddress = 0x70, digitCount: Int = 4) {
    self.digitCount = digitCount
    random = SeededGenerator(seed: bus.bench.random.next())
    powerUp()
    socket = bus.connect(self, at: address)
  }

  // MARK: - The world's side

  /// Cuts the power: the display is dark and acknowledges nothing.
  public func unplug() {
    socket.isPlugged = false
    isOn = false
    for listener in listeners { listener() }
  }

  /// Restores the power.
  public func plug() {
    guard !socket.isPlugged else { return }
    socket.isPlugged = true
    powerUp()
  }

  /// Cuts the power and restores it.
  public func powerUp() {
    memory = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    isWritten = Array(repeating: false, count: 16)
    (oscillates, isOn, blinks, dimming, place) = (false, false, false, 15, nil)
    for listener in listeners { listener() }
  }

  public func onChange(_ listener: @escaping () -> Void) { listeners.append(listener) }

  public var frame: SegmentFrame {
    let rows = digitCount == 4 ? [0, 1, 3, 4] : Array(0..<digitCount)
    guard isOn, oscillates else {
      return SegmentFrame(digits: rows.map { _ in 0 }, brightness: Double(dimming) / 15)
    }
    return SegmentFrame(
      digits: rows.map { memory[2 * $0] }, showsColon: digitCount == 4 && memory[4] & 0x02 != 0,
      brightness: Double(dimming) / 15)
  }

  // MARK: - The bus

  public func begin(reading: Bool, at moment: Moment) -> I2CAcknowledgement {
    (place, isCommand) = (nil, false)
    messageCount += 1
    return .acknowledged
  }

  public func receive(_ byte: UInt8, at moment: Moment) -> I2CAcknowledgement {
    if let place {
      memory[place] = byte
      isWritten[place] = true
      self.place = (place + 1) % memory.count
      return .acknowledged
    }
    if isCommand { fault("a byte follows a command") }
    switch byte & 0xF0 {
    case 0x00: place = Int(byte & 0xF)
    case 0x20: oscillates = byte & 1 != 0
    case 0x80: (isOn, blinks) = (byte & 1 != 0, byte & 6 != 0)
    case 0xA0: if byte & 1 != 0 { fault("the row output is an interrupt") }
    case 0xE0: dimming = byte & 0xF
    default: fault("there is no command \(byte)")
    }
    isCommand = byte & 0xF0 != 0
    if isOn {
      if !oscillates { fault("it is on without its oscillator") }
      if blinks { fault("it blinks") }
      if isWritten.contains(false) { fault("random segments are visible") }
    }
    return .acknowledged
  }

  public func send(at moment: Moment) -> UInt8 { 0 }

  public func end(at moment: Moment) {
    for listener in listeners { listener() }
  }

  private func fault(_ text: String) {
    if faults.count < 100, faults.last != text { faults.append(text) }
  }
}
