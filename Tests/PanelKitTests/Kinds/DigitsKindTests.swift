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
      small: { digits: { tm1637: [GPIO20, GPIO21] } }
      six: { digits: { tm1637: [GPIO22, GPIO23], count: 6 } }
    values: { level: { initial: 3, min: 0, max: 99999 } }
    on: { knob.clockwise: { set: { level: level * 10 } } }
    initial: idle
    states:
      idle: { show: { clock: "{level}", count: "L {level}", small: "{level}", six: "1.{level}" }, on: { key.pressed: time } }
      time: { show: { clock: "12:05", count: "12:05", small: "12.05", six: "12:05" }, on: { key.pressed: dark } }
      dark: { on: { key.pressed: idle } }

    """

  @Test("texts and values are shown, and a number that does not fit is dashes")
  func shows() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("wait 30ms; expect clock=3 small=3 six=1.3") == [])
    #expect(try stage.take("turn knob=3; wait 30ms; expect clock=3000") == [])
    #expect(try stage.take("turn knob=1; wait 30ms; expect clock=----") == [])
    #expect(try stage.take("click key; wait 30ms; expect clock=12:05 count=12.05 small=12:05 six=12.05") == [])
    #expect(try stage.take("click key; wait 30ms; expect clock=off count=off small=off six=off") == [])
  }

  @Test("a single digit at lines, with a common cathode and with a common anode", arguments: ["high", "low"])
  func single(active: String) throws {
    let stage = try Stage(
      panel: """
        panel: P
        inputs: { key: { button: GPIO17 } }
        outputs:
          d:
            digits: { segments: [GPIO5, GPIO6, GPIO12, GPIO13, GPIO16, GPIO19, GPIO20, GPIO21], active: \(active) }
        values: { n: { initial: 8, min: 0, max: 12 } }
        on: { key.pressed: { set: { n: +1 } } }
        initial: x
        states: { x: { show: { d: "{n}" }, on: { key.held: y } }, y: {} }

        """)
    #expect(try stage.take("expect d=8; click key; expect d=9; click key; expect d=-") == [])
    let lit = ["GPIO20", "GPIO21", "GPIO5"].map { stage.chip.line(LineName($0)).level == .high }
    #expect(lit == (active == "high" ? [true, false, false] : [false, true, true]))
    #expect(try stage.take("hold key=2s; expect d=off") == [])
  }

  @Test("an expectation that the digits can't show is refused", arguments: ["12345", "KW", "59.9s"])
  func expectations(text: String) throws {
    let stage = try Stage(panel: Self.panel)
    #expect(throws: Problems.self) { _ = try stage.take("expect clock=\(text)") }
  }

  @Test("digits on a bus that is unplugged are dark, and show the newest text when it is back")
  func loss() throws {
    let stage = try Stage(panel: Self.panel)
    #expect(try stage.take("unplug i2c; turn knob=1; wait 1s; plug i2c; wait 10s; expect clock=30") == [])
  }

  @Test("panel safe makes digits dark that a killed panel has left lit")
  func safe() throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let platform = try Platform(.simulated)
    let chips = try #require(SimulatedChips(of: panel, on: platform))
    let i2c = try #require(platform.simulated(at: I2CBusPort(.number(1))))
    let spi = try #require(platform.simulated(at: SPIBusPort()))
    let (one, two) = (SimulatedHT16K33(on: i2c, at: 0x71), SimulatedMAX7219(platform.bench))
    spi.connect(two, at: 1)
    let clock = WorkClock(at: platform.bench.now)
    var (ht16k33, max7219) = (HT16K33(i2c, address: 0x71), MAX7219(spi, chipSelect: 1))
    try ht16k33.show(SegmentText("8888").frame(count: 4, hasColon: true), replacing: nil, on: clock)
    try max7219.show(SegmentText("8888").frame(count: 8, hasColon: false), replacing: nil, on: clock)
    ht16k33.close()
    max7219.close()
    #expect(!one.frame.isDark && !two.frame.isDark)
    let errors = SafeStateSetter(of: panel).show(on: PanelChips(of: panel, own: chips.own, on: platform), platform)
    #expect(errors.filter { !"\($0)".contains("TM1637") }.isEmpty && one.frame.isDark && two.frame.isDark, "\(errors)")
  }

  @Test(
    "wrong settings and texts are problems or notes",
    arguments: [
      ("digits: {}", "x", "digits take one chip: { max7219: 8, spi: 0.0 }, { ht16k33: 0x70 }, or"),
      ("digits: { max7219: 8, ht16k33: 0x70 }", "x", "digits take one chip"),
      ("digits: { max7219: 9 }", "x", "\"max7219\" is \"9\"; it takes the number of digits, 1...8: 8"),
      ("digits: { max7219: 8, bus: 1 }", "x", "max7219 has no \"bus\"; leave it out"),
      ("digits: { ht16k33: 0x70, spi: 0.0 }", "x", "ht16k33 has no \"spi\"; leave it out"),
      ("digits: { ht16k33: 0x60 }", "x", "an address 0x70...0x77: 0x70"),
      ("digits: { ht16k33: 0x70, count: 0 }", "x", "the number of digits, 1...8: 4"),
      ("digits: { tm1637: [GPIO4, GPIO5], count: 7 }", "x", "a tm1637 has up to 6 digits, not 7"),
      ("digits: { tm1637: [GPIO4] }", "x", "a list of 1"),
      ("digits: { tm1637: [GPIO4, GPIO5], active: low }", "x", "tm1637 has no \"active\"; leave it out"),
      ("digits: { segments: [GPIO4, GPIO5] }", "x", "a list of 2"),
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
