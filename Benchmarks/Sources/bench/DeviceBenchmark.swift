import BenchDrivers
import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelKit

/// The cost of devices that move or are on a bus, on ports that take each write without hardware: against a loop that
/// makes the same writes.
let deviceBenchmarks = [
  Benchmark("a write of a fade, on 1 lamp", against: "the writes alone", timed: 20_000, counted: 2_000) {
    ({ try fade(lamps: 1, writes: $0) }, { writeFade(lamps: 1, writes: $0) })
  },
  Benchmark("a write of a fade, on 32 lamps", against: "the writes alone", timed: 20_000, counted: 2_000) {
    ({ try fade(lamps: 32, writes: $0) }, { writeFade(lamps: 32, writes: $0) })
  },
  Benchmark(
    "a frame of a rainbow on 300 pixels", against: "the same colours in a loop", timed: 200, counted: 50
  ) {
    ({ try rainbow(frames: $0) }, { writeRainbow(frames: $0) })
  },
  Benchmark(
    "a changed row of text on an OLED", against: "the same bytes without comparing", timed: 2_000, counted: 200
  ) {
    ({ try rows($0) }, { try writeRows($0) })
  },
  Benchmark(
    "a reading of a BME280 by its sheet", against: "the formulas of its data sheet in Swift", timed: 5_000,
    counted: 500
  ) {
    let sheet = try loadBME280()
    return ({ try readSheet(sheet, $0) }, { try readByHand($0) })
  },
  Benchmark(
    "a step of a stepper at 1000 steps a second", against: "two writes per step", timed: 20_000, counted: 2_000
  ) {
    ({ try turn(steps: $0) }, { try writeSteps($0) })
  },
]

// MARK: - Fades

/// A PWM channel whose writes are counted.
private final class NullPWM: PWMChannel, PWMConnection {
  private(set) var count = 0
  private(set) var last = PWMWave(0, hertz: 1_000)

  var isPresent: Bool { true }
  func open(showing wave: PWMWave) throws(DriverError) -> any PWMConnection {
    last = wave
    return self
  }
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }
  @inline(never)
  func show(_ wave: PWMWave) throws(DriverError) {
    count &+= 1
    last = wave
  }
  func watch(_ watcher: Watcher) throws(DriverError) {}
  func check() throws(DriverError) {}
  func close() {}
  func leave() {}
}

/// A fade of this many writes to each lamp takes place: at 50 a second.
@inline(never)
private func fade(lamps: Int, writes: Int) throws {
  let channels = (0..<lamps).map { _ in NullPWM() }
  let each = max(1, writes / lamps)
  // 1 000 writes to a fade, and back: each one is a step of the hardware at least.
  let span = Duration.seconds(20)
  let cycle = Cycle(seed: false) {
    Lens(Ticker(), show: { _ in span }, on: { isUp, _ in isUp.toggle() })
    LensList(count: lamps) { place in
      Lens(PWMDriver(PWMLED(channels[place])), show: { .fade(to: $0 ? 1 : 0, over: span, on: .linear) })
    }
  }
  let loop = VirtualLoop()
  try cycle.start(on: loop)
  while channels[0].count < each { try cycle.step(until: loop.now + .milliseconds(20)) }
  cycle.stop()
}

/// Emits an event at a fixed interval.
private struct Ticker: Driver {
  typealias Event = Int
  private var context: DriverContext<Int>?
  private var interval = Duration.zero

  var safeModel: Duration { .zero }

  mutating func start(showing model: Duration, in context: DriverContext<Int>) throws(DriverError) {
    (self.context, interval) = (context, model)
    context.setAlarm(context.now + model)
  }
  mutating func render(_ model: Duration, replacing previous: Duration?) throws(DriverError) {}
  mutating func wake(_ wake: Wake) throws(DriverError) {
    guard case .alarm = wake, let context else { return }
    context.emit(0)
    context.setAlarm(context.now + interval)
  }
  mutating func stop() {}
}

@inline(never)
private func writeFade(lamps: Int, writes: Int) {
  let channels = (0..<lamps).map { _ in NullPWM() }
  for number in 0..<max(1, writes / lamps) {
    let step = Double(number % 1_000) / 1_000
    for channel in channels { try? channel.show(PWMWave(step, hertz: 1_000)) }
  }
}

// MARK: - Pixels

/// An SPI bus whose bytes are counted.
private final class NullSPI: SPIBus, SPIConnection {
  private(set) var count = 0
  private(set) var transferCount = 0

  var needsThread: Bool { false }
  var byteLimit: Int { 4_096 }
  func open(_ chipSelect: Int, _ settings: SPISettings) throws(DriverError) -> any SPIConnection { self }
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }
  @inline(never)
  func transfer(_ messages: [SPIMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    transferCount &+= 1
    for message in messages {
      if case .write(let bytes) = message { count &+= bytes.count }
    }
    return []
  }
  func close() {}
}

private let pixelCount = 300

@inline(never)
private func rainbow(frames: Int) throws {
  let bus = NullSPI()
  let cycle = Cycle(seed: 0) {
    Lens(LEDStrip(bus, .ws2812, count: pixelCount), show: { _ in PixelLight(.rainbow(round: .seconds(5))) })
  }
  let loop = VirtualLoop()
  try cycle.start(on: loop)
  while bus.transferCount < frames { try cycle.step(until: loop.now + .milliseconds(20)) }
  cycle.stop()
}

/// The same pixels, encoded in the same way: 4 bits for each bit.
@inline(never)
private func writeRainbow(frames: Int) {
  let bus = NullSPI()
  let clock = WorkClock(at: .zero)
  for frame in 0..<frames {
    var bytes: [UInt8] = [0]
    bytes.reserveCapacity(12 * pixelCount + 200)
    for pixel in 0..<pixelCount {
      let turn = (Double(frame) * 0.004 + Double(pixel) / Double(pixelCount)) * 6
      let phase = turn - (turn / 6).rounded(.down) * 6
      func light(_ offset: Double) -> UInt8 {
        let distance = abs((phase + offset).truncatingRemainder(dividingBy: 6) - 3) - 1
        return UInt8(min(1, max(0, distance)) * 255)
      }
      for value in [light(1), light(3), light(5)] {
        for shift in stride(from: 6, through: 0, by: -2) {
          bytes.append(
            (value >> UInt8(shift + 1) & 1 != 0 ? 0xC0 : 0x80) | (value >> UInt8(shift) & 1 != 0 ? 0x0C : 0x08))
        }
      }
    }
    bytes += repeatElement(0, count: 120)
    _ = try? bus.transfer([.write(bytes)], on: clock)
  }
}

// MARK: - Text

/// An I²C bus whose bytes are counted.
private final class NullI2C: I2CBus, I2CConnection {
  private(set) var count = 0

  var needsThread: Bool { false }
  func open(_ address: I2CAddress) throws(DriverError) -> any I2CConnection { self }
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }
  @inline(never)
  func transfer(_ messages: [I2CMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    for message in messages {
      if case .write(let bytes) = message { count &+= bytes.count }
    }
    return []
  }
  func close() {}
}

private func screen(_ number: Int) -> SSD1306.Model {
  var pixels = PixelBuffer(width: SSD1306.width, height: 64)
  pixels.draw("Temperature", y: 0)
  pixels.draw("Row \(number % 1_000)", y: 8)
  pixels.draw("Humidity", y: 16)
  pixels.draw("Pressure", y: 24)
  return SSD1306.Model(pixels)
}

@inline(never)
private func rows(_ changes: Int) throws {
  let bus = NullI2C()
  let feed = Feed()
  let cycle = Cycle(seed: 0) {
    Lens(Fed(feed), on: { frame, event in frame &+= 1 })
    Lens(SSD1306(bus), show: { screen($0) })
  }
  let loop = VirtualLoop()
  try cycle.start(on: loop)
  for _ in 0..<20 { try cycle.step(until: loop.now + .milliseconds(20)) }
  for _ in 0..<changes {
    feed.push()
    try cycle.step(until: nil)
    try cycle.step(until: loop.now + .milliseconds(20))
  }
  precondition(bus.count > changes, "each change is written")
  cycle.stop()
}

/// The same texts, of which the changed row is written, because the writer knows that no other differs.
@inline(never)
private func writeRows(_ changes: Int) throws {
  let bus = NullI2C()
  let device = I2CDevice(bus, at: 0x3C)
  let clock = WorkClock(at: .zero)
  for number in 0..<changes {
    var pixels = PixelBuffer(width: SSD1306.width, height: 8)
    pixels.draw("Row \(number % 1_000)", y: 0)
    try device.write([0x00, 0xB1, 0x00, 0x10], on: clock)
    var bytes: [UInt8] = [0x40]
    for column in 0..<SSD1306.width {
      var byte: UInt8 = 0
      for row in 0..<8 where pixels[column, row] { byte |= 1 << UInt8(row) }
      bytes.append(byte)
    }
    try device.write(bytes, on: clock)
  }
}

// MARK: - A sheet

/// A BME280 that answers with the registers of its data sheet's example.
private final class AnsweringBME280: I2CBus, I2CConnection {
  private static let calibration: [UInt8] = [
    0x70, 0x6B, 0x43, 0x67, 0x18, 0xFC, 0x7D, 0x8E, 0x43, 0xD6, 0xD0, 0x0B, 0x27, 0x0B, 0x8C, 0x00, 0xF9, 0xFF, 0x8C,
    0x3C, 0xF8, 0xC6, 0x70, 0x17,
  ]
  private static let answers: [UInt8: [UInt8]] = [
    0xD0: [0x60], 0xF3: [0], 0x88: calibration, 0xA1: [75], 0xE1: [0x6A, 0x01, 0x00, 0x13, 0x29, 0x03, 0x1E],
    0xF7: [0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00, 0x6A, 0x3A],
  ]

  private(set) var count = 0

  var needsThread: Bool { false }
  func open(_ address: I2CAddress) throws(DriverError) -> any I2CConnection { self }
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }
  @inline(never)
  func transfer(_ messages: [I2CMessage], on clock: WorkClock) throws(DriverError) -> [UInt8] {
    count &+= 1
    var register: UInt8 = 0
    for message in messages {
      switch message {
      case .write(let bytes): register = bytes.first ?? 0
      case .read: return Self.answers[register] ?? []
      }
    }
    return []
  }
  func close() {}
}

private func loadBME280() throws -> Sheet {
  guard let sheet = Sheet.named("bme280") else { fatalError("there is a sheet bme280") }
  return sheet
}

@inline(never)
private func readSheet(_ sheet: Sheet, _ readings: Int) throws {
  let chip = SheetChip(sheet, I2CDevice(AnsweringBME280(), at: 0x76))
  let source = chip.source(of: "temperature")
  let clock = WorkClock(at: .zero)
  var sum = 0.0
  for _ in 0..<readings { sum += try source.readNumber(on: clock) }
  precondition(abs(sum / Double(max(1, readings)) - 25.08) < 0.01 || readings == 0, "the example of the data sheet")
}

/// The same transfers, and the formulas of the data sheet for temperature, pressure and humidity.
@inline(never)
private func readByHand(_ readings: Int) throws {
  let device = I2CDevice(AnsweringBME280(), at: 0x76)
  let clock = WorkClock(at: .zero)
  func word(_ bytes: [UInt8], _ place: Int) -> Int64 { Int64(bytes[place]) | Int64(bytes[place + 1]) << 8 }
  func signed(_ bytes: [UInt8], _ place: Int) -> Int64 { Int64(Int16(truncatingIfNeeded: word(bytes, place))) }
  let c = try device.read(24, after: [0x88], on: clock)
  let h1 = Int64(try device.read(1, after: [0xA1], on: clock)[0])
  let e = try device.read(7, after: [0xE1], on: clock)
  let (t1, t2, t3) = (word(c, 0), signed(c, 2), signed(c, 4))
  let p = [word(c, 6)] + (1..<9).map { signed(c, 6 + 2 * $0) }
  let (h2, h3, h6) = (signed(e, 0), Int64(e[2]), Int64(Int8(bitPattern: e[6])))
  let h4 = Int64(Int8(bitPattern: e[3])) << 4 | Int64(e[4] & 0xF)
  let h5 = Int64(Int8(bitPattern: e[5])) << 4 | Int64(e[4] >> 4)
  var sum: Int64 = 0
  for _ in 0..<readings {
    try device.write([0xF4, 0x25], on: clock)
    while try device.read(1, after: [0xF3], on: clock)[0] & 0x08 != 0 {}
    let bytes = try device.read(8, after: [0xF7], on: clock)
    let rawP = Int64(bytes[0]) << 12 | Int64(bytes[1]) << 4 | Int64(bytes[2]) >> 4
    let rawT = Int64(bytes[3]) << 12 | Int64(bytes[4]) << 4 | Int64(bytes[5]) >> 4
    let rawH = Int64(bytes[6]) << 8 | Int64(bytes[7])
    let fine =
      ((rawT >> 3) - (t1 << 1)) * t2 >> 11 + (((rawT >> 4) - t1) * ((rawT >> 4) - t1) >> 12) * t3 >> 14
    let v1 = fine - 128_000
    let v2 = v1 * v1 * p[5] + (v1 * p[4]) << 17 + p[3] << 35
    let v3 = (v1 * v1 * p[2]) >> 8 + (v1 * p[1]) << 12
    let v4 = ((1 << 47 + v3) * p[0]) >> 33
    var pressure: Int64 = 0
    if v4 != 0 {
      pressure = (((1_048_576 - rawP) << 31 - v2) * 3125) / v4
      pressure =
        (pressure + (p[8] * (pressure >> 13) * (pressure >> 13)) >> 25 + (p[7] * pressure) >> 19) >> 8 + p[6] << 4
    }
    let v = fine - 76_800
    let w1 = ((rawH << 14) - (h4 << 20) - h5 * v + 16_384) >> 15
    let w2 = ((((v * h6) >> 10) * (((v * h3) >> 11) + 32_768)) >> 10 + 2_097_152) * h2
    var humidity = w1 * ((w2 + 8_192) >> 14)
    humidity -= (((humidity >> 15) * (humidity >> 15)) >> 7) * h1 >> 4
    sum &+= (fine * 5 + 128) >> 8 &+ pressure &+ min(max(humidity, 0), 419_430_400) >> 12
  }
  precondition(sum != 0 || readings == 0, "there are readings")
}

// MARK: - Steps

/// A chip on which each write of lines is counted.
private final class NullChip: GPIOChip, LineRequest {
  private(set) var count = 0

  func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest { self }
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? { nil }
  var abilities: EdgeCapabilities { EdgeCapabilities(debounces: true, numbersEdges: true, queueDepth: 1024) }
  @inline(never)
  func write(_ values: LineValues, mask: LineValues) throws(DriverError) { count &+= 1 }
  func watch(_ watcher: Watcher) throws(DriverError) {}
  func readValues() throws(DriverError) -> LineValues { [] }
  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {}
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int { 0 }
  func release() {}
}

@inline(never)
private func turn(steps: Int) throws {
  let chip = NullChip()
  let cycle = Cycle(seed: 0) {
    Lens(
      LineDriver(
        Stepper(.pulses(step: "GPIO5", direction: "GPIO6", enable: nil), on: chip, settings: .init(speed: 1_000))),
      show: { _ in .position(steps) })
  }
  let loop = VirtualLoop()
  try cycle.start(on: loop)
  while let alarm = cycle.nextAlarm { try cycle.step(until: alarm) }
  precondition(chip.count >= 2 * steps, "each step is a pulse")
  cycle.stop()
}

/// A pulse per step, on the same chip.
@inline(never)
private func writeSteps(_ steps: Int) throws {
  let chip = NullChip()
  let request: any LineRequest = chip
  var high: LineValues = []
  high[0] = .active
  for _ in 0..<steps {
    try request.write(high, mask: .first(1))
    try request.write([], mask: .first(1))
  }
}
