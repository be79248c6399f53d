import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("LEDBar")
struct LEDBarTests {
  private static let lines: [LineName] = ["GPIO5", "GPIO6", "GPIO13", "GPIO19"]

  private func rig(level: Int, settings: LEDBar.Settings = .init()) -> Rig<LineDriver<LEDBar>> {
    Rig(showing: .init(level: level)) { LEDBar($0, lines: Self.lines, settings: settings) }
  }

  private func picture(_ rig: Rig<LineDriver<LEDBar>>) -> String {
    Self.lines.map { rig.chip.line($0).level == .high ? "#" : "_" }.joined()
  }

  @Test(
    "the first so many lamps are lit, none below 0, all beyond their number",
    arguments: [
      (-1, "____"), (0, "____"), (1, "#___"), (3, "###_"), (4, "####"), (5, "####"), (.max, "####"), (.min, "____"),
    ])
  func levels(level: Int, lamps: String) throws {
    let seeded = rig(level: level)
    try seeded.run()
    #expect(picture(seeded) == lamps)
    seeded.stop()
    let shown = rig(level: 2)
    try shown.run()
    try shown.show(.init(level: level))
    #expect(picture(shown) == lamps)
    shown.stop()
  }

  @Test("all lamps change in one write")
  func oneWrite() throws {
    let rig = rig(level: 0)
    try rig.run()
    #expect(rig.chip.writeCount == 0)
    try rig.show(.init(level: 4))
    #expect(picture(rig) == "####")
    #expect(rig.chip.writeCount == 1)
    try rig.show(.init(level: 1))
    #expect(rig.chip.writeCount == 2)
    rig.stop()
    #expect(rig.chip.requestCount == 1)
  }

  @Test("a bar with a common supply is lit at low voltage, from the request on")
  func activeLow() throws {
    var settings = LEDBar.Settings()
    settings.isActiveLow = true
    let rig = rig(level: 1, settings: settings)
    rig.chip.keepsReleasedOutputs = true
    try rig.run()
    #expect(picture(rig) == "_###")
    rig.stop()
    #expect(picture(rig) == "####")
  }
}
