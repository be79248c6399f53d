import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("Colour")
struct ColourTests {
  @Test("names and hexadecimal digits")
  func names() {
    #expect(Colour("orange")?.hexadecimal == "#FFA500")
    #expect(Colour("#ff8000").map { [$0.red, $0.green, $0.blue].map { ($0 * 255).rounded() } } == [255, 128, 0])
    #expect(Colour.names.count == 17 && Colour.names.allSatisfy { Colour($0.name) == $0.colour })
    #expect(Colour("lime")?.text == "lime" && Colour("#FF8000")?.text == "#FF8000")
    #expect(["#ff80", "#ff80000", "#gg0000", "orang", "", "#"].allSatisfy { Colour($0) == nil })
  }

  @Test(
    "hue, saturation and value",
    arguments: [
      (0.0, 1.0, 1.0, "#FF0000"), (30, 1, 1, "#FF8000"), (60, 1, 1, "#FFFF00"), (120, 1, 1, "#00FF00"),
      (240, 1, 1, "#0000FF"), (300, 0.5, 0.5, "#804080"), (360, 1, 1, "#FF0000"), (-60, 1, 1, "#FF00FF"),
      (17, 0, 0.5, "#808080"),
    ])
  func hsv(hue: Double, saturation: Double, value: Double, text: String) {
    #expect(Colour(hue: hue, saturation: saturation, value: value).hexadecimal == text)
  }

  @Test("parts are clamped, and a fade blends each part by itself")
  func parts() {
    #expect(Colour(red: .nan, green: -1, blue: 2) == Colour(red: 0, green: 0, blue: 1))
    let middle = Colour(hexadecimal: 0xFF0000).blended(with: Colour(hexadecimal: 0x0000FF), share: 0.5, on: .linear)
    #expect(middle.hexadecimal == "#800080")
    #expect(Colour.dark.blended(with: .full, share: 0.5, on: .perceived).red * 4 - 1 < 1e-4)
  }
}

@Suite("RGBLED")
struct RGBLEDTests {
  private static let lines: [LineName] = ["GPIO12", "GPIO13", "GPIO19"]

  @Test("both colours of a blink begin together, whatever was shown before")
  func inStep() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let trial = DriverBench(LineDriver(RGBLED(chip, lines: Self.lines)), showing: .off, on: bench)
    try trial.start()
    func levels() -> String { Self.lines.map { chip.line($0).level == .high ? "1" : "0" }.joined() }
    let (red, blue) = (Colour("red")!, Colour("blue")!)
    try trial.show(.blink(red, .dark, on: .milliseconds(200), off: .milliseconds(200)))
    try bench.advance(by: .milliseconds(300))
    #expect(levels() == "000")
    try trial.show(.blink(red, blue, on: .milliseconds(200), off: .milliseconds(200)))
    #expect(levels() == "100")
    try bench.advance(by: .milliseconds(200))
    #expect(levels() == "001")
    try trial.show(.steady(Colour("yellow")!))
    #expect(levels() == "110")
    // Half of the light of red, for half of each 10 ms.
    try trial.show(.steady(Colour(red: 0.5, green: 0, blue: 0)))
    try bench.advance(by: .milliseconds(4))
    #expect(levels() == "100")
    try bench.advance(by: .milliseconds(2))
    #expect(levels() == "000")
    trial.stop()
  }

  @Test("on channels, a colour is a wave on each, and a fade has no jump")
  func channels() throws {
    let bench = Bench()
    let channels = Self.lines.map { SimulatedPWM(bench, PWMPort(line: $0)) }
    let trial = DriverBench(
      PWMDriver(RGBPWMLED(channels)), showing: .steady(Colour("orange")!), on: bench)
    try trial.start()
    func shares() -> [Int] { channels.map { Int(($0.share * 255).rounded()) } }
    #expect(shares() == [255, 165, 0])
    try trial.show(.fade(to: Colour("blue")!, over: .seconds(1), on: .linear))
    try bench.advance(by: .milliseconds(500))
    #expect(shares() == [128, 82, 128])
    try trial.show(.fade(to: Colour("red")!, over: .seconds(1), on: .linear))
    #expect(shares() == [128, 82, 128])
    try bench.advance(by: .seconds(1))
    #expect(shares() == [255, 0, 0] && trial.cycle.nextAlarm == nil)
    trial.stop()
    #expect(channels.allSatisfy { !$0.isOpen })
  }

  @Test("a lamp of colours keeps the laws, on lines and on channels")
  func laws() {
    let models: [Light<Colour>] = [.steady(Colour("red")!), .on, .steady(Colour("blue")!)]
    #expect(
      DriverLaws.violations(
        models: models, setup: { ChipLawHarness(SimulatedChip($0), outputs: Self.lines) },
        driver: { LineDriver(RGBLED($0.chip, lines: Self.lines)) }) == [])
    #expect(
      DriverLaws.violations(
        models: models,
        setup: { bench in PWMLawHarness(Self.lines.map { SimulatedPWM(bench, PWMPort(line: $0)) }) },
        driver: { PWMDriver(RGBPWMLED($0.channels)) }) == [])
  }
}
