import CycleCore

/// A character display with an HD44780 (or KS0066, ST7066, SPLC780) on six lines: 16×2, 20×4, 8×1 and so on.
///
/// **Wiring.** RS, E and D4 to D7 to six lines, R/W to ground, D0 to D3 to nothing. The controller takes 3.3 V at its inputs from
/// 2.2 V on where its supply is 5 V; R/W at ground keeps it from driving its 5 V back. V0 to a potentiometer, or to ground through 1 kΩ.
/// The backlight through a transistor to a seventh line, if the application is to switch it.
///
/// **Timing.** A character takes 65 µs, most of it waited for on this thread, in turns of half a millisecond between which other
/// drivers have theirs; 32 characters take 2.5 ms, 80 take 6. A new model counts at once, also while an older text is being
/// written. The display is initialized in 60 ms, at the start and after its lines were lost or a write failed. However late the
/// cycle is, the controller is never written to while it is busy. Whether it has lost its power can't be known over these wires: switch
/// it together with this machine.
///
/// **Source.** Hitachi HD44780U, ADE-207-272(Z) rev. 0.0.
///
///     let display = CharacterDisplay(
///       chip, registerSelect: "GPIO25", enable: "GPIO24", data: ["GPIO23", "GPIO17", "GPIO27", "GPIO22"])
///     …
///     Lens(display, show: { CharacterScreen(["Station", $0.name]) })
public struct CharacterDisplay: LineDevice {
  public struct Settings: Equatable, Sendable {
    /// 16×2 is what most are.
    public var size: DisplaySize
    /// What most displays have; see ``CharacterROM``.
    public var rom: CharacterROM
    /// The slowest that the data sheet allows is right for every display; 270 000, the usual one, is a third faster.
    public var oscillatorHertz: Int
    /// Whether the backlight is lit by low voltage.
    public var isBacklightActiveLow: Bool

    public init(
      size: DisplaySize = .columns16rows2, rom: CharacterROM = .japanese, oscillatorHertz: Int = 190_000,
      isBacklightActiveLow: Bool = false
    ) {
      self.size = size
      self.rom = rom
      self.oscillatorHertz = oscillatorHertz
      self.isBacklightActiveLow = isBacklightActiveLow
    }
  }

  public typealias Model = CharacterScreen

  public let chip: any GPIOChip
  private let names: [LineName]
  private let backlight: LineName?
  private let settings: Settings
  private var controller: HD44780
  private var isBacklit = false
  /// What the lines have when all steps are done that were asked for.
  private var values: LineValues = []

  private static var dataLine: Int { 0 }
  private static var enableLine: Int { 1 }
  private static var enable: LineValues { LineValues(rawValue: 1 << UInt64(enableLine)) }
  private static var backlightLine: Int { 6 }
  /// How many instructions are asked for at once: a newer model waits for half a millisecond at most.
  private static var instructionsAtOnce: Int { 8 }

  /// - Parameters:
  ///   - data: the lines at D4, D5, D6 and D7.
  ///   - backlight: nil where the application can't switch it.
  public init(
    _ chip: any GPIOChip, registerSelect: LineName, enable: LineName, data: [LineName], backlight: LineName? = nil,
    settings: Settings = Settings()
  ) {
    precondition(data.count == 4, "the data lines of a display are D4, D5, D6 and D7, not \(data.count)")
    self.chip = chip
    names = [registerSelect, enable] + data
    self.backlight = backlight
    self.settings = settings
    controller = HD44780(size: settings.size, rom: settings.rom, oscillatorHertz: settings.oscillatorHertz)
  }

  public var safeModel: CharacterScreen { .blank }

  public var lines: [LineConfiguration] {
    var lines = names.indices.map { LineConfiguration(names[$0], .output(values[$0], .pushPull)) }
    if let backlight {
      lines.append(
        LineConfiguration(
          backlight, .output(LineValue(isBacklit), .pushPull), isActiveLow: settings.isBacklightActiveLow))
    }
    return lines
  }

  public mutating func render(_ model: CharacterScreen, at moment: Moment) {
    controller.show(model)
    isBacklit = model.isBacklit && backlight != nil
  }

  public var outputs: LineValues { lit(values) }

  private func lit(_ values: LineValues) -> LineValues {
    var values = values
    values[Self.backlightLine] = LineValue(isBacklit)
    return values
  }

  public mutating func addSteps(to steps: inout LineSteps) {
    for _ in 0..<Self.instructionsAtOnce {
      guard let instruction = controller.next() else { break }
      // After steps that failed E may be high, with nobody knows what on the other lines: it falls before they change.
      if instruction.kind == .wait {
        steps.write([], mask: Self.enable, hold: HD44780Signal.shortest)
      }
      for signal in instruction.signals(whileData: values[Self.dataLine].isActive) {
        values = lit(LineValues(rawValue: UInt64(signal.nibble & 0xF) << 2))
        values[Self.dataLine] = LineValue(signal.isData)
        values[Self.enableLine] = LineValue(signal.isEnabled)
        steps.write(values, hold: signal.hold)
      }
    }
    // What was rendered during the last steps may have been the light alone.
    if steps.isEmpty, lit(values) != values {
      values = lit(values)
      steps.write(values)
    }
  }

  public mutating func abandonSteps() {
    controller.reset()
  }

  public mutating func loseLines() {
    controller.reset()
    values = []
  }

  public var isAtRest: Bool { controller.isSettled && lit(values) == values }
}
