import CycleCore
import HardwareDrivers
import HardwareSimulation
import Testing

/// An OLED on a simulated bus.
private final class Stand {
  let bench: Bench
  let bus: SimulatedI2CBus
  let oled: SimulatedOLED
  let trial: DriverBench<SSD1306>

  init(
    showing model: SSD1306.Model, settings: SSD1306.Settings = .init(), seed: UInt64 = 0, sendsStatus: Bool = true
  ) {
    bench = Bench(seed: seed)
    bus = SimulatedI2CBus(bench, clockHertz: 400_000)
    oled = SimulatedOLED(on: bus, controller: settings.controller, height: settings.height)
    oled.sendsStatus = sendsStatus
    trial = DriverBench(SSD1306(bus, settings: settings), showing: model, on: bench)
  }

  func run() throws {
    try trial.start()
    try bench.advance(by: .milliseconds(100))
  }

  func show(_ model: SSD1306.Model, after span: Duration = .milliseconds(100)) throws {
    try trial.show(model)
    try bench.advance(by: span)
  }

  func stop(_ place: SourceLocation = #_sourceLocation) {
    trial.stop()
    #expect(oled.faults == [], sourceLocation: place)
    #expect(bus.openCount == 0, sourceLocation: place)
    #expect(trial.cycle.nextAlarm == nil, sourceLocation: place)
  }
}

/// A picture with some lit pixels, another one for each number.
private func picture(_ number: Int, height: Int = 64) -> SSD1306.Model {
  var random = SeededGenerator(seed: UInt64(number))
  var pixels = PixelBuffer(width: 128, height: height)
  for _ in 0..<20 { pixels[Int.random(in: 0..<128, using: &random), Int.random(in: 0..<height, using: &random)] = true }
  return SSD1306.Model(pixels)
}

@Suite("SSD1306")
struct SSD1306Tests {
  @Test(
    "a picture is shown as it is, on each controller, size and mounting",
    arguments: [
      SSD1306.Settings(), .init(height: 32), .init(isRotated: true), .init(controller: .sh1106),
      .init(controller: .sh1106, isRotated: true),
    ])
  func shows(settings: SSD1306.Settings) throws {
    let model = picture(1, height: settings.height)
    let stand = Stand(showing: model, settings: settings)
    try stand.run()
    #expect(stand.seen == (settings.isRotated ? model.pixels.upsideDown : model.pixels))
    let other = picture(2, height: settings.height)
    try stand.show(other)
    #expect(stand.seen == (settings.isRotated ? other.pixels.upsideDown : other.pixels))
    stand.stop()
    #expect(stand.seen == PixelBuffer(width: 128, height: settings.height))
  }

  @Test("only what has changed is written, and nothing if nothing has")
  func differences() throws {
    var model = picture(1)
    let stand = Stand(showing: model, settings: .init(check: nil))
    try stand.run()
    let before = stand.oled.dataCount
    model.pixels[40, 9].toggle()
    try stand.show(model)
    #expect(stand.oled.dataCount - before == 1)
    #expect(stand.seen == model.pixels)
    let transfers = stand.bus.transferCount
    try stand.bench.advance(by: .seconds(3_600))
    #expect(stand.bus.transferCount == transfers)
    stand.stop()
  }

  @Test("a picture of another size is cut, and its missing pixels are dark")
  func sizes() throws {
    var small = PixelBuffer(width: 10, height: 8)
    small.fill(x: 0..<10, y: 0..<8)
    let stand = Stand(showing: SSD1306.Model(small))
    try stand.run()
    var wanted = PixelBuffer(width: 128, height: 64)
    wanted.fill(x: 0..<10, y: 0..<8)
    #expect(stand.seen == wanted)
    var large = PixelBuffer(width: 200, height: 80)
    large.fill(x: 100..<200, y: 60..<80)
    try stand.show(SSD1306.Model(large))
    var corner = PixelBuffer(width: 128, height: 64)
    corner.fill(x: 100..<128, y: 60..<64)
    #expect(stand.seen == corner)
    stand.stop()
  }

  @Test("contrast and inversion take a transfer, and no data")
  func look() throws {
    var model = picture(1)
    let stand = Stand(showing: model)
    try stand.run()
    let before = stand.oled.dataCount
    (model.contrast, model.isInverted) = (3, true)
    try stand.show(model)
    #expect(stand.oled.picture.hasSuffix("contrast 3"))
    #expect(stand.seen?[0, 0] == !model.pixels[0, 0])
    #expect(stand.oled.dataCount == before)
    stand.stop()
  }

  @Test("a thousand pictures that come faster than they can be written: no trouble, and the last one is shown")
  func fast() throws {
    let stand = Stand(showing: picture(0))
    try stand.run()
    for number in 1...1_000 { try stand.show(picture(number), after: .microseconds(100)) }
    try stand.bench.advance(by: .milliseconds(100))
    #expect(stand.seen == picture(1_000).pixels)
    #expect(stand.trial.troubles == [])
    stand.stop()
  }

  @Test("an unnoticed power cut is found: at the next picture, or within 10 minutes", arguments: [true, false])
  func powerCut(sendsStatus: Bool) throws {
    let stand = Stand(showing: picture(1), sendsStatus: sendsStatus)
    try stand.run()
    stand.oled.unplug()
    stand.oled.plug()
    #expect(stand.seen == nil)
    try stand.bench.advance(by: .seconds(600))
    #expect(stand.seen == picture(1).pixels)
    stand.oled.unplug()
    stand.oled.plug()
    try stand.show(picture(2), after: sendsStatus ? .milliseconds(100) : .seconds(600))
    #expect(stand.seen == picture(2).pixels)
    #expect(stand.trial.troubles == [])
    stand.stop()
  }

  @Test("a picture that changes all the time, faster than the bus, is shown, and down to its last row")
  func animation() throws {
    let stand = Stand(showing: picture(0))
    stand.bus.clockHertz = 100_000
    var wanted = PixelBuffer(width: 128, height: 64)
    wanted.fill(x: 0..<128, y: 56..<64)
    try stand.trial.start()
    for number in 1...200 {
      // The upper rows are others in each picture, the last eight are not.
      for x in 0..<128 { for y in 0..<16 { wanted[x, y] = (x + y + number) % 3 == 0 } }
      try stand.show(SSD1306.Model(wanted), after: .milliseconds(10))
    }
    #expect(stand.seen?[5, 60] == true)
    stand.stop()
  }

  @Test("a power cut is found although the picture changes each second", arguments: [true, false])
  func powerCutOfAClock(sendsStatus: Bool) throws {
    let stand = Stand(showing: picture(0), sendsStatus: sendsStatus)
    try stand.run()
    stand.oled.unplug()
    stand.oled.plug()
    for number in 1...130 { try stand.show(picture(number), after: .seconds(1)) }
    #expect(stand.seen == picture(130).pixels)
    stand.stop()
  }

  @Test("an OLED whose status can't be read stays visible while it is written again", arguments: [false, true])
  func unreadable(isSMBusOnly: Bool) throws {
    let stand = Stand(showing: picture(1), sendsStatus: false)
    stand.bus.isSMBusOnly = isSMBusOnly
    try stand.run()
    for _ in 0..<1_300 {
      try stand.bench.advance(by: .milliseconds(100))
      #expect(stand.seen == picture(1).pixels)
    }
    stand.stop()
  }

  @Test("a transfer that fails, whichever it is, is mended", arguments: 0..<90)
  func failures(count: Int) throws {
    let stand = Stand(showing: picture(1))
    let failure = DriverError(.failed, cannot: "write to 0x3c on i2c-1", reason: "EIO", remedy: "None.")
    stand.bus.nextTransferError = failure
    stand.bus.transfersBeforeError = count
    stand.bus.failedTransfersTakeEffect = count % 2 == 0
    try stand.run()
    try stand.show(picture(2), after: .seconds(5))
    #expect(stand.seen == picture(2).pixels)
    stand.stop()
  }

  @Test("the laws of drivers", arguments: [SSD1306.Settings(), .init(controller: .sh1106)], [false, true])
  func laws(settings: SSD1306.Settings, pullsAdapter: Bool) {
    let violations = DriverLaws.violations(
      models: [picture(1), SSD1306.Model(picture(2).pixels, contrast: 7)],
      setup: { (bench: Bench) -> BusLawHarness<SimulatedI2CBus> in
        let bus = SimulatedI2CBus(bench, clockHertz: 400_000)
        let oled = SimulatedOLED(on: bus, controller: settings.controller)
        return BusLawHarness(
          bus, plug: pullsAdapter ? nil : { $0 ? oled.plug() : oled.unplug() }, picture: { oled.picture },
          showsFromStart: false, faults: { oled.faults })
      },
      driver: { SSD1306($0.bus, settings: settings) })
    #expect(violations == [])
  }
}

extension Stand {
  /// The visible pixels; nil while the OLED is off.
  var seen: PixelBuffer? { oled.visible }
}

extension PixelBuffer {
  fileprivate var upsideDown: PixelBuffer {
    var turned = PixelBuffer(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { turned[x, y] = self[width - 1 - x, height - 1 - y] }
    }
    return turned
  }
}
