import Testing

@testable import PanelWiring

@Suite("Wiring pictures")
struct WiringPictureTests {
  static let golden = String(#filePath.dropLast("/WiringPictureTests.swift".count)) + "/Golden"

  @Test("the text of a plan is that of its golden file", arguments: SamplePlans.all.map(\.name))
  func text(_ name: String) throws {
    let plan = try #require(SamplePlans.all.first { $0.name == name }).plan
    let text = plan.text()
    #expect(text == Fixture.expected("\(Self.golden)/\(name).txt", recording: text))
  }

  @Test("the text of a plan as ASCII is that of its golden file", arguments: ["doorbell", "kinds"])
  func ascii(_ name: String) throws {
    let plan = try #require(SamplePlans.all.first { $0.name == name }).plan
    let text = plan.text(isASCII: true)
    #expect(text == Fixture.expected("\(Self.golden)/\(name)-ascii.txt", recording: text))
  }

  @Test("the picture of a plan is that of its golden file", arguments: ["doorbell", "garage", "all26", "bus"])
  func picture(_ name: String) throws {
    let svg = try #require(SamplePlans.all.first { $0.name == name }?.plan.svg())
    #expect(svg == Fixture.expected("\(Self.golden)/\(name).svg", recording: svg))
  }

  @Test("for a board without the header there is a table, and no picture")
  func otherBoard() {
    let text = SamplePlans.otherBoard.text()
    #expect(SamplePlans.otherBoard.svg() == nil)
    #expect(text == Fixture.expected("\(Self.golden)/other-board.txt", recording: text))
  }

  @Test("wires cross as seldom as they did when the pictures were judged")
  func crossings() {
    let crossings = SamplePlans.all.map { name, plan in
      let layout = WiringLayout(plan)
      return "\(name) \(layout.left.crossings) \(layout.right.crossings)"
    }
    #expect(
      crossings == [
        "doorbell 0 0", "counter 0 7", "garage 0 0", "simon 0 0", "all26 0 0", "leds26 0 0", "shuffled 27 12",
        "kinds 1 7",
        "bus 3 0", "one 0 0",
      ])
  }

  @Test("a picture of one colour scheme has only its colours, and the automatic one both")
  func themes() throws {
    let (light, dark) = ("fill:#ffffff", "fill:#11161d")
    let pictures = [WiringTheme.automatic, .light, .dark].map { SamplePlans.one.svg(theme: $0)! }
    #expect(pictures.map { $0.contains(light) } == [true, true, false])
    #expect(pictures.map { $0.contains(dark) } == [true, false, true])
    #expect(pictures[0].contains("@media screen and (prefers-color-scheme:dark)"))
  }

  @Test("people who don't see the picture get all connections in words")
  func description() throws {
    let svg = try #require(SamplePlans.one.svg())
    #expect(svg.contains("<desc id=\"wiring-lamp-desc\">lamp, LED: pin 11 (GPIO17), GND.</desc>"))
    #expect(svg.contains("aria-labelledby=\"wiring-lamp-title wiring-lamp-desc\""))
    #expect(svg.contains("<title>lamp: pin 11, GPIO17</title>"))
  }

  @Test("names are escaped, and characters that XML doesn't have become spaces")
  func escaping() throws {
    var plan = SamplePlans.one
    plan.title = "A<B & \"C\"\u{1}"
    plan.devices[0].name = "x<y"
    let svg = try #require(plan.svg())
    #expect(svg.contains("A&lt;B &amp; &quot;C&quot; : wiring"))
    #expect(svg.contains(">x&lt;y<"))
    #expect(XMLNesting.fault(in: svg) == nil)
  }

  @Test("colours only paint the names and the pins in use")
  func colours() {
    let plain = SamplePlans.garage.text()
    var painted = SamplePlans.garage.text(isColoured: true)
    #expect(painted.contains("\u{1b}[1;34mkey\u{1b}[0m, push button\n"))
    for code in ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m"] + [34, 32, 35, 36, 95, 33].map({ "\u{1b}[1;\($0)m" }) {
      painted = painted.split(separator: code, omittingEmptySubsequences: false).joined()
    }
    #expect(painted == plain)
  }

  @Test("the supplies of a box have as many lines as they take")
  func supplies() {
    let names: KeyValuePairs<String, SupplyNet> = [
      "VDD": .volts3, "VDDIO": .volts3, "GND": .ground, "CSB": .volts3, "SDO": .ground,
    ]
    let box = BoxCircuit.box("BME280", terminals: [.init("GPIO2", "SDA"), .init("GPIO3", "SCL")], supplies: names)
    #expect(
      box.texts(lamps: SeriesResistor(count: 0)).map(\.line) == [
        "── SDA    VDD ── 3.3 V, VDDIO ── 3.3 V, GND ── GND", "── SCL    CSB ── 3.3 V, SDO ── GND",
      ])
  }

  @Test("a plan without devices is a header, and one with nothing on lines has its cards")
  func empty() throws {
    let empty = WiringPlan(title: "Empty", devices: [])
    #expect(XMLNesting.fault(in: try #require(empty.svg())) == nil)
    #expect(empty.text().contains("No device is wired to a line."))
    let unwired = WiringPlan(
      title: "Box",
      devices: [SamplePlans.output("power", "supply", .box("LM7805", terminals: [], supplies: ["OUT": .volts5]))])
    #expect(try #require(unwired.svg()).contains("power"))
    #expect(unwired.text().contains("OUT ── 5 V"))
  }
}
