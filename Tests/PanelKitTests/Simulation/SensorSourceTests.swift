import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelWiring

@Suite("The sources of sensors")
struct SensorSourceTests {
  private static let sources = SensorSourceReader(of: .standard)

  @Test("the keys of all sources are those that name them, then their settings, each once")
  func grammar() {
    let names = Self.sources.grammar.keys.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.prefix(Self.sources.types.count) == ArraySlice(Self.sources.types.map { $0.word }))
    #expect(
      names.filter { ["channel", "scale", "offset", "unit"].contains($0) } == ["channel", "scale", "offset", "unit"])
    #expect(Self.sources.grammar.keys.allSatisfy { !$0.isRequired })
  }

  @Test(
    "a 1-wire sensor is called by its family and number, not by a line",
    arguments: [
      ("28-00000a1b2c3d", true), ("3b-1", true), ("any", true), ("GPIO4", false), ("28-0000000000001", false),
      ("28-00000A1B2C3D", false), ("28-", false), ("0028-1", false), ("28-1-2", false), ("../x", false),
    ])
  func oneWireNames(name: String, isGood: Bool) {
    #expect(
      Fixture.problems(
        ofPanel: "panel: P\ninputs: { a: { sensor: { w1: \(name) }, min: 0, max: 9 } }\ninitial: s\nstates: { s: }\n")
        == (isGood
          ? []
          : [
            "2:30: \"\(name)\" is not a 1-wire sensor; write a name that ls /sys/bus/w1/devices prints, 28-00000a1b2c3d, or any"
          ]))
  }

  @Test(
    "another device at GPIO4 is right for a check, as the 1-wire bus may be elsewhere; a wiring says where it is usually"
  )
  func oneWireLine() throws {
    func panel(_ inputs: String) throws -> PanelDefinition {
      try PanelFile.read(
        Array("panel: P\ninputs: { \(inputs) }\nuntouched: { 1m: s }\ninitial: s\nstates: { s: }\n".utf8), file: "p")
    }
    let (key, air) = ("key: { button: GPIO4 }", "air: { sensor: { w1: any }, min: 0, max: 9 }")
    let dew = "dew: { sensor: { w1: 28-1 }, min: 0, max: 9 }"
    let note = "GPIO4 is the line of the 1-Wire thermometer, unless config.txt names another line for the bus"
    for inputs in ["\(key), \(air), \(dew)", "\(air), \(dew), \(key)"] {
      let panel = try panel(inputs)
      #expect(panel.notes == [])
      let plan = WiringPlan(of: panel)
      let notes = NumberedNotes(plan)
      let number = try #require(notes.notes.firstIndex { $0.text.hasPrefix(note) }) + 1
      #expect(!notes.notes.contains { $0.isDanger })
      #expect(notes.numbers.allSatisfy { $0.contains(number) })
    }
    for inputs in ["\(air), \(dew), key: { button: GPIO6 }", "key: { button: GPIO5 }, \(air)"] {
      let panel = try panel(inputs)
      #expect(panel.notes == [])
      #expect(!NumberedNotes(WiringPlan(of: panel)).notes.contains { $0.text.hasPrefix(note) })
    }
  }

  @Test("two sensors are the same only with the same source and the same settings")
  func equality() throws {
    func device(_ text: String) throws -> any InputKind {
      try PanelFile.read(
        Array("panel: P\ninputs: { a: { sensor: \(text) } }\ninitial: s\nstates: { s: }\n".utf8), file: "p"
      ).inputs[0].device
    }
    let thermometer = try device("{ w1: any }, min: 0, max: 9")
    let same = try device("{ w1: any }, min: 0, max: 9, every: 10s")
    let slower = try device("{ w1: any }, min: 0, max: 9, every: 11s")
    let file = try device("{ file: /any }, min: 0, max: 9, every: 10s")
    #expect(thermometer.isEqual(to: same))
    #expect(!thermometer.isEqual(to: slower))
    #expect(!thermometer.isEqual(to: file))
  }
}
