import CycleCore

/// Writes to a display on a PCF8574, one transfer per step.
struct CharacterDisplayWork: OutputWork {
  private let board: I2CDevice
  private let settings: I2CCharacterDisplay.Settings
  private var controller: HD44780
  private var isBacklit = false
  /// The byte that was last written to the PCF8574; nil if unknown.
  private var pins: UInt8?
  private var isData = false
  /// The moment until which the display executes the bytes that it was sent.
  private var busyUntil = Moment.zero
  /// The moment of the last successful transfer.
  private var heard = Moment.zero
  private var canRead = true

  /// The maximum number of bytes in one transfer: it takes 3 ms at 100 kHz, and adapters that only support SMBus write
  /// 33 at most.
  private static let bytesAtOnce = 32
  /// The maximum number of bytes that one instruction takes at 1 MHz, including repeated bytes.
  private static let bytesOfInstruction = 11
  /// The longest pause that is filled by repeating bytes; during a longer one the bus is free.
  private static let longestFilling = Duration.microseconds(100)
  /// The display's power is never cut for less than this, so the display isn't checked within this time after a
  /// transfer.
  private static let shortestCut = Duration.milliseconds(5)

  init(_ board: I2CDevice, _ settings: I2CCharacterDisplay.Settings) {
    precondition(settings.clockHertz > 0, "the clock must be above 0 Hz")
    self.board = board
    self.settings = settings
    controller = HD44780(size: settings.size, rom: settings.rom, oscillatorHertz: settings.oscillatorHertz)
  }

  mutating func show(_ model: CharacterScreen) {
    controller.show(model)
    isBacklit = model.isBacklit
  }

  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
    if clock.now - heard > Self.shortestCut { try check(on: clock) }
    if !isSettled { try send(on: clock) }
    return OutputProgress(
      isShown: isSettled, busyUntil: busyUntil, check: settings.check.map { clock.now.next(multipleOf: $0) })
  }

  mutating func forget() {
    controller.reset()
    pins = nil
  }

  mutating func close() { board.close() }

  // MARK: - Writing

  /// The byte for the pins between two signals: E is low.
  private var idle: UInt8 {
    settings.pins.byte(
      HD44780Signal(isData: isData, isEnabled: false, nibble: 0, hold: .zero), isBacklit: isBacklit)
  }

  private var light: UInt8 { 1 << UInt8(settings.pins.backlight) }

  /// Whether the display shows the model. The data pins don't matter: they keep the levels of the last signal.
  private var isSettled: Bool {
    controller.isSettled && pins.map { $0 & light == idle & light } ?? false
  }

  /// Checks whether the pins of the PCF8574 still have the last byte. If they don't, the power was lost, and the
  /// display has lost its state, too.
  private mutating func check(on clock: WorkClock) throws(DriverError) {
    guard let pins, canRead else { return }
    do throws(DriverError) {
      let read = try board.read(1, on: clock).first
      // The backlight's pin is ignored: a transistor's base may hold it low against the weak current of a high pin.
      // After a power-up E reads as high, which it never is between two signals.
      if read.map({ ($0 ^ pins) & ~light != 0 }) ?? true { forget() }
      heard = clock.now
    } catch {
      guard error.kind == .unsupported else { throw error }
      canRead = false
    }
  }

  private mutating func send(on clock: WorkClock) throws(DriverError) {
    var bytes: [UInt8] = []
    var pause = Duration.zero
    if pins == nil {
      // After a power-up all pins of the PCF8574 are high: lower E before the other pins change, as in every other
      // signal.
      isData = false
      bytes.append(idle | ~(light | 1 << UInt8(settings.pins.enable)))
    }
    while pause == .zero, bytes.count + Self.bytesOfInstruction < Self.bytesAtOnce,
      let instruction = controller.next()
    {
      for signal in instruction.signals(whileData: isData) {
        isData = signal.isData
        pause = append(signal, to: &bytes)
      }
    }
    // Only the backlight has changed.
    if bytes.isEmpty { bytes.append(idle) }
    try board.write(bytes, on: clock)
    pins = bytes.last
    heard = clock.now
    busyUntil = heard + pause
  }

  /// Appends the byte of a signal, repeated for as long as the signal must be held.
  ///
  /// - Returns: the pause that the caller must wait for, if the signal must be held too long for that; otherwise zero.
  private mutating func append(_ signal: HD44780Signal, to bytes: inout [UInt8]) -> Duration {
    let byte = settings.pins.byte(signal, isBacklit: isBacklit)
    bytes.append(byte)
    guard signal.hold <= Self.longestFilling else { return signal.hold }
    // A byte takes nine clock cycles. Pins change at the end of a byte, so the byte after the last repetition holds the
    // signal, too.
    let nanoseconds = 9_000_000_000 / Int64(settings.clockHertz)
    let count = (signal.hold.wholeNanoseconds + nanoseconds - 1) / nanoseconds
    if count > 1 { bytes += repeatElement(byte, count: Int(count) - 1) }
    return .zero
  }
}
