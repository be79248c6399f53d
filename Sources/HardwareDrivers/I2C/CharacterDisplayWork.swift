import CycleCore

/// A command of the driver to the work of a display on a bus.
enum CharacterDisplayCommand: Sendable {
  /// Show this model. Models in commands are numbered from 1; the model that the work was created with is number 0.
  case show(CharacterScreen, number: Int)
  /// Retry immediately: the bus may be back.
  case retry
}

/// The state of a display on a bus.
struct CharacterDisplayState: Equatable, Sendable {
  /// The number of the newest model that the work has received.
  var received = 0
  /// The number of the last model that was written completely; nil for none.
  var shown: Int?
  /// Why the newest model can't be written; nil if it is written or is being written.
  var error: DriverError?
  /// Whether the display can't be reached and the work waits for the next try.
  var isAway = false
}

/// Writes to a display on a PCF8574, one transfer per step.
struct CharacterDisplayWork: Work {
  typealias Command = CharacterDisplayCommand

  private let board: I2CDevice
  private let settings: I2CCharacterDisplay.Settings
  private(set) var state = CharacterDisplayState()
  private var controller: HD44780
  private var isBacklit: Bool
  /// The byte that was last written to the PCF8574; nil if unknown.
  private var pins: UInt8?
  private var isData = false
  /// The moment until which the display executes the bytes that it was sent.
  private var busyUntil = Moment.zero
  /// The moment of the next check whether the display is there, while nothing is written; nil for never.
  private var due: Moment?
  /// The moment of the last successful transfer.
  private var heard = Moment.zero
  private var canRead = true
  private var recovery = Recovery(in: .opening)

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

  init(
    _ bus: any I2CBus, _ address: I2CAddress, _ settings: I2CCharacterDisplay.Settings, showing screen: CharacterScreen
  ) {
    precondition(settings.clockHertz > 0, "the clock must be above 0 Hz")
    board = I2CDevice(bus, at: address)
    self.settings = settings
    controller = HD44780(size: settings.size, rom: settings.rom, oscillatorHertz: settings.oscillatorHertz)
    controller.show(screen)
    isBacklit = screen.isBacklit
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    receive(from: context)
    if let moment = recovery.due, moment > context.now { return .until(moment) }
    if busyUntil > context.now { return .until(busyUntil) }
    state.isAway = false
    do throws(DriverError) {
      try write(on: context.clock)
    } catch {
      lose(error, at: context.now)
    }
    return WorkWait(until: state.isAway ? recovery.due : isSettled ? due : max(busyUntil, context.now))
  }

  /// Continues until the last model is written.
  mutating func finish(in context: WorkContext<Self>) -> Moment? {
    let next = step(in: context).deadline
    return state.isAway || isSettled && busyUntil <= context.now ? nil : next
  }

  mutating func close(in context: WorkContext<Self>) { board.close() }

  private mutating func receive(from context: WorkContext<Self>) {
    while let command = context.receive() {
      switch command {
      case .show(let screen, let number):
        controller.show(screen)
        isBacklit = screen.isBacklit
        state.received = number
      case .retry: recovery.note(.announce, at: context.now)
      }
    }
  }

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

  private mutating func write(on clock: WorkClock) throws(DriverError) {
    if clock.now - heard > Self.shortestCut { try check(on: clock) }
    if !isSettled { try send(on: clock) }
    guard isSettled else { return }
    state.shown = state.received
    state.error = nil
    recovery.note(.succeed, at: clock.now)
    due = settings.check.map { clock.now + $0 }
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

  // MARK: - Loss

  /// Marks the display's state as unknown: it is initialized again.
  private mutating func forget() {
    controller.reset()
    pins = nil
  }

  private mutating func lose(_ error: DriverError, at moment: Moment) {
    forget()
    state.error = error
    state.isAway = true
    recovery.note(.lose, at: moment)
  }
}
