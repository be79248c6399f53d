import CycleCore

/// A character display with an HD44780 and a PCF8574 on an I²C bus: the small board that is soldered to most 16×2
/// and 20×4 displays.
///
/// **Wiring.** SDA, SCL, 5 V, ground. The board pulls SDA and SCL up to its supply: a Raspberry Pi needs a level
/// shifter, or 3.3 V as the supply of board and display. The address is 0x27 for a PCF8574 and 0x3F for a PCF8574A,
/// reduced by the bridges at A0 to A2. ``Settings/pins`` describes how the pins of the PCF8574 are connected.
///
/// **Timing.** A thread makes the transfers, each of 3 ms at most at 100 kHz. A character takes six bytes, 0.55 ms; a
/// display of 80 characters takes 50 ms. A new model applies from the next transfer on, even if an older one is not
/// written completely. A board that doesn't acknowledge is reported as trouble, and retried after 1 s, 2 s, … 60 s. The
/// driver reads the pins of the PCF8574 before it writes a text, and once a minute, to detect a display that has lost
/// its power in between. Such a display is initialized again, which takes 70 ms.
///
/// **Source.** NXP PCF8574; PCF8574A, rev. 5; Hitachi HD44780U, ADE-207-272(Z) rev. 0.0.
///
///     Lens(I2CCharacterDisplay(bus, address: 0x27), show: { CharacterScreen(["Station", $0.name]) })
public struct I2CCharacterDisplay: Driver {
  public struct Settings: Equatable, Sendable {
    /// Columns and rows; most displays are 16×2.
    public var size: DisplaySize
    /// The character ROM; most displays have the default one. See ``CharacterROM``.
    public var rom: CharacterROM
    /// The wires from the PCF8574 to the display; the default is right for most boards.
    public var pins: Pins
    /// The highest clock frequency of the bus. 400 kHz works with slower buses, too; but on a bus of 100 kHz a text
    /// takes a third less time if this is 100 000.
    public var clockHertz: Int
    /// The frequency of the controller's oscillator. The default, the lowest that the data sheet allows, works with
    /// every display.
    public var oscillatorHertz: Int
    /// The time between two checks whether the display is there, while nothing is written; nil for no checks.
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

  /// The wires from the pins of the PCF8574, P0 to P7, to those of the display.
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
  private var availability = Availability()
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
    availability = Availability()
    (newestNumber, sentNumber) = (0, 0)
    worker = try Worker(
      CharacterDisplayWork(bus, address, settings, showing: model), for: "the display", onThread: bus.needsThread,
      in: context)
    try worker.waitForRequiredStart(\.error)
  }

  public mutating func render(_ model: CharacterScreen, replacing previous: CharacterScreen?) throws(DriverError) {
    guard model != newest else { return }
    newest = model
    newestNumber += 1
    try send()
  }

  /// Sends the newest model, once the work has received the one before. Models in between are dropped.
  private mutating func send() throws(DriverError) {
    guard sentNumber != newestNumber, worker.state.received == sentNumber else { return }
    try worker.send(.show(newest, number: newestNumber))
    sentNumber = newestNumber
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    if case .ready = wake, availability.acknowledge() {
      // If the command doesn't fit, it is dropped: the worker is busy then, and will retry without it.
      try? worker.send(.retry)
    }
    worker.wake(wake) { _, _ in }
    availability.note(worker.state.error.map(Trouble.lost), in: context) { [bus] watcher throws(DriverError) in
      try bus.watchForReturn(watcher)
    }
    try send()
  }

  public var isAtRest: Bool {
    worker.state.isAway || (worker.state.error == nil && worker.state.shown == newestNumber)
  }

  public mutating func stop() {
    if let worker {
      // Send the last model if that hasn't been done: the worker finishes everything that it has received.
      if sentNumber != newestNumber { try? worker.send(.show(newest, number: newestNumber)) }
      worker.stop()
    }
    availability.end()
  }
}
