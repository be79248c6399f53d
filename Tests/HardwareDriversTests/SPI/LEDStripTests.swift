import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A strip on a simulated bus.
private final class Stand {
  let bench: Bench
  let bus: SimulatedSPIBus
  let strip: SimulatedLEDStrip
  let trial: DriverBench<LEDStrip>

  init(
    _ chip: LEDStripChip = .ws2812, count: Int = 4, showing model: PixelLight = .off,
    settings: LEDStrip.Settings = .init(), since: Moment? = nil, isRequired: Bool = true
  ) {
    bench = Bench()
    bus = SimulatedSPIBus(bench)
    strip = SimulatedLEDStrip(chip, count: count, order: settings.order)
    bus.connect(strip, at: 0)
    trial = DriverBench(
      LEDStrip(bus, chip, count: count, settings: settings, since: since), showing: model, on: bench,
      isRequired: isRequired)
  }

  func start() throws {
    try trial.start()
    try bench.advance(by: .milliseconds(5))
  }

  func show(_ light: PixelLight, for milliseconds: Int = 30) throws {
    try trial.show(light)
    try bench.advance(by: .milliseconds(milliseconds))
  }

  var colours: [String] { strip.pixels.map(\.text) }
}

private let red = Colour("red")!
private let blue = Colour("blue")!

@Suite("LEDStrip")
struct LEDStripTests {
  @Test("the bytes of one red pixel, for each chip")
  func bytes() {
    let one = LEDStripChip.ws2812.frame([red], order: [1, 0, 2])
    #expect(one.count == 133 && one[0] == 0 && one[13...].allSatisfy { $0 == 0 })
    #expect(one[1..<13] == [0x88, 0x88, 0x88, 0x88, 0xCC, 0xCC, 0xCC, 0xCC, 0x88, 0x88, 0x88, 0x88])
    #expect(LEDStripChip.sk6812.frame([red], order: [1, 0, 2]) == one)
    #expect(
      LEDStripChip.ws2812.frame([Colour(red: 0, green: 0x1B / 255.0, blue: 0)], order: [1])[1..<5] == [
        0x88, 0x8C, 0xC8, 0xCC,
      ])
    #expect(
      LEDStripChip.apa102.frame([red], order: [2, 1, 0]) == [0, 0, 0, 0, 0xFF, 0, 0, 0xFF, 0, 0, 0, 0, 0])
  }

  @Test("the number of pixels in one transfer")
  func limits() {
    #expect(LEDStripChip.ws2812.pixelLimit() == 331)
    #expect(LEDStripChip.ws2812.byteCount(331) <= 4096 && LEDStripChip.ws2812.byteCount(332) > 4096)
    #expect(LEDStripChip.ws2812.pixelLimit(byteLimit: 32_768) == 2_720)
    #expect(LEDStripChip.sk6812.pixelLimit(channels: 4) == 248)
    #expect(LEDStripChip.apa102.pixelLimit() == 1_006)
    #expect(LEDStripChip.apa102.byteCount(1_006) == 4_095)
  }

  @Test("all chips show the colours of the model", arguments: LEDStripChip.allCases)
  func colours(chip: LEDStripChip) throws {
    let stand = Stand(chip, count: 40)
    try stand.start()
    #expect(stand.strip.frameCount == 1 && stand.colours.allSatisfy { $0 == "black" })
    try stand.show(PixelLight(.pixels([red, blue, .dark, Colour(hexadecimal: 0x010203)])))
    #expect(stand.colours[..<5] == ["red", "blue", "black", "#010203", "black"])
    try stand.show(PixelLight(.fill(.steady(Colour("orange")!))))
    #expect(stand.colours.allSatisfy { $0 == "orange" })
    stand.trial.stop()
    #expect(stand.colours.allSatisfy { $0 == "black" })
    #expect(stand.strip.faults == [] && stand.bus.openCount == 0)
  }

  @Test("an RGBW strip has a white LED, and an order decides where each colour is")
  func order() throws {
    let white = Stand(.sk6812, settings: .init(order: "grbw"))
    try white.start()
    try white.show(PixelLight(.fill(.steady(Colour(red: 0, green: 0, blue: 0, white: 1)))))
    #expect(white.strip.pixels[3].white == 1 && white.strip.pixels[3].red == 0)
    let swapped = Stand(.ws2812, settings: .init(order: "rgb"))
    try swapped.start()
    try swapped.show(PixelLight(.pixels([red, blue])))
    #expect(swapped.colours == ["red", "blue", "black", "black"])
    #expect(swapped.bus.transfers.last.map { "\($0)" }?.contains("w 00 cc cc cc cc 88") == true)
  }

  @Test("a bar and a dot follow a share")
  func shares() throws {
    let stand = Stand()
    try stand.start()
    try stand.show(PixelLight(.bar(share: 0.5, of: red, rest: blue)))
    #expect(stand.colours == ["red", "red", "blue", "blue"])
    try stand.show(PixelLight(.bar(share: .nan, of: red)))
    #expect(stand.colours == ["black", "black", "black", "black"])
    try stand.show(PixelLight(.bar(share: 0.375, of: red)))
    // The eye sees half of the light as 0.25 of it.
    #expect(stand.colours == ["red", "#400000", "black", "black"])
    try stand.show(PixelLight(.dot(share: 1, of: red)))
    #expect(stand.colours == ["black", "black", "black", "red"])
    try stand.show(PixelLight(.dot(share: 0.4, of: red, rest: .dark, tail: 1)))
    #expect(stand.colours == ["#400000", "red", "#400000", "black"])
  }

  @Test("each picture has a brightness, and can begin at the end")
  func brightness() throws {
    let stand = Stand()
    try stand.start()
    try stand.show(PixelLight(.bar(share: 0.5, of: red, rest: blue), brightness: 0.2, isReversed: true))
    #expect(stand.colours == ["#000033", "#000033", "#330000", "#330000"])
    try stand.show(PixelLight(.pixels([red, blue]), brightness: .nan, isReversed: true))
    #expect(stand.colours == ["black", "black", "blue", "red"])
    try stand.show(PixelLight(.chase(red, every: .seconds(1))), for: 1_500)
    let place = stand.colours.firstIndex(of: "red")
    // A picture that moves continues, and takes its next step at its time.
    try stand.show(PixelLight(.chase(red, every: .seconds(1)), brightness: 0.2), for: 450)
    #expect(stand.colours.firstIndex(of: "#330000") == place)
    try stand.show(PixelLight(.chase(red, every: .seconds(1)), brightness: 0.4), for: 100)
    #expect(stand.colours.firstIndex(of: "#660000") != place)
  }

  @Test("a blend begins with what the pixels show, has no jump, and then costs nothing")
  func blend() throws {
    let stand = Stand(count: 2)
    try stand.start()
    try stand.show(PixelLight(.pixels([red, blue])))
    try stand.show(PixelLight(.fill(.fade(to: Colour("lime")!, over: .seconds(1)))), for: 500)
    // Each part is blended as the eye sees it: half of the way is a quarter of the light.
    #expect(stand.strip.pixels[0].red > 0.2 && stand.strip.pixels[0].red < 0.3)
    #expect(stand.strip.pixels[1].blue > 0.2 && stand.strip.pixels[1].green > 0.2)
    let before = stand.strip.pixels[0].red
    try stand.show(PixelLight(.bar(share: 1, of: blue), over: .seconds(1)), for: 1)
    #expect(abs(stand.strip.pixels[0].red - before) < 0.02)
    try stand.bench.advance(by: .seconds(2))
    #expect(stand.colours == ["blue", "blue"])
    let count = stand.bus.transferCount
    #expect(stand.trial.cycle.nextAlarm == nil)
    try stand.bench.advance(by: .seconds(60))
    #expect(stand.bus.transferCount == count)
  }

  @Test("moving pictures come at 50 frames a second at most, and only when a byte differs")
  func frames() throws {
    let stand = Stand(count: 3)
    try stand.start()
    try stand.show(PixelLight(.rainbow(round: .seconds(5))), for: 1_000)
    let moving = stand.bus.transferCount
    #expect((45...52).contains(moving))
    #expect(Set(stand.colours).count == 3)
    try stand.show(PixelLight(.chase(red, every: .milliseconds(250))), for: 990)
    #expect((4...6).contains(stand.bus.transferCount - moving))
    #expect(stand.colours.filter { $0 == "red" }.count == 1)
    var seen: [Int] = []
    for _ in 0..<6 {
      try stand.bench.advance(by: .milliseconds(250))
      seen.append(stand.colours.firstIndex(of: "red")!)
    }
    #expect(seen == [seen[0], (seen[0] + 1) % 3, (seen[0] + 2) % 3, seen[0], (seen[0] + 1) % 3, (seen[0] + 2) % 3])
    #expect(stand.strip.faults == [])
  }

  @Test("the current is limited by dimming all pixels alike")
  func power() throws {
    let stand = Stand(count: 10, settings: .init(power: 0.3))
    try stand.start()
    try stand.show(PixelLight(.pixels([red])))
    #expect(stand.colours[0] == "red")
    try stand.show(PixelLight(.fill(.on)))
    let current = stand.strip.pixels.reduce(0) { $0 + ($1.red + $1.green + $1.blue) * 0.02 }
    #expect(current < 0.302 && current > 0.295)
  }

  @Test("a lost bus is opened again, and the strip shows what is due then")
  func lost() throws {
    let stand = Stand(count: 2, showing: PixelLight(.fill(.steady(red))), isRequired: false)
    try stand.start()
    #expect(stand.colours == ["red", "red"])
    stand.bus.unplug()
    try stand.show(PixelLight(.fill(.fade(to: blue, over: .seconds(4)))), for: 2_000)
    let losses = stand.trial.troubles
    #expect(!losses.isEmpty && losses.allSatisfy { if case .lost = $0 { true } else { false } }, "\(losses)")
    stand.bus.plug()
    try stand.bench.advance(by: .milliseconds(50))
    #expect(stand.strip.pixels[0].blue > 0.2 && stand.strip.pixels[0].blue < 0.35)
    try stand.bench.advance(by: .seconds(2))
    #expect(stand.colours == ["blue", "blue"])
  }

  @Test("a strip in a reloaded panel continues its pattern")
  func since() throws {
    let stand = Stand(
      count: 1, showing: PixelLight(.fill(.blink(red, blue, on: .seconds(1), off: .seconds(1)))),
      since: .zero + .milliseconds(-900))
    try stand.start()
    #expect(stand.colours == ["red"])
    try stand.bench.advance(by: .milliseconds(150))
    #expect(stand.colours == ["blue"])
  }

  @Test("a strip that doesn't fit in the kernel's buffer is reported with the remedy")
  func long() throws {
    let stand = Stand(count: 332, isRequired: false)
    try stand.start()
    #expect(
      stand.trial.troubles.map { "\($0)" }.joined().contains("4105 bytes are more than the 4096 of the kernel's buffer")
    )
  }

  @Test("a strip follows the laws of drivers", arguments: LEDStripChip.allCases)
  func laws(chip: LEDStripChip) {
    let violations = DriverLaws.violations(
      models: [PixelLight(.fill(.steady(red))), PixelLight(.bar(share: 0.5, of: blue))],
      setup: { (bench: Bench) -> BusLawHarness<SimulatedSPIBus> in
        let bus = SimulatedSPIBus(bench)
        let strip = SimulatedLEDStrip(chip, count: 3)
        bus.connect(strip, at: 0)
        return BusLawHarness(
          bus, picture: { strip.pixels.map(\.text).joined(separator: " ") }, showsFromStart: false,
          faults: { strip.faults })
      },
      driver: { LEDStrip($0.bus, chip, count: 3) })
    #expect(violations == [])
  }
}
