import CycleCore

/// A row of 8×8 dot matrix modules with a MAX7219 each, on an SPI bus: a sign for one row of text, which moves if it is
/// too long.
///
/// **Wiring.** DIN, CLK and CS of the first module, 5 V, ground. The chip takes a high level of 3.5 V at least, so a
/// Raspberry Pi needs a level shifter, such as a 74AHCT125. The first module is the right one, as on the boards with four
/// modules that are sold as FC-16. A module takes up to 0.3 A.
///
/// **Timing.** A thread makes the transfers. A text that fits is written once, and again each 10 minutes, because
/// such chips can't be asked whether their power was cut. A text that moves is written at each of its steps, and
/// completely once a minute.
///
/// **Source.** Maxim MAX7219/MAX7221, 19-4452, rev. 4.
///
///     Lens(DotMatrix(spi, moduleCount: 4), show: { .init("\($0.count)") })
public struct DotMatrix: OutputWorkerDriver {
  public struct Settings: Equatable, Sendable {
    /// The time for which a text that moves stays at each column, 20 ms to 10 s.
    public var pace: Duration
    /// Whether the row of modules is upside down.
    public var isRotated: Bool

    public init(pace: Duration = .milliseconds(60), isRotated: Bool = false) {
      (self.pace, self.isRotated) = (pace, isRotated)
    }
  }

  public struct Model: Equatable, Sendable, Codable {
    /// The text; empty for a dark sign.
    public var text: String
    /// 0 to 1, in 16 steps.
    public var brightness: Double

    public init(_ text: String, brightness: Double = 0.3) {
      (self.text, self.brightness) = (text, brightness)
    }
  }

  /// The frequency of the clock; the chip takes 10 MHz.
  public static let hertz = 1_000_000

  public var worker: OutputWorker<Begun<Model>>

  /// Doesn't open the bus.
  ///
  /// - Parameters:
  ///   - bus: the bus.
  ///   - chipSelect: the number of the chip select.
  ///   - moduleCount: the number of modules, 1 to 16.
  ///   - settings: everything that has a default.
  ///   - check: everything is written again at each multiple of this time on the loop's clock; nil for never.
  public init(
    _ bus: any SPIBus, chipSelect: Int = 0, moduleCount: Int = 4, settings: Settings = Settings(),
    check: Duration? = OutputProgress.checkInterval
  ) {
    precondition((1...16).contains(moduleCount), "a sign has 1 to 16 modules")
    worker = OutputWorker(for: "the sign", onThread: bus.needsThread, watch: bus.watchForReturn) {
      DotMatrixWork(
        SPIDevice(bus, chipSelect: chipSelect, SPISettings(hertz: Self.hertz)), moduleCount: moduleCount, settings,
        check: check)
    }
  }

  public var safeModel: Model { Model("") }
  public func workModel(of model: Model, at moment: Moment) -> Begun<Model> { Begun(model, at: moment) }
}

/// A text as pixels, and the part of it that a sign shows at each step.
package struct MovingText {
  /// The dark columns between the end of a text that moves and its next beginning.
  private static let gap = 12

  private let pixels: PixelBuffer
  private let width: Int
  /// Whether the text is wider than the sign.
  package let moves: Bool

  /// - Parameters:
  ///   - text: the text, in ``PixelFont``.
  ///   - width: the columns of the sign.
  package init(_ text: String, width: Int) {
    self.width = width
    // The last column of a character is dark.
    let length = text.count * PixelFont.width - 1
    moves = length > width
    var pixels = PixelBuffer(width: min(1_024, max(width, moves ? length + Self.gap : width)), height: PixelFont.height)
    pixels.draw(text)
    self.pixels = pixels
  }

  /// The longest text that is drawn whole.
  package static let longest = 168

  /// The number of steps after which a text that moves begins again.
  package var stepCount: Int { moves ? pixels.width : 1 }

  /// The picture of the sign at a step: the text begins at its left edge, and moves to the left.
  package func frame(at step: Int) -> PixelBuffer {
    var frame = PixelBuffer(width: width, height: PixelFont.height)
    for x in 0..<width {
      let column = moves ? (x + step) % pixels.width : x
      for y in 0..<PixelFont.height where pixels[column, y] { frame[x, y] = true }
    }
    return frame
  }
}

/// Writes the rows of the modules that have changed.
private struct DotMatrixWork: OutputWork {
  private enum Register {
    static let decodeMode: UInt8 = 0x09
    static let intensity: UInt8 = 0x0A
    static let scanLimit: UInt8 = 0x0B
    static let shutdown: UInt8 = 0x0C
    static let displayTest: UInt8 = 0x0F
  }

  private let device: SPIDevice
  private let moduleCount: Int
  private let settings: DotMatrix.Settings
  private var rewrites: OutputRewrites
  private var model = Begun(DotMatrix.Model(""), at: .zero)
  private var text: MovingText
  private var shown: PixelBuffer?
  private var shownBrightness: UInt8?

  init(_ device: SPIDevice, moduleCount: Int, _ settings: DotMatrix.Settings, check: Duration?) {
    (self.device, self.moduleCount, rewrites) = (device, moduleCount, OutputRewrites(each: check))
    var settings = settings
    settings.pace = min(max(settings.pace, .milliseconds(20)), .seconds(10))
    self.settings = settings
    text = MovingText("", width: 8 * moduleCount)
  }

  mutating func show(_ model: Begun<DotMatrix.Model>) {
    if model.model.text != self.model.model.text {
      text = MovingText(model.model.text, width: 8 * moduleCount)
      self.model = model
    } else {
      // The same text moves on.
      self.model.model = model.model
    }
  }

  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
    let pace = settings.pace.wholeNanoseconds
    let elapsed = max(0, clock.now.nanoseconds - model.start.nanoseconds)
    let step = text.moves ? Int(elapsed / Int64(pace)) : 0
    let frame = text.frame(at: step % text.stepCount)
    if rewrites.isDue(at: clock.now, isChanging: frame != shown || brightness != shownBrightness) { forget() }
    try write(frame, on: clock)
    guard text.moves else { return .shown(check: rewrites.check) }
    return .shown(check: min(rewrites.due, model.start + .nanoseconds(Int64(step + 1) * Int64(pace))))
  }

  private mutating func write(_ frame: PixelBuffer, on clock: WorkClock) throws(DriverError) {
    var messages: [SPIMessage] = []
    func write(_ register: UInt8, _ values: [UInt8]) {
      if !messages.isEmpty { messages.append(.reselect) }
      messages.append(.write(values.flatMap { [register, $0] }))
    }
    func writeAll(_ register: UInt8, _ value: UInt8) {
      write(register, [UInt8](repeating: value, count: moduleCount))
    }
    let isNew = shown == nil
    if isNew {
      // After a power-up the rows are random, and the chips are shut down.
      writeAll(Register.displayTest, 0)
      writeAll(Register.decodeMode, 0)
      writeAll(Register.scanLimit, 7)
    }
    let brightness = brightness
    if brightness != shownBrightness { writeAll(Register.intensity, brightness) }
    for row in 0..<8 where shown.map({ rows($0, row) }) != rows(frame, row) {
      write(UInt8(row + 1), rows(frame, row))
    }
    if isNew { writeAll(Register.shutdown, 1) }
    if !messages.isEmpty { _ = try device.transfer(messages, on: clock) }
    (shown, shownBrightness) = (frame, brightness)
    if isNew { rewrites.note(at: clock.now) }
  }

  /// The number of the intensity register.
  private var brightness: UInt8 { UInt8((min(max(model.model.brightness, 0), 1) * 15).rounded()) }

  /// The bytes of a row for the modules, the left one first: its word travels through all others. Bit 7 is the left
  /// column of a module.
  private func rows(_ frame: PixelBuffer, _ row: Int) -> [UInt8] {
    (0..<moduleCount).map { module in
      (0..<8).reduce(0) { byte, column in
        let (x, y) = (8 * module + column, row)
        let isLit =
          settings.isRotated ? frame[8 * moduleCount - 1 - x, 7 - y] : frame[x, y]
        return byte << 1 | (isLit ? 1 : 0)
      }
    }
  }

  mutating func forget() { (shown, shownBrightness) = (nil, nil) }
  mutating func close() { device.close() }
}
