import CycleCore
import HardwareDrivers

/// A character display with an HD44780 on the bench: it reacts to the levels of its wires like a real one, and provides
/// its rows as text.
///
///     let display = SimulatedCharacterDisplay(
///       on: chip, registerSelect: "GPIO25", enable: "GPIO24", data: ["GPIO23", "GPIO17", "GPIO27", "GPIO22"])
///     …
///     #expect(display.rows[0] == "Station Jazz    ")
///     #expect(display.faults == [])
///
/// ``faults`` lists writes while the controller is busy, use before its initialization, and signals that are shorter
/// than the data sheet requires for a supply below 4.5 V. A fault doesn't change the effect of the byte: tests must
/// check ``faults``.
///
/// Source: Hitachi HD44780U, ADE-207-272(Z) rev. 0.0, figure 24, tables 4 and 6, "AC Characteristics".
public final class SimulatedCharacterDisplay: SimulatedOutput {
  /// The levels at the display.
  public struct Wires: Equatable, Sendable {
    /// RS is high.
    public var isData: Bool
    /// R/W is high.
    public var isReading: Bool
    /// E is high.
    public var isEnabled: Bool
    /// D4 to D7, in the lower four bits.
    public var nibble: UInt8
    /// Whether current flows through the backlight.
    public var isBacklit: Bool

    public init(
      isData: Bool = false, isReading: Bool = false, isEnabled: Bool = false, nibble: UInt8 = 0, isBacklit: Bool = false
    ) {
      self.isData = isData
      self.isReading = isReading
      self.isEnabled = isEnabled
      self.nibble = nibble
      self.isBacklit = isBacklit
    }
  }

  public let size: CharacterDisplayLayout
  public let rom: CharacterROM
  /// The oscillator's frequency: 270 000 unless set; the data sheet allows 190 000 to 350 000. Busy times are inversely
  /// proportional to it.
  public var oscillatorHertz = 270_000
  /// One sentence for each violation of the data sheet, with its moment; only the first 1 000.
  public private(set) var faults: [String] = []
  /// The number of received bytes, instructions and data.
  public private(set) var byteCount = 0
  public private(set) var wires = Wires()
  public private(set) var isPowered = true
  /// The moment at which the controller has executed the last received byte.
  public private(set) var busyUntil: Moment

  private var controller = SimulatedHD44780()
  /// The number of ``stages`` of the initialization by instruction that it has received since power-up; one more than
  /// the last stage if it was used before that.
  private var stage = 0
  private var rose: Moment?
  private var fell: Moment?
  private var selected: Moment?
  private var dataSet: Moment?

  private static let wakeTime = Duration.milliseconds(40)
  private static let stages: [(nibble: UInt8, pause: Duration)] = [
    (0x3, .microseconds(4100)), (0x3, .microseconds(100)), (0x3, .zero), (0x2, .zero),
  ]

  /// A display whose wires are set with ``follow(_:at:isDriven:)``.
  ///
  /// - Parameter moment: the moment of power-up.
  /// - Parameter size: the columns and rows of the display.
  /// - Parameter rom: the character set in the controller's ROM.
  public init(size: CharacterDisplayLayout = .columns16rows2, rom: CharacterROM = .japanese, at moment: Moment) {
    self.size = size
    self.rom = rom
    busyUntil = moment + Self.wakeTime
  }

  /// A display on lines of a chip, with R/W at ground, with power from now on.
  ///
  /// - Parameters:
  ///   - data: the lines at D4, D5, D6 and D7.
  ///   - backlight: the line of the backlight; nil if it is always on.
  ///   - lit: the level at which the backlight is on.
  ///   - rom: the character set in the controller's ROM.
  ///   - size: the columns and rows of the display.
  ///   - chip: the chip that the lines belong to.
  ///   - registerSelect: the line at RS.
  ///   - enable: the line at E.
  public convenience init(
    on chip: SimulatedChip, registerSelect: LineName, enable: LineName, data: [LineName], backlight: LineName? = nil,
    lit: Level = .high, size: CharacterDisplayLayout = .columns16rows2, rom: CharacterROM = .japanese
  ) {
    self.init(size: size, rom: rom, at: chip.bench.now)
    let select = chip.line(registerSelect)
    let enabled = chip.line(enable)
    let data = data.map { chip.line($0) }
    let light = backlight.map { chip.line($0) }
    // The lines retain this closure; the display retains no line.
    let listener = { [weak self] (_: Level, moment: Moment) in
      var nibble: UInt8 = 0
      for (bit, line) in data.enumerated() where line.level == .high { nibble |= 1 << UInt8(bit) }
      self?.follow(
        Wires(
          isData: select.level == .high, isEnabled: enabled.level == .high, nibble: nibble,
          isBacklit: light.map { $0.level == lit } ?? true),
        at: moment, isDriven: enabled.consumer != nil)
    }
    for line in [select, enabled] + data + [light].compactMap({ $0 }) { line.onChange(for: self, listener) }
    listener(.low, chip.bench.now)
  }

  // MARK: - The world's side

  /// Cuts the display's power: it becomes blank, and ``restorePower(at:)`` starts it with an empty memory.
  public func cutPower() {
    isPowered = false
  }

  /// Restores the display's power: it must be initialized again.
  public func restorePower(at moment: Moment) {
    isPowered = true
    controller = SimulatedHD44780()
    stage = 0
    (rose, fell, selected, dataSet) = (nil, nil, nil, nil)
    busyUntil = moment + Self.wakeTime
  }

  /// Sets the levels of the wires from `moment` on, checks their timing and executes what they transfer.
  ///
  /// - Parameter isDriven: whether a program drives the wires. If not, the display still reacts to them, but
  ///   records no faults.
  /// - Parameter moment: the moment at which the pins have these levels.
  /// - Parameter wires: the levels at the display's pins.
  public func follow(_ wires: Wires, at moment: Moment, isDriven: Bool = true) {
    let old = self.wires
    self.wires = wires
    guard isPowered else { return }
    func complain(_ isFault: Bool, _ sentence: @autoclosure () -> String) {
      if isFault, isDriven, faults.count < 1000 { faults.append("\(moment): \(sentence())") }
    }
    let sinceFall = fell.map { moment - $0 } ?? .seconds(1)
    if wires.isData != old.isData || wires.isReading != old.isReading {
      complain(old.isEnabled && wires.isEnabled, "RS or R/W changed while E was high")
      complain(sinceFall < .nanoseconds(10), "RS or R/W changed with the fall of E")
      selected = moment
    }
    if wires.nibble != old.nibble {
      complain(!wires.isEnabled && sinceFall < .nanoseconds(10), "the data changed with the fall of E")
      dataSet = moment
    }
    if wires.isEnabled, !old.isEnabled {
      if moment < busyUntil, !wires.isReading { complain(true, "E rose while busy for another \(busyUntil - moment)") }
      complain(
        selected.map { moment - $0 < .nanoseconds(60) } ?? false, "E rose less than 60 ns after a change of RS or R/W")
      complain(rose.map { moment - $0 < .nanoseconds(1000) } ?? false, "E rose twice within 1 µs")
      rose = moment
    } else if old.isEnabled, !wires.isEnabled {
      fell = moment
      complain(rose.map { moment - $0 < .nanoseconds(450) } ?? false, "E was high for less than 450 ns")
      guard !old.isReading else { return }
      complain(
        dataSet.map { moment - $0 < .nanoseconds(195) } ?? false, "the data were set less than 195 ns before E fell")
      let before = stage
      receive(wires.nibble, isData: wires.isData, at: moment)
      complain(stage > Self.stages.count && before < stage, "used before it was initialized")
    }
  }

  private func receive(_ nibble: UInt8, isData: Bool, at moment: Moment) {
    let cycles = controller.receive(nibble, isData: isData)
    if cycles != nil { byteCount += 1 }
    busyUntil = moment + .nanoseconds((cycles ?? 0) * 1_000_000_000 / Int64(oscillatorHertz))
    guard stage < Self.stages.count else { return }
    // A driver that starts the initialization again repeats its first nibble; the data sheet doesn't forbid that.
    if stage == Self.stages.count - 1, !isData, nibble == Self.stages[0].nibble { return }
    guard !isData, nibble == Self.stages[stage].nibble else {
      stage = Self.stages.count + 1
      return
    }
    busyUntil = max(busyUntil, moment + Self.stages[stage].pause)
    stage += 1
  }

  // MARK: - The visible state

  /// The rows from top to bottom, each as long as the display is wide; blank while the display is off. Custom
  /// characters are written as ⓪ to ⑦, and codes without a character in the ROM as □.
  public var rows: [String] {
    (0..<size.rows).map { row in
      var text = ""
      for column in 0..<size.columns { text.append(character(row * size.columns + column)) }
      return text
    }
  }

  private func character(_ cell: Int) -> Character {
    guard isPowered, controller.isOn else { return " " }
    let address = size.address(of: cell)
    if address >= 0x40, size.hasTwoLines, !controller.hasTwoLines { return " " }
    let code = controller.code(at: address)
    if code < 16 { return Array("⓪①②③④⑤⑥⑦")[Int(code & 7)] }
    return rom.character(of: code) ?? "□"
  }

  /// Whether the display has power and an instruction has switched it on.
  public var isOn: Bool { isPowered && controller.isOn }

  public var isBacklit: Bool { isPowered && wires.isBacklit }

  /// The cursor; nil if none is visible.
  public var cursor: CharacterScreen.Cursor? {
    guard isOn, controller.hasUnderline || controller.blinks else { return nil }
    guard let address = controller.cursorAddress, let cell = size.cell(at: address) else { return nil }
    let (row, column) = cell.quotientAndRemainder(dividingBy: size.columns)
    return CharacterScreen.Cursor(
      row: row, column: column, style: controller.hasUnderline ? .underline : .blinkingBlock)
  }

  /// The eight rows of a custom character, `glyph` 0 to 7, with 5 dots each: bit 4 is the dot at the left.
  public func dots(of glyph: Int) -> [UInt8] { Array(controller.dots[glyph * 8..<glyph * 8 + 8]) }

  /// The visible state as text: the rows between bars, the cursor, the light.
  public var picture: String {
    var words = rows.map { "|\($0)|" }
    if let cursor { words.append("\(cursor.style) at \(cursor.row), \(cursor.column)") }
    if isBacklit { words.append("lit") }
    return words.joined(separator: " ")
  }
}
