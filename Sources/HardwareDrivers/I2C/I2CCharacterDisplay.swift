import CycleCore

/// A character display with an HD44780 behind a PCF8574 on an I²C bus: the small board that is soldered to most 16×2 and 20×4.
///
/// **Wiring.** SDA, SCL, 5 V, ground. The board pulls SDA and SCL up to its supply: a Raspberry Pi wants a level shifter, or the
/// board's supply (and the display) at 3.3 V. The address is 0x27 for a PCF8574 and 0x3F for a PCF8574A, less what is bridged at
/// A0 to A2. Which pin of the PCF8574 leads where: ``Settings/pins``.
///
/// **Timing.** A thread does the transfers, of 3 ms at most at 100 kHz: six bytes for a character, 0.55 ms; a display of 80
/// characters takes 50 ms. A new model counts with the next transfer, however much of an older one there is still to write.
/// A board that doesn't answer is trouble, and tried again after 1 s, 2 s, … 60 s. That the display has lost its power, and found it
/// again, is seen before a text is written, and once a minute, by the pins of the PCF8574; then it is initialized anew, which takes
/// 70 ms.
///
/// **Source.** NXP PCF8574; PCF8574A, rev. 5; Hitachi HD44780U, ADE-207-272(Z) rev. 0.0.
///
///     Lens(I2CCharacterDisplay(bus, address: 0x27), show: { CharacterScreen(["Station", $0.name]) })
public struct I2CCharacterDisplay: Driver {
  public struct Settings: Equatable, Sendable {
    /// 16×2 is what most are.
    public var size: DisplaySize
    /// What most displays have; see ``CharacterROM``.
    public var rom: CharacterROM
    /// How the display hangs at the PCF8574: as on most boards.
    public var pins: Pins
    /// The bus's clock, at most. 400 kHz is right for each slower bus too. At 100 kHz a text takes a third less time where this says
    /// so.
    public var clockHertz: Int
    /// The slowest that the data sheet allows is right for every display.
    public var oscillatorHertz: Int
    /// How often to see whether the display is there, while nothing is written; nil for never.
    public var check: Duration?

    public init(
      size: DisplaySize = .columns16rows2, rom: CharacterROM = .japanese, pins: Pins = Pins(),
      clockHertz: Int = 400_000,
      oscillatorHertz: Int = 190_000, check: Duration? = .seconds(60)
    ) {
      self.size = size
      self.rom = rom
      self.pins = pins
      self.clockHertz = clockHertz
      self.oscillatorHertz = oscillatorHertz
      self.check = check
    }
  }

  /// Which pin of the PCF8574, P0 to P7, leads to which of the display.
  public struct Pins: Equatable, Sendable {
    /// RS.
    public var registerSelect: Int
    /// R/W.
    public var readWrite: Int
    /// E.
    public var enable: Int
    /// The transistor of the backlight.
    public var backlight: Int
    public var isBacklightActiveLow: Bool
    /// D4 to D7.
    public var data: [Int]

    public init(
      registerSelect: Int = 0, readWrite: Int = 1, enable: Int = 2, backlight: Int = 3,
      isBacklightActiveLow: Bool = false,
      data: [Int] = [4, 5, 6, 7]
    ) {
      precondition(
        Set([registerSelect, readWrite, enable, backlight] + data) == Set(0...7) && data.count == 4,
        "the eight pins of a PCF8574 lead to eight different ones of the display")
      self.registerSelect = registerSelect
      self.readWrite = readWrite
      self.enable = enable
      self.backlight = backlight
      self.isBacklightActiveLow = isBacklightActiveLow
      self.data = data
    }

    /// The byte that puts these levels on the display's pins.
    func byte(_ signal: HD44780Signal, isBacklit: Bool) -> UInt8 {
      var byte: UInt8 = 0
      for (bit, pin) in data.enumerated() where signal.nibble & (1 << UInt8(bit)) != 0 { byte |= 1 << UInt8(pin) }
      if signal.isData { byte |= 1 << UInt8(registerSelect) }
      if signal.isEnabled { byte |= 1 << UInt8(enable) }
      if isBacklit != isBacklightActiveLow { byte |= 1 << UInt8(backlight) }
      return byte
    }
  }

  public typealias Model = CharacterScreen
  public typealias Event = Never

  private let bus: any I2CBus
  private let address: I2CAddress
  private let settings: Settings
  private var context: DriverContext<Never>!
  private var worker: Worker<CharacterDisplayWork>!
  /// What the application hears of.
  private var error: DriverError?
  private var returnWatch: (any ReturnWatch)?
  /// The newest model, its number, and the number of the last one that was sent.
  private var newest = CharacterScreen.blank
  private var newestNumber = 0
  private var sentNumber = 0

  public init(_ bus: any I2CBus, address: I2CAddress, settings: Settings = Settings()) {
    self.bus = bus
    self.address = address
    self.settings = settings
  }

  public var safeModel: CharacterScreen { .blank }

  public mutating func start(showing model: CharacterScreen, in context: DriverContext<Never>) throws(DriverError) {
    self.context = context
    newest = model
    error = nil
    (newestNumber, sentNumber) = (0, 0)
    worker = try Worker(
      CharacterDisplayWork(bus, address, settings, showing: model), for: "the display", onThread: bus.needsThread,
      in: context)
    try worker.checkStart(\.error)
  }

  public mutating func render(_ model: CharacterScreen, replacing previous: CharacterScreen?) throws(DriverError) {
    guard model != newest else { return }
    newest = model
    newestNumber += 1
    try send()
  }

  /// One model is on its way at a time; of those that come meanwhile the newest follows.
  private mutating func send() throws(DriverError) {
    guard sentNumber != newestNumber, worker.state.received == sentNumber else { return }
    try worker.send(.show(newest, number: newestNumber))
    sentNumber = newestNumber
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    if case .ready = wake, let returnWatch, returnWatch.acknowledge() {
      // A command that doesn't fit can be left out: then the worker is busy, and looks for the bus by itself afterwards.
      try? worker.send(.retry)
    }
    worker.wake(wake) { _, _ in }
    note(worker.state)
    try send()
  }

  private mutating func note(_ state: CharacterDisplayState) {
    guard state.error != error else { return }
    error = state.error
    returnWatch?.release()
    returnWatch = nil
    if let error {
      context.report(.lost(error))
      do throws(DriverError) {
        returnWatch = try bus.watchForReturn(context.watcher)
      } catch {
        // The worker looks for the bus by itself, less and less often.
        context.report(.failed(error))
      }
    } else {
      context.report(.restored)
    }
  }

  public var isAtRest: Bool { worker.state.isAway || (error == nil && worker.state.shown == newestNumber) }

  public mutating func stop() {
    if let worker {
      // The last model, if the worker has not had it yet: it finishes what it has.
      if sentNumber != newestNumber { try? worker.send(.show(newest, number: newestNumber)) }
      worker.stop()
    }
    returnWatch?.release()
    returnWatch = nil
  }
}
