import CycleCore
import TestSupport
import Testing

@testable import PanelEngine
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

/// Texts that depend on conditions, texts that a number selects, and the formats of numbers.
@Suite("Texts by condition and by number")
struct TextTests {
  private static let panel = """
    panel: T
    inputs:
      armed: { switch: GPIO17 }
      knob: { encoder: [GPIO5, GPIO6] }
      air: { sensor: { w1: any }, min: -50, max: 50, decimals: 2 }
    outputs:
      screen: { display: { i2c: 0x27 }, size: 20x4 }
      big: { digits: { max7219: 8 } }
      face: { screen: { ssd1306: 0x3C }, rows: 4 }
      sign: { matrix: { max7219: 4, spi: 0.1 } }
    texts: { days: [ Mon, Tue, "Wed." ], modes: [ Off, On ] }
    values: { n: { initial: 0, min: -9, max: 99 } }
    on: { knob.clockwise: { set: { n: +1 } }, knob.counterclockwise: { set: { n: -1 } } }
    show:
      screen:
        - "{days(n)} {n}"
        - { when: { armed == on: "Armed {n:02}", n > 1: { when: { n == 2: two, else: "" } }, else: } }
        - "[{air:6.1}]"
        - "[{n:4}{n:.2}]"
      big: { when: { armed == on: "{n:03}", else: "{n}" } }
      face: { when: { armed == on: [ "Armed", "{days(n + 1)}" ], else: "{modes(1)}" } }
      sign: { when: { armed == on: Armed } }
    initial: a
    states: { a: {} }
    """

  @Test("a row has the text of the first condition that holds, and a list of texts the one with the number")
  func rows() throws {
    #expect(
      try LookTests.failures(
        of: Self.panel,
        """
          - wait: 200ms
          - expect: { screen: " 0 /  / [     -] / [   00.00]", big: "0", face: "Off", sign: off }
          - turn: { knob: 2 }
          - sense: { air: -0.55 }
          - wait: 11s
          - expect: { screen: "Tue 2 / two / [  -0.6] / [   22.00]", big: "2" }
          - switch: { armed: on }
          - turn: { knob: 1 }
          - sense: { air: 20.04 }
          - wait: 11s
          - expect: { screen: "Wed. 3 / Armed 03 / [  20.0] / [   33.00]", big: "003", face: "Armed", sign: Armed }
          - turn: { knob: -8 }
          - sense: { air: -0.04 }
          - wait: 11s
          - expect: { screen: " -5 / Armed -5 / [   0.0] / [  -5-5.00]", big: "-05", face: "Armed" }
        """) == [])
  }

  @Test(
    "a format has a width, zeros and decimals",
    arguments: [
      ("2", 7, 0, " 7"), ("02", 7, 0, "07"), ("02", 123, 0, "123"), ("03", -5, 0, "-05"), ("04", -5, 0, "-005"),
      (".1", 2050, 2, "20.5"), (".1", 2055, 2, "20.6"), (".1", -2055, 2, "-20.6"), (".0", 25, 1, "3"),
      (".0", -25, 1, "-3"), (".0", 24, 1, "2"), ("4.1", 205, 1, "20.5"), ("6.1", 205, 1, "  20.5"),
      ("06.1", -205, 1, "-020.5"), (".2", 7, 0, "7.00"), (".1", -4, 2, "0.0"), ("5", -205, 1, "-20.5"),
      ("05", 200, 1, "00020"), (".3", .max, 0, "9223372036854775.807"),
    ])
  func formats(_ format: String, _ number: Int, _ decimals: Int, _ text: String) throws {
    let read = try #require(NumberFormat(format))
    #expect(number == .max || read.text(of: number, decimals: decimals) == text)
  }

  @Test(
    "any other text is no format",
    arguments: ["", "0", "x", "2x", ".", ".x", "2.", "41", "-2", "+2", ".12", ".7", "00"])
  func noFormats(_ text: String) {
    #expect(NumberFormat(text) == nil)
  }

  @Test("the rounding of a format agrees with decimal arithmetic for random numbers", arguments: UInt64(1)...20)
  func randomFormats(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let (decimals, places) = (Int.random(in: 0...4, using: &random), Int.random(in: 0...4, using: &random))
      let number = Int.random(in: -99_999...99_999, using: &random)
      let text = NumberFormat(places: places).text(of: number, decimals: decimals)
      // The exact number and the shown one, both with eight decimals.
      let exact = number * Quantity.powerOfTen(8 - decimals)
      let shown = try #require(Quantity.decimal(text))
      let size = shown.number * Quantity.powerOfTen(8 - shown.decimals)
      let half = Quantity.powerOfTen(8 - places) / 2
      #expect(abs(exact - size) <= half, "seed \(seed): \(number) with \(decimals) decimals is \(text)")
      let isTie = abs(exact - size) == half && half > 0 && exact != size
      #expect(!isTie || abs(size) > abs(exact), "seed \(seed): \(number) with \(decimals) decimals is \(text)")
      #expect(places == 0 || text.split(separator: ".").last?.count == places, "seed \(seed): \(text)")
    }
  }

  @Test("a text that a number selects can be sent")
  func sent() throws {
    let panel = """
      panel: S
      inputs: { key: { button: GPIO17 } }
      texts: { scenes: [ dark, bright ] }
      values: { n: { initial: 1, min: 0, max: 9 } }
      osc: { send: [ "desk.lan:9000" ], publish: [ ] }
      initial: a
      states:
        a: { on: { key.pressed: { set: { n: +1 }, send: { osc: /scene, with: [ "{scenes(n)}", "{n}" ] } } } }
      """
    #expect(
      try LookTests.failures(
        of: panel,
        """
          - click: key
          - expect: { sent: "/scene bright 2" }
        """) == [])
    let texts = ["dark", "bright"]
    #expect([-1, 0, 1, 2, 3].map { texts.text(at: $0) } == ["", "", "dark", "bright", ""])
  }

  @Test("a list of texts that nothing shows is unused")
  func unused() throws {
    let panel = try PanelFile.read(
      Array("panel: U\ntexts: { days: [ Mon ] }\ninitial: a\nstates: { a: {} }\n".utf8), file: "p")
    #expect(panel.unused.map(\.text) == ["nothing shows texts \"days\"; leave them out"])
  }
}
