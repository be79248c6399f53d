import Testing

@testable import PanelKit

@Suite("The sources of sensors")
struct SensorSourceTests {
  private static let sources = SensorSources(types: KindList.standard.sensors)

  @Test("the keys of all sources are those that name them, then their settings, each once")
  func grammar() {
    let names = Self.sources.grammar.keys.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.prefix(Self.sources.types.count) == ArraySlice(Self.sources.types.map { $0.word }))
    #expect(names.suffix(4) == ["channel", "scale", "offset", "unit"])
    #expect(Self.sources.grammar.keys.allSatisfy { !$0.isRequired })
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
