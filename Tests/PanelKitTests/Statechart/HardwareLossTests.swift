import CycleCore
import Testing

@testable import PanelEngine
@testable import PanelLanguage

@Suite("Hardware that several lenses use")
struct HardwareLossTests {
  @Test("is back when each lens that has lost it has it back, whatever others restore that have only failed")
  func counting() throws {
    let rules = PanelRules(panel: try Fixture.doorbell())
    let buttons = PanelTrouble.Source(lens: "buttons", hardware: .gpio, number: 0)
    let leds = PanelTrouble.Source(lens: "leds", hardware: .gpio, number: 3)
    let error = DriverError(
      .absent, of: "the lines", cannot: "use the lines", reason: "the chip was removed", remedy: "Plug it in.")
    var frame = rules.seed
    rules.note(.lost(error), of: buttons, at: .zero, in: &frame)
    // A write failed and works again: that is no return of what the buttons have lost.
    rules.note(.failed(error), of: leds, at: .zero, in: &frame)
    rules.note(.restored, of: leds, at: .zero, in: &frame)
    #expect(frame.missing == [.gpio])
    rules.note(.lost(error), of: leds, at: .zero, in: &frame)
    rules.note(.restored, of: buttons, at: .zero, in: &frame)
    #expect(frame.missing == [.gpio])
    rules.note(.restored, of: leds, at: .zero, in: &frame)
    #expect(frame.missing == [])
  }

  @Test("a loss and a return have a moment: elapsed is the time until then, and what is entered begins to count there")
  func moments() throws {
    let stage = try Stage(
      """
      initial: fresh
      states:
        fresh: { on: { gpio.lost: [ { go: late, if: elapsed >= 3s }, early ] } }
        early: {}
        late: { play: [ high ], on: { audio.lost: [ { go: deaf, if: elapsed >= 2s and elapsed <= 3s }, early ] } }
        deaf: { on: { audio.restored: [ { go: back, if: elapsed >= 3s and elapsed <= 6s }, early ] } }
        back: {}
      """)
    #expect(try stage.take("wait 5s; unplug gpio; wait 2500ms; expect state=late") == [])
    #expect(try stage.take("unplug audio; wait 4s; expect state=deaf; plug audio; wait 2s; expect state=back") == [])
  }

  @Test("the loss of a sensor has a moment")
  func sensor() throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { air: { sensor: { w1: any }, min: 0, max: 50 } }
        initial: x
        states:
          x: { on: { air.restored: y } }
          y: { on: { air.lost: [ { go: late, if: elapsed == 7s }, early ] } }
          late: {}
          early: {}

        """)
    try stage.unplug("air")
    try stage.sense("air", 20)
    try stage.take("wait 7s")
    try stage.unplug("air")
    #expect(stage.state == "late")
  }

  @Test("at the start no time has elapsed, whatever the clock says")
  func start() throws {
    let panel = try PanelFile.read(
      Array(
        """
        panel: P
        inputs: { s: { switch: GPIO1, report-start: true } }
        initial: x
        states: { x: { on: { s.on: { go: y, if: elapsed > 0s } } }, y: {} }
        """.utf8), file: "p")
    let rules = PanelRules(panel: panel)
    var frame = rules.blank(withChance: 0)
    let now = Moment.zero + .seconds(86_400)
    rules.find(0, of: 0, at: now, in: &frame)
    rules.begin(at: now, in: &frame)
    #expect(rules.show.stateText(in: frame) == "x")
    rules.react(to: .input(0, 0), at: now + .milliseconds(1), in: &frame)
    #expect(rules.show.stateText(in: frame) == "y")
  }
}
