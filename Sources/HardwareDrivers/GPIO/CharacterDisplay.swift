import CycleCore

/// A character display with an HD44780 (or KS0066, ST7066, SPLC780) on six lines: 16×2, 20×4, 8×1 and so on.
///
/// **Wiring.** RS, E and D4 to D7 to six lines, R/W to ground, D0 to D3 to nothing. With a supply of 5 V the
/// controller's inputs read high from 2.2 V on, so 3.3 V is enough; R/W at ground keeps it from driving its 5 V onto
/// the lines. V0 to a potentiometer, or to ground through 1 kΩ. The backlight through a transistor to a seventh line,
/// if the application is to switch it.
///
/// **Timing.** Writing a character takes 65 µs and blocks the cycle's thread for most of that, in turns of half a
/// millisecond between which other drivers run; 32 characters take 2.5 ms, 80 take 6 ms. A new model applies
/// immediately, also while an older text is being written. The display is initialized in 60 ms, at the start and after
/// its lines were lost or a write failed. However late the cycle is, the controller is never written to while it is
/// busy. A display that has lost its power can't be detected over these wires: switch its supply together with this
/// machine's.
///
/// **Source.** Hitachi HD44780U, ADE-207-272(Z) rev. 0.0.
///
///     let display = CharacterDisplay(
///       chip, registerSelect: "GPIO25", enable: "GPIO24", data: ["GPIO23", "GPIO17", "GPIO27", "GPIO22"])
///     …
///     Lens(display, show: { CharacterScreen(["Station", $0.name]) })
public struct CharacterDisplay: LineDevice, StepTaker {
  public struct Settings: Equatable, Sendable {
    /// Columns and rows; most displays are 16×2.
    public var size: CharacterDisplayLayout
    /// The character ROM; most displays have the default one. See ``CharacterROM``.
    public var rom: CharacterROM
    /// The frequency of the controller's oscillator. The default is the lowest that the data sheet allows and works
    /// with every display; the typical 270 000 Hz takes about a third less time.
    public var oscillatorHertz: Int
    /// Whether the backlight is lit by low voltage.
    public var isBacklightActiveLow: Bool

    public init(
      size: CharacterDisplayLayout = .columns16rows2, rom: CharacterROM = .japanese, oscillatorHertz: Int = 190_000,
      isBacklightActiveLow: Bool = false
    ) {
      self.size = size
      self.rom = rom
      self.oscillatorHertz = oscillatorHertz
      self.isBacklightActiveLow = isBacklightActiveLow
    }
  }

  public typealias Model = CharacterScreen
  public typealias Event = Never

  public let chip: any GPIOChip
  private let names: [LineName]
  private let backlight: LineName?
  private let settings: Settings
  private var controller: HD44780
  private var isBacklit = false
  /// The values of the lines after all requested steps are done.
  private var values: LineValues = []

  private static var dataLine: Int { 0 }
  private static var enableLine: Int { 1 }
  private static var enable: LineValues { LineValues(rawValue: 1 << UInt64(enableLine)) }
  private static var backlightLine: Int { 6 }
  /// The number of instructions that are requested in one turn: few, so that a newer model waits for 0.5 ms at most.
  private static var instructionsAtOnce: Int { 8 }

  /// - Parameters:
  ///   - data: the lines at D4, D5, D6 and D7.
  ///   - backlight: the line that switches the backlight; nil if the application can't switch it.
  ///   - registerSelect: the line at RS.
  ///   - settings: everything that has a default.
  ///   - enable: the line at E.
  ///   - chip: the chip that the lines belong to.
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
      // If steps failed, E may be high and the other lines unknown: lower E before they change.
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
    // A model that was rendered during the last steps may have changed the backlight alone.
    if steps.isEmpty, lit(values) != values {
      values = lit(values)
      steps.write(values)
    }
  }

  // The controller has taken each instruction as done when it gave it out.
  public mutating func finishSteps(at clock: Moment, emit: Emit) {}

  public mutating func abandonSteps() {
    controller.reset()
  }

  public mutating func loseLines() {
    controller.reset()
    values = []
  }

  public var isAtRest: Bool { controller.isSettled && lit(values) == values }
}
