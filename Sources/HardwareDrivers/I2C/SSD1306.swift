import CycleCore

/// An OLED with an SSD1306 or SH1106 on an I²C bus: 128×64 or 128×32 pixels, lit or dark.
///
/// **Wiring.** SDA, SCL, 3.3 V, ground. The address is 0x3C, or 0x3D with the other position of the bridge on the board
/// (some boards print it doubled: 0x78, 0x7A).
///
/// **Timing.** A thread makes the transfers, each of 32 bytes at most: 0.8 ms at 400 kHz. Only what has changed is
/// written. A picture of 128×64 that has changed everywhere is on the bus for 26 ms at 400 kHz, and four times as long
/// at 100 kHz. A new model applies from the next transfer on, so a picture that changes faster is shown with parts of
/// two. An OLED that doesn't acknowledge is reported as trouble, and retried after 1 s, 2 s, … 60 s. The driver reads
/// the status before it writes a picture, and each 10 minutes, to detect an OLED that has lost its power in between. If
/// the controller can't be read, everything is written each 10 minutes instead, and once a
/// minute while the picture changes.
///
/// **Source.** Solomon Systech SSD1306, rev. 1.1; Sino Wealth SH1106, rev. 2.3.
///
///     Lens(SSD1306(bus), show: { SSD1306.Model($0.picture) })
public struct SSD1306: OutputWorkerDriver {
  /// The picture that the OLED shows.
  public struct Model: Equatable, Sendable {
    /// The pixels, from the left and the top. Pixels beyond those of the OLED are not shown; missing ones are dark.
    public var pixels: PixelBuffer
    /// The current through lit pixels, 0 to 255. At 0 they are dim, not dark.
    public var contrast: UInt8
    /// Whether lit pixels are dark, and dark ones lit.
    public var isInverted: Bool

    public init(_ pixels: PixelBuffer, contrast: UInt8 = 0xCF, isInverted: Bool = false) {
      self.pixels = pixels
      self.contrast = contrast
      self.isInverted = isInverted
    }
  }

  /// The chip between the bus and the pixels.
  public enum Controller: Equatable, Sendable {
    case ssd1306
    /// Its memory has 132 columns, of which 2 to 129 are visible. Most OLEDs of 1.3" have it.
    case sh1106
  }

  public struct Settings: Equatable, Sendable {
    public var controller: Controller
    /// The rows: 64 or 32.
    public var height: Int
    /// Whether the OLED is mounted upside down.
    public var isRotated: Bool
    /// At each multiple of this time on the loop's clock, the driver checks whether the OLED is there; nil for no checks.
    public var check: Duration?

    public init(
      controller: Controller = .ssd1306, height: Int = 64, isRotated: Bool = false,
      check: Duration? = OutputProgress.checkInterval
    ) {
      precondition(height == 64 || height == 32, "an OLED with this controller has 64 or 32 rows")
      self.controller = controller
      self.height = height
      self.isRotated = isRotated
      self.check = check
    }
  }

  /// The columns of the pixels.
  public static let width = 128

  public var worker: OutputWorker<Model>
  private let settings: Settings

  /// Doesn't open the bus.
  public init(_ bus: any I2CBus, address: I2CAddress = 0x3C, settings: Settings = Settings()) {
    self.settings = settings
    worker = OutputWorker(for: "the OLED", onThread: bus.needsThread, watch: bus.watchForReturn) {
      SSD1306Work(I2CDevice(bus, at: address), settings)
    }
  }

  /// Dark.
  public var safeModel: Model { Model(PixelBuffer(width: Self.width, height: settings.height)) }
}

/// Writes to an OLED, one transfer per step.
private struct SSD1306Work: OutputWork {
  private let board: I2CDevice
  private let settings: SSD1306.Settings
  /// The bytes that the memory should have, page by page.
  private var wanted: [UInt8]
  /// The bytes that the memory has; -1 if unknown.
  private var written: [Int16]
  /// The number of bytes that are unknown.
  private var unknownCount: Int
  /// The next place whose byte is not the wanted one; nil if there is none. It goes round, so that a part of the
  /// picture that changes all the time doesn't keep the rest from being written.
  private var difference: Int? = 0
  /// The moments of the checks.
  private var checks: OutputRewrites
  /// The place in the memory of the next byte of data; nil if unknown.
  private var pointer: Int?
  private var contrast: UInt8 = 0
  private var isInverted = false
  /// The contrast and the inversion that were written.
  private var look: (contrast: UInt8, isInverted: Bool)?
  private var isSetUp = false
  private var isOn = false
  /// Whether the status can be read; nil if unknown.
  private var canRead: Bool?
  /// The moment of the last successful transfer.
  private var heard = Moment.zero

  /// The bytes of a page: a column of eight pixels each.
  private static let width = SSD1306.width
  /// The data in one transfer. With the control byte, adapters that only support SMBus can write it.
  private static let dataAtOnce = 31
  /// The power of an OLED is never cut for less than this, so it isn't checked within this time after a transfer.
  private static let shortestCut = Duration.milliseconds(5)
  /// The bit of the status that is 1 while the display is off.
  private static let offBit: UInt8 = 0x40
  /// The control bytes before commands and before data.
  private static let commands: UInt8 = 0x00
  private static let data: UInt8 = 0x40

  init(_ board: I2CDevice, _ settings: SSD1306.Settings) {
    self.board = board
    self.settings = settings
    checks = OutputRewrites(each: settings.check)
    wanted = Array(repeating: 0, count: Self.width * settings.height / 8)
    written = Array(repeating: -1, count: wanted.count)
    unknownCount = wanted.count
  }

  mutating func show(_ model: SSD1306.Model) {
    contrast = model.contrast
    isInverted = model.isInverted
    let (pixels, pages) = (model.pixels, min(settings.height, model.pixels.height) / 8)
    let columns = min(Self.width, pixels.width)
    for place in wanted.indices {
      let (page, column) = (place / Self.width, place % Self.width)
      wanted[place] = page < pages && column < columns ? pixels.bytes[page * pixels.width + column] : 0
    }
    difference = nextDifference(from: pointer ?? difference ?? 0)
  }

  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
    if isOn, clock.now - heard > Self.shortestCut || checks.isDue(at: clock.now, isChanging: false) {
      try check(on: clock)
    }
    if !isSetUp {
      try send([Self.commands] + setup, on: clock)
      isSetUp = true
      checks.note(at: clock.now)
    } else if unknownCount > 0, let place = difference {
      try write(from: place, on: clock)
    } else if look.map({ $0 != (contrast, isInverted) }) ?? true {
      try send([Self.commands, 0x81, contrast, isInverted ? 0xA7 : 0xA6], on: clock)
      look = (contrast, isInverted)
    } else if !isOn {
      try send([Self.commands, 0xAF], on: clock)
      isOn = true
    } else if let place = difference {
      try write(from: place, on: clock)
    } else if canRead == nil {
      canRead = try status(on: clock).map { $0 & Self.offBit == 0 } ?? false
    }
    return OutputProgress(isShown: isSettled, check: checks.check)
  }

  mutating func forget() {
    written = Array(repeating: -1, count: wanted.count)
    (unknownCount, difference) = (wanted.count, 0)
    (pointer, look, isSetUp, isOn) = (nil, nil, false, false)
  }

  mutating func close() { board.close() }

  private var isSettled: Bool {
    isOn && canRead != nil && difference == nil && look.map { $0 == (contrast, isInverted) } ?? false
  }

  private func nextDifference(from start: Int) -> Int? {
    var place = start
    for _ in wanted.indices {
      if place == wanted.count { place = 0 }
      if written[place] != Int16(wanted[place]) { return place }
      place += 1
    }
    return nil
  }

  /// The commands after a power-up. They don't change what is visible: a display that has just got its power is off and
  /// stays so, because its memory has random contents; one that is on stays on.
  private var setup: [UInt8] {
    let direction: [UInt8] = settings.isRotated ? [0xA0, 0xC0] : [0xA1, 0xC8]
    return [0xD5, 0x80, 0xA8, UInt8(settings.height - 1), 0xD3, 0x00, 0x40] + direction
      + [0xDA, settings.height == 64 ? 0x12 : 0x02, 0xD9, 0xF1, 0xDB, 0x30, 0xA4]
      // An SSD1306 needs its charge pump, no scrolling, and the page mode. An SH1106 has its pump on after a power-up,
      // no scrolling and only that mode.
      + (settings.controller == .ssd1306 ? [0x8D, 0x14, 0x2E, 0x20, 0x02] : [])
  }

  /// Moves to this place of the memory, or, if it is there, writes the bytes from there to the last one of the page
  /// that differs.
  private mutating func write(from place: Int, on clock: WorkClock) throws(DriverError) {
    let (page, column) = (place / Self.width, place % Self.width)
    guard pointer == place else {
      let first = column + (settings.controller == .sh1106 ? 2 : 0)
      try send([Self.commands, 0xB0 | UInt8(page), UInt8(first & 0xF), 0x10 | UInt8(first >> 4)], on: clock)
      pointer = place
      return
    }
    let reach = place..<min(place + Self.dataAtOnce, (page + 1) * Self.width)
    let last = reach.last { written[$0] != Int16(wanted[$0]) } ?? place
    try send([Self.data] + wanted[place...last], on: clock)
    for index in place...last {
      if written[index] < 0 { unknownCount -= 1 }
      written[index] = Int16(wanted[index])
    }
    difference = nextDifference(from: last + 1)
    // After the last column the controllers differ.
    pointer = (last + 1) % Self.width == 0 ? nil : last + 1
  }

  private mutating func send(_ bytes: [UInt8], on clock: WorkClock) throws(DriverError) {
    try board.write(bytes, on: clock)
    heard = clock.now
  }

  /// Checks whether the display is still on. If it isn't, its power was cut, and it has forgotten everything.
  private mutating func check(on clock: WorkClock) throws(DriverError) {
    guard canRead == true else {
      // A power cut can not be detected: everything is written again from time to time.
      if checks.isDue(at: clock.now, isChanging: !isSettled) { forget() }
      return
    }
    checks.note(at: clock.now)
    if try status(on: clock).map({ $0 & Self.offBit != 0 }) ?? true { forget() }
  }

  /// Reads the status; nil if it can't be read.
  private mutating func status(on clock: WorkClock) throws(DriverError) -> UInt8? {
    do throws(DriverError) {
      let status = try board.read(1, on: clock).first
      heard = clock.now
      return status
    } catch {
      guard error.kind == .unsupported else { throw error }
      return nil
    }
  }
}
