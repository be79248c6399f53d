import CycleCore
import Testing

@testable import PanelKit

@Suite("Hardware that several lenses use")
struct HardwareLossTests {
  @Test("is back when each lens that has lost it has it back, whatever others restore that have only failed")
  func counting() throws {
    let rules = PanelRules(panel: try Fixture.doorbell())
    let buttons = PanelTrouble.Source(lens: "buttons", hardware: .gpio, number: 0)
    let leds = PanelTrouble.Source(lens: "leds", hardware: .gpio, number: 3)
    let error = DriverError(
      .absent, of: "the lines", cannot: "use the lines", reason: "the chip is gone", remedy: "Plug it in.")
    var frame = rules.seed
    rules.note(.lost(error), of: buttons, in: &frame)
    // A write failed and works again: that is no return of what the buttons have lost.
    rules.note(.failed(error), of: leds, in: &frame)
    rules.note(.restored, of: leds, in: &frame)
    #expect(frame.missing == [.gpio])
    rules.note(.lost(error), of: leds, in: &frame)
    rules.note(.restored, of: buttons, in: &frame)
    #expect(frame.missing == [.gpio])
    rules.note(.restored, of: leds, in: &frame)
    #expect(frame.missing == [])
  }
}
