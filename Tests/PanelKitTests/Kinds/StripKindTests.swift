import HardwareDrivers
import HardwareSimulation
import Testing

@testable import PanelExplore
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("LED strips in a panel")
struct StripKindTests {
  private static func text(_ device: String, _ show: String = "on") -> String {
    """
    panel: Panel
    inputs: { key: { button: GPIO17 } }
    outputs: { it: { \(device) } }
    values: { level: { initial: 5, min: 0, max: 10 } }
    initial: rests
    states:
      rests: { on: { key.pressed: works } }
      works: { show: { it: \(show) }, on: { key.pressed: { go: rests, set: { level: +1 } } } }

    """
  }

  private func problems(_ text: String) -> [String] {
    Fixture.problems { () throws(Problems) in
      _ = try PanelFile.read(Array(text.utf8), file: "test", kinds: .standard, checkSound: { _ in nil })
    }
  }

  @Test(
    "look as a scenario expects",
    arguments: [
      ("red", "expect it=red; unplug spi; plug spi; click key; click key; wait 2s; expect it=red"),
      ("\"#FF8000\"", "expect it=#FF8000"),
      ("on", "expect it=white"), ("{ fill: navy }", "expect it=navy"), ("{ hsv: [120, 1, 1] }", "expect it=lime"),
      ("{ fade: red, over: 1s }", "expect it=fading; wait 1005ms; expect it=red"),
      ("{ blink: [red, blue], on: 100ms, times: 2 }", "expect it=blinking; wait 430ms; expect it=blue"),
      ("{ pulse: 1s, colour: red }", "expect it=pulsing"), ("{ rainbow: 5s }", "expect it=rainbow"),
      ("{ chase: red, every: 50ms }", "expect it=chase"),
    ])
  func looks(show: String, steps: String) throws {
    for device in ["strip: { ws2812: 4, spi: 0.0 }", "strip: { apa102: 4, spi: 1.2 }, order: rgb"] {
      let stage = try Stage(panel: Self.text(device, show), kinds: .standard)
      let failures = try stage.take(
        "expect it=off; click key; wait 30ms; \(steps); click key; wait 30ms; expect it=off")
      #expect(failures == [])
    }
  }

  @Test(
    "the pixels of a strip",
    arguments: [
      ("{ bar: level, of: lime }", "2 lime, 2 off"), ("{ bar: 0.25, of: red, rest: blue }", "1 red, 3 blue"),
      ("{ dot: 1 }", "3 off, 1 white"), ("{ dot: level, of: red, tail: 1 }", "1 off, 1 #400000, 1 red, 1 #400000"),
      ("{ pixels: [red, off, \"#010203\"] }", "1 red, 1 off, 1 #010203, 1 off"),
      ("{ bar: level, of: lime, from: end }", "2 off, 2 lime"),
      ("{ bar: 0.5, of: red, rest: blue, level: 0.2 }", "2 #330000, 2 #000033"),
      ("{ pixels: [red], level: level, from: end }", "3 off, 1 maroon"),
      ("{ fill: red, level: level }", "4 maroon"),
    ])
  func pixels(show: String, look: String) throws {
    let file = Self.text("strip: { sk6812: 4, spi: 0.0 }", show)
    let panel = try PanelFile.read(
      Array(file.utf8), file: "test", kinds: .standard, checkSound: { _ in nil })
    #expect(panel.outputs[0].device.look(named: look) != nil)
    let stage = try Stage(panel: file, kinds: .standard)
    let failures = try stage.take("click key; wait 30ms; expect it=\"\(look)\"")
    #expect(failures == [])
  }

  @Test(
    "problems say what to write",
    arguments: [
      (
        "strip: { ws2812: 332, spi: 0.0 }", "on",
        "332 pixels take 4105 bytes in one transfer, and the kernel's buffer has 4096, for 331 pixels; add "
          + "spidev.bufsiz=32768 to cmdline.txt, and buffer: 32768 here"
      ),
      ("strip: { spi: 0.0 }", "on", "a strip takes the number of pixels of one chip: ws2812, sk6812, apa102, sk9822"),
      ("strip: { ws2812: 3, apa102: 3, spi: 0.0 }", "on", "a strip takes the number of pixels of one chip"),
      ("strip: { ws2812: 3, spi: 0 }", "on", "\"spi\" is \"0\"; it takes a bus and a chip select of it"),
      ("strip: { ws2812: 3, spi: 0.0 }, order: rgg", "on", "\"order\" is \"rgg\"; it takes each of the letters"),
      ("strip: { apa102: 3, spi: 0.0 }, order: rgbw", "on", "\"order\" is \"rgbw\"; it takes each of the letters"),
      ("strip: { ws2812: 3, spi: 0.0 }, power: 2", "on", "\"power\" is \"2\"; it takes a current 0.1A...100A: 2A"),
      (
        "strip: { ws2812: 3, spi: 0.0 }", "{ rainbow: 5s, of: red }",
        "of can't be beside rainbow; beside it you can write over, level, from"
      ),
      ("strip: { ws2812: 3, spi: 0.0 }", "{ chase: red }", "a chase takes a time; write { chase: red, every: 50ms }"),
      ("strip: { ws2812: 3, spi: 0.0 }", "{ fill: rad }", "\"rad\" is not a colour; did you mean \"red\"?"),
      (
        "strip: { ws2812: 3, spi: 0.0 }", "{ white: 0.5 }", "the strip has no white LED; write order: grbw beside strip"
      ),
      ("strip: { ws2812: 3, spi: 0.0 }", "5", "strip \"it\" can't show \"5\"; it shows on, off, a colour"),
    ])
  func mistakes(device: String, show: String, message: String) {
    let problems = problems(Self.text(device, show))
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test("a strip that the limit of its current dims has the look of the file, for every observer")
  func limit() throws {
    let file = Self.text("strip: { ws2812: 10, spi: 0.0 }, power: 0.1A", "{ colour: red, level: level }")
    let stage = try Stage(panel: file, kinds: .standard)
    #expect(try stage.take("click key; wait 30ms; expect it=maroon; unplug spi; wait 30ms; expect it=maroon") == [])
    let panel = try PanelFile.read(Array(file.utf8), file: "test", kinds: .standard)
    let explored = try ExploredPanel(panel, sounds: [], steps: 40)
    #expect(try RandomSearch(explored, runs: 20, seed: 1).explore().discovery == nil)
  }

  @Test("a strip with a larger buffer of the kernel has more pixels")
  func buffer() {
    #expect(problems(Self.text("strip: { ws2812: 2720, spi: 0.0 }, buffer: 32768")) == [])
    #expect(problems(Self.text("strip: { ws2812: 2721, spi: 0.0 }, buffer: 32768")).count == 1)
    #expect(problems(Self.text("strip: { sk6812: 248, spi: 0.0 }, order: grbw")) == [])
    #expect(problems(Self.text("strip: { sk6812: 249, spi: 0.0 }, order: grbw")).count == 1)
    #expect(problems(Self.text("strip: { apa102: 1006, spi: 0.0 }")) == [])
    #expect(problems(Self.text("strip: { apa102: 1007, spi: 0.0 }")).count == 1)
  }

  @Test("a strip must be alone on its bus, and a chip select has one device")
  func bus() {
    func two(_ one: String, _ other: String) -> [String] {
      problems(
        Self.text("strip: { ws2812: 3, spi: \(one) } }, other: { strip: { ws2812: 3, spi: \(other) }"))
    }
    #expect(problems(Self.text("strip: { ws2812: 3 }")) == [])
    #expect(two("0.0", "1.0").filter { !$0.contains("never shown") } == [])
    #expect(
      two("0.0", "0.1").first?.contains(
        "\"other\" has no chip select, so it must be alone on SPI bus 0, which \"it\" uses, too; choose another bus")
        == true)
  }
}
