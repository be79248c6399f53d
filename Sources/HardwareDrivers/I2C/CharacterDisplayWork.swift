import CycleCore

/// What is asked of a display behind a bus.
enum CharacterDisplayCommand: Sendable {
  /// Models have numbers, from 1; the first one came with the work.
  case show(CharacterScreen, number: Int)
  /// The bus may be back.
  case retry
}

/// How a display behind a bus is.
struct CharacterDisplayState: Equatable, Sendable {
  /// The number of the newest model that the work knows.
  var received = 0
  /// The number of the last model that was shown to its end; nil for none.
  var shown: Int?
  /// Why the display doesn't show the newest model; nil when it does, or soon will.
  var error: DriverError?
  /// Whether nothing is done until the next try.
  var isAway = false
}

/// Writes a display behind a PCF8574, a transfer at each step.
struct CharacterDisplayWork: Work {
  typealias Command = CharacterDisplayCommand

  private let board: I2CDevice
  private let settings: I2CCharacterDisplay.Settings
  private(set) var state = CharacterDisplayState()
  private var controller: HD44780
  private var isBacklit: Bool
  /// What the PCF8574 was told last; nil where that is not known.
  private var pins: UInt8?
  private var isData = false
  /// Until when the display executes what it was sent.
  private var busyUntil = Moment.zero
  /// When to see whether the display is there.
  private var due: Moment?
  /// When the display was last heard of.
  private var heard = Moment.zero
  private var canRead = true
  private var retry = Retry()

  /// A transfer of so many bytes takes 3 ms at 100 kHz; adapters that speak SMBus only do 33.
  private static let bytesAtOnce = 32
  /// As many take an instruction and what is repeated of it at 1 MHz.
  private static let bytesOfInstruction = 11
  /// Longer pauses are waited for without the bus.
  private static let longestFilling = Duration.microseconds(100)
  /// No display loses its power, and finds it again, within so long.
  private static let shortestCut = Duration.milliseconds(5)

  init(
    _ bus: any I2CBus, _ address: I2CAddress, _ settings: I2CCharacterDisplay.Settings, showing screen: CharacterScreen
  ) {
    precondition(settings.clockHertz > 0, "a bus has a clock")
    board = I2CDevice(bus, at: address)
    self.settings = settings
    controller = HD44780(size: settings.size, rom: settings.rom, oscillatorHertz: settings.oscillatorHertz)
    controller.show(screen)
    isBacklit = screen.isBacklit
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    receive(from: context)
    if let moment = retry.moment, state.isAway, moment > context.now { return .until(moment) }
    if busyUntil > context.now { return .until(busyUntil) }
    state.isAway = false
    do throws(DriverError) {
      try write(on: context.clock)
    } catch {
      lose(error, at: context.now)
    }
    return WorkWait(until: state.isAway ? retry.moment : isSettled ? due : max(busyUntil, context.now))
  }

  /// Goes on until the last model is shown.
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
      case .retry: retry.end()
      }
    }
  }

  // MARK: - Writing

  /// The byte of the pins between two signals.
  private var idle: UInt8 {
    settings.pins.byte(
      HD44780Signal(isData: isData, isEnabled: false, nibble: 0, hold: .zero), isBacklit: isBacklit)
  }

  private var light: UInt8 { 1 << UInt8(settings.pins.backlight) }

  /// Whether the display shows the model. The data pins are left as the last signal had them.
  private var isSettled: Bool {
    controller.isSettled && pins.map { $0 & light == idle & light } ?? false
  }

  private mutating func write(on clock: WorkClock) throws(DriverError) {
    if clock.now - heard > Self.shortestCut { try check(on: clock) }
    if !isSettled { try send(on: clock) }
    guard isSettled else { return }
    state.shown = state.received
    state.error = nil
    retry.end()
    due = settings.check.map { clock.now + $0 }
  }

  /// Looks whether the PCF8574 still has what it was told. Without power it forgets that, and so does the display.
  private mutating func check(on clock: WorkClock) throws(DriverError) {
    guard let pins, canRead else { return }
    do throws(DriverError) {
      let read = try board.read(1, on: clock).first
      // The pin of the light says nothing: a transistor's base may hold it low against the weak current of a high pin. After a
      // power-up E is high, which it never is between two signals.
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
      // After its power-up all pins of the PCF8574 are high: E falls before the rest, as it does in every other signal.
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
    // The light alone.
    if bytes.isEmpty { bytes.append(idle) }
    try board.write(bytes, on: clock)
    pins = bytes.last
    heard = clock.now
    busyUntil = heard + pause
  }

  /// Adds a signal, and repeats its byte for as long as it must be held.
  ///
  /// - Returns: the pause that is left, for a signal that is held for longer.
  private mutating func append(_ signal: HD44780Signal, to bytes: inout [UInt8]) -> Duration {
    let byte = settings.pins.byte(signal, isBacklit: isBacklit)
    bytes.append(byte)
    guard signal.hold <= Self.longestFilling else { return signal.hold }
    // A byte takes nine cycles of the clock, and the next one counts too: pins change at its end.
    let nanoseconds = 9_000_000_000 / Int64(settings.clockHertz)
    let count = (signal.hold.wholeNanoseconds + nanoseconds - 1) / nanoseconds
    if count > 1 { bytes += repeatElement(byte, count: Int(count) - 1) }
    return .zero
  }

  // MARK: - Losing

  /// The display is in an unknown state.
  private mutating func forget() {
    controller.reset()
    pins = nil
  }

  private mutating func lose(_ error: DriverError, at moment: Moment) {
    forget()
    // Told again only if it is away for another reason, not because another transfer has failed.
    if state.error?.kind != error.kind { state.error = error }
    state.isAway = true
    retry.fail(at: moment)
  }
}
