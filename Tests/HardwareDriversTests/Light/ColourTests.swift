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
    #expect(Colour.names.count == 19 && Colour.names.allSatisfy { Colour($0.name) == $0.colour })
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

  /// The lamp on lines, the levels of which are a character each.
  private static func levels(_ chip: SimulatedChip) -> String {
    lines.map { chip.line($0).level == .high ? "1" : "0" }.joined()
  }

  /// The hundredths of the time for which each channel is high.
  private static func hundredths(_ channels: [SimulatedPWM]) -> [Int] {
    channels.map { Int(($0.share * 100).rounded()) }
  }

  @Test("on lines, a colour of full and dark parts is levels that stay, from the request on")
  func steadyLevels() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let trial = DriverBench(
      LineDriver(RGBLED(chip, lines: Self.lines)), showing: .steady(Colour(red: 0, green: 1, blue: 1)), on: bench)
    try trial.start()
    #expect(Self.levels(chip) == "011")
    for (light, levels) in [(Light<Colour>.on, "111"), (.off, "000"), (.on, "111"), (.off, "000")] {
      try trial.show(light)
      #expect(Self.levels(chip) == levels && trial.cycle.nextAlarm == nil)
    }
    for (name, levels) in [
      ("white", "111"), ("black", "000"), ("red", "100"), ("lime", "010"), ("blue", "001"), ("aqua", "011"),
      ("fuchsia", "101"), ("yellow", "110"), ("cyan", "011"), ("magenta", "101"),
    ] {
      try trial.show(.steady(try #require(Colour(name))))
      #expect(Self.levels(chip) == levels && trial.cycle.nextAlarm == nil, "\(name)")
    }
    trial.stop()
    #expect(Self.levels(chip) == "000" && chip.heldLines == 0)
  }

  @Test("on channels, each part of a colour is the share of its wave, from the first moment on")
  func shares() throws {
    let bench = Bench()
    let channels = Self.lines.map { SimulatedPWM(bench, PWMPort(line: $0)) }
    let trial = DriverBench(
      PWMDriver(RGBPWMLED(channels)), showing: .steady(Colour(red: 0.1, green: 0.2, blue: 0)), on: bench)
    try trial.start()
    #expect(Self.hundredths(channels) == [10, 20, 0])
    for (light, shares) in [(Light<Colour>.on, [100, 100, 100]), (.off, [0, 0, 0]), (.on, [100, 100, 100])] {
      try trial.show(light)
      #expect(Self.hundredths(channels) == shares)
    }
    for shares in [[50, 50, 50], [20, 50, 80], [50, 50, 80], [50, 90, 40], [0, 0, 0], [50, 0, 0], [50, 50, 0]] {
      let parts = shares.map { Double($0) / 100 }
      try trial.show(.steady(Colour(red: parts[0], green: parts[1], blue: parts[2])))
      #expect(Self.hundredths(channels) == shares && trial.cycle.nextAlarm == nil)
    }
    for (name, shares) in [("white", [100, 100, 100]), ("green", [0, 50, 0]), ("purple", [50, 0, 50])] {
      try trial.show(.steady(try #require(Colour(name))))
      #expect(Self.hundredths(channels) == shares, "\(name)")
    }
    trial.stop()
    #expect(channels.allSatisfy { !$0.isOpen })
  }

  private static let twice = Light<Colour>.blink(.full, on: .milliseconds(100), off: .milliseconds(100), times: 2)
  private static let long = Light<Colour>.blink(.full, on: .seconds(1), off: .milliseconds(100))

  @Test("on lines, a blink ends after its times, or with the next colour")
  func blinkOnLines() throws {
    for (light, end, picture) in [
      (Self.twice, 400, "_##########__________##########____________________"),
      (Self.long, 200, "_####################______________________________"),
    ] {
      let rig = Rig(showing: Light<Colour>.off) { RGBLED($0, lines: Self.lines) }
      try rig.run()
      try rig.advance(10)
      try rig.show(light)
      try rig.advance(end)
      if light == Self.twice { #expect(rig.cycle.nextAlarm == nil) }
      try rig.show(.off)
      try rig.advance(500 - end)
      for line in Self.lines { #expect(rig.wave(line, steps: 51, step: .milliseconds(10)) == picture) }
      rig.stop()
    }
  }

  @Test("on channels, a blink ends after its times, or with the next colour")
  func blinkOnChannels() throws {
    for (light, end, waves) in [
      (Self.twice, 400, ["0 0", "0 100", "100 0", "200 100", "300 0"]), (Self.long, 200, ["0 0", "0 100", "200 0"]),
    ] {
      let bench = Bench()
      let channels = Self.lines.map { SimulatedPWM(bench, PWMPort(line: $0)) }
      let trial = DriverBench(PWMDriver(RGBPWMLED(channels)), showing: .off, on: bench)
      try trial.start()
      try trial.show(light)
      try bench.advance(by: .milliseconds(end))
      try trial.show(.off)
      try bench.advance(by: .seconds(5))
      for channel in channels {
        let shown = channel.changes.map { change in
          "\(change.moment.nanoseconds / 1_000_000) \(Int(((change.wave?.share ?? 0) * 100).rounded()))"
        }
        #expect(shown == waves)
      }
      trial.stop()
    }
  }

  @Test("on channels, a pulse rises and falls evenly in light, and is dark after its times")
  func pulse() throws {
    let bench = Bench()
    let channels = Self.lines.map { SimulatedPWM(bench, PWMPort(line: $0)) }
    let trial = DriverBench(PWMDriver(RGBPWMLED(channels)), showing: .off, on: bench)
    try trial.start()
    let step = Duration.milliseconds(200)
    try trial.show(Light(.pulse(.full, rise: step, fall: step, times: 2), on: .linear))
    var course: [Int] = []
    for _ in 0...20 {
      let shares = Self.hundredths(channels)
      #expect(Set(shares).count == 1)
      course.append(shares[0])
      try bench.advance(by: .milliseconds(40))
    }
    let once = [0, 20, 40, 60, 80, 100, 80, 60, 40, 20]
    #expect(course == once + once + [0] && trial.cycle.nextAlarm == nil)
    trial.stop()
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
