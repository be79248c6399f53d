import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("The kind screen")
struct ScreenKindTests {
  private static func panel(_ device: String) -> String {
    """
    panel: P
    inputs: { key: { button: GPIO17 } }
    outputs: { face: { \(device) } }
    values: { level: { initial: 3, min: 0, max: 99 } }
    initial: idle
    states:
      idle: { show: { face: [ "Level {level}", "of 99" ] }, on: { key.pressed: { go: dark, set: { level: +1 } } } }
      dark: { on: { key.pressed: idle } }

    """
  }

  @Test(
    "a text is read from the pixels, for each chip, size and look",
    arguments: [
      "screen: { ssd1306: 0x3C }", "screen: { sh1106: 0x3D }, rows: 4", "screen: { ssd1306: 0x3C }, size: 128x32",
      "screen: { ssd1306: 0x3C }, rows: 4, inverted: true, brightness: 0.1",
    ])
  func shows(device: String) throws {
    let stage = try Stage(panel: Self.panel(device))
    #expect(try stage.take("wait 500ms; expect face=\"Level 3 / of 99\"") == [])
    #expect(try stage.take("click key; wait 500ms; expect face=off; click key; wait 500ms") == [])
    #expect(try stage.take("expect face=\"Level 4 / of 99\"; unplug i2c; wait 1s; plug i2c; wait 5s") == [])
    // The loss is noticed by the next text, which is tried again after a second.
    #expect(try stage.take("click key; wait 2s; expect face=off") == [])
  }

  @Test("Cyrillic and Greek letters are expected as they are written, and a screen without text is dark")
  func letters() throws {
    let stage = try Stage(
      panel: """
        panel: P
        outputs: { face: { screen: { ssd1306: 0x3C }, inverted: true } }
        inputs: { key: { button: GPIO17 } }
        initial: x
        states: { x: { show: { face: "Вода μ" }, on: { key.pressed: y } }, y: { show: { face: "" } } }

        """)
    #expect(try stage.take("wait 500ms; expect face=\"Вода μ\"; click key; wait 500ms; expect face=off") == [])
  }

  @Test("a row that is too long, with the shortest or with the longest numbers, has a note")
  func long() throws {
    func notes(_ text: String) throws -> [String] {
      let file = """
        panel: P
        inputs: { air: { sensor: { sheet: bme280, number: temperature }, min: 0, max: 50 } }
        outputs: { d: { screen: { ssd1306: 0x3C }, rows: 2 } }
        initial: x
        states: { x: { show: { d: ["\(text)", b] } } }
        """
      return try PanelFile.read(Array(file.utf8), file: "p", kinds: .standard).notes.map(\.text)
    }
    #expect(try notes("Air {air}") == [])
    #expect(try notes("{{{air}}}12") == [])
    #expect(try notes("{{{air}}}123") == ["\"{{{air}}}123\" can have 7 characters; \"d\" shows the first 6"])
    #expect(try notes("{air:.1} C") == [])
    #expect(try notes("{air:.1} °C") == ["\"{air:.1} °C\" can have 7 characters; \"d\" shows the first 6"])
    #expect(try notes("{air * 1000}") == [])
    #expect(try notes("Air: {air}°") == ["\"Air: {air}°\" has at least 7 characters; \"d\" shows the first 6"])
  }

  @Test(
    "wrong settings and texts are problems or notes",
    arguments: [
      ("screen: {}", "x", "a screen takes one chip"),
      ("screen: { ssd1306: 0x3C, sh1106: 0x3C }", "x", "a screen takes one chip"),
      ("screen: { ssd1306: 0x3C }, rows: 3", "x", "64 rows of pixels show 8, 4 or 2 rows of text, not 3"),
      ("screen: { ssd1306: 0x3C }, size: 128x32, rows: 8", "x", "32 rows of pixels show 4, 2 or 1 rows of text, not 8"),
      ("screen: { ssd1306: 0x3C }, size: 64x48", "x", "it takes 128x64 or 128x32"),
      ("screen: { ssd1306: 0x3C }, rows: 2", "1234567", "\"1234567\" has 7 characters; \"d\" shows the first 6"),
      ("screen: { ssd1306: 0x3C }, rows: 2", "漢", "the display has no \"漢\" and shows ? instead"),
    ])
  func problems(device: String, text: String, expected: String) throws {
    let file = "panel: P\noutputs: { d: { \(device) } }\ninitial: x\nstates: { x: { show: { d: \"\(text)\" } } }\n"
    var lines: [String] = []
    do throws(Problems) {
      lines = try PanelFile.read(Array(file.utf8), file: "p").notes.map(\.text)
    } catch { lines = error.lines }
    #expect(lines.count == 1 && lines[0].contains(expected), "\(lines)")
  }
}
