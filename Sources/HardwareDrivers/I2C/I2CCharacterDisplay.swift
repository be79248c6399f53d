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
/// driver reads the pins of the PCF8574 before it writes a text, and each 10 minutes, to detect a display that has lost
/// its power in between. Such a display is initialized again, which takes 70 ms.
///
/// **Source.** NXP PCF8574; PCF8574A, rev. 5; Hitachi HD44780U, ADE-207-272(Z) rev. 0.0.
///
///     Lens(I2CCharacterDisplay(bus, address: 0x27), show: { CharacterScreen(["Station", $0.name]) })
public struct I2CCharacterDisplay: OutputWorkerDriver {
  public struct Settings: Equatable, Sendable {
    /// Columns and rows; most displays are 16×2.
    public var size: CharacterDisplayLayout
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
    /// At each multiple of this time on the loop's clock, the driver checks whether the display is there; nil for no
    /// checks.
    public var check: Duration?

    public init(
      size: CharacterDisplayLayout = .columns16rows2, rom: CharacterROM = .japanese, pins: Pins = Pins(),
      clockHertz: Int = 400_000,
      oscillatorHertz: Int = 190_000, check: Duration? = OutputProgress.checkInterval
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

  public var worker: OutputWorker<CharacterScreen>

  /// Doesn't open the bus.
  public init(_ bus: any I2CBus, address: I2CAddress, settings: Settings = Settings()) {
    worker = OutputWorker(for: "the display", onThread: bus.needsThread, watch: bus.watchForReturn) {
      CharacterDisplayWork(I2CDevice(bus, at: address), settings)
    }
  }

  public var safeModel: CharacterScreen { .blank }
}
