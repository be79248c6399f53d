import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("The kind digits")
struct DigitsKindTests {
  private static let panel = """
    panel: P
    inputs: { knob: { encoder: [GPIO5, GPIO6] }, key: { button: GPIO17 } }
    outputs:
      clock: { digits: { ht16k33: 0x71 }, right: true }
      count: { digits: { max7219: 8, spi: 0.1 }, brightness: 0.2 }
    values: { level: { initial: 3, min: 0, max: 99999 } }
    on: { knob.clockwise: { set: { level: level * 10 } } }
    initial: idle
    states:
      idle: { show: { clock: "{level}", count: "L {level}" }, on: { key.pressed: time } }
      time: { show: { clock: "12:05", count: "12:05" }, on: { key.pressed: dark } }
      dark: { on: { key.pressed: idle } }

    """

  @Test("texts and values are shown, and a number that does not fit is dashes")
  func shows() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("wait 30ms; expect clock=3") == [])
    #expect(try stage.take("turn knob=3; wait 30ms; expect clock=3000") == [])
    #expect(try stage.take("turn knob=1; wait 30ms; expect clock=----") == [])
    #expect(try stage.take("click key; wait 30ms; expect clock=12:05 count=12:05") == [])
    #expect(try stage.take("click key; wait 30ms; expect clock=off count=off") == [])
  }

  @Test("digits on a bus that is unplugged are dark, and show the newest text when it is back")
  func loss() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("unplug i2c; turn knob=1; wait 1s; plug i2c; wait 10s; expect clock=30") == [])
  }

  @Test("panel safe makes the digits dark")
  func safe() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let platform = try Platform(.simulated)
    let chips = try #require(SimulatedChips(of: panel, on: platform))
    let bus = try #require(platform.simulated(at: I2CBusPort(.number(1))))
    let display = SimulatedHT16K33(on: bus, at: 0x71)
    let errors = SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform)
    #expect(errors.isEmpty && display.frame.isDark && display.messageCount > 0)
  }

  @Test(
    "wrong settings and texts are problems or notes",
    arguments: [
      ("digits: {}", "x", "digits take one chip: { max7219: 8, spi: 0.0 }, or { ht16k33: 0x70 }"),
      ("digits: { max7219: 8, ht16k33: 0x70 }", "x", "digits take one chip"),
      ("digits: { max7219: 9 }", "x", "\"max7219\" is \"9\"; it takes the number of digits, 1...8: 8"),
      ("digits: { max7219: 8, bus: 1 }", "x", "a max7219 has no \"bus\"; leave it out"),
      ("digits: { ht16k33: 0x70, spi: 0.0 }", "x", "an ht16k33 is on I²C; leave spi out"),
      ("digits: { ht16k33: 0x60 }", "x", "an address 0x70...0x77: 0x70"),
      ("digits: { ht16k33: 0x70, count: 0 }", "x", "the number of digits, 1...8: 4"),
      ("digits: { ht16k33: 0x70 }", "12345", "\"12345\" has 5 characters; \"d\" has 4 digits and shows dashes"),
      ("digits: { ht16k33: 0x70 }", "KILO", "the display has no \"K\" and shows nothing instead"),
      ("digits: { ht16k33: 0x70 }", "[a, b]", "\"d\" can't show 2 rows; it has 1"),
    ])
  func problems(device: String, text: String, expected: String) throws {
    let show = text.hasPrefix("[") ? text : "\"\(text)\""
    let file = """
      panel: P
      outputs: { d: { \(device) } }
      initial: x
      states: { x: { show: { d: \(show) } } }

      """
    var lines: [String] = []
    do throws(Problems) {
      lines = try PanelFile.read(Array(file.utf8), file: "p").notes.map(\.text)
    } catch { lines = error.lines }
    #expect(lines.count == 1 && lines[0].contains(expected), "\(lines)")
  }
}
