import TestSupport
import Testing

@testable import PanelKit

@Suite("The schemas of files")
struct SchemaTests {
  static let examples = names(in: "\(checkoutRoot)/Examples").flatMap { folder in
    names(in: "\(checkoutRoot)/Examples/\(folder)").filter { $0.hasSuffix(".yaml") }.map { "Examples/\(folder)/\($0)" }
  }
  static let wrong = names(in: Fixture.wrongFiles).filter { $0.hasSuffix(".yaml") }

  /// Wrong files whose form is right: what is wrong with them is a name, a range, a number of lamps, or the statechart.
  static let rightByForm: Set = [
    "backwards-range.panel.yaml", "duplicate-names.panel.yaml", "endless-tone.panel.yaml",
    "endless-without-time.panel.yaml", "guards.panel.yaml",
    "interlocked-together.panel.yaml", "line-used-twice.panel.yaml", "list-digits.panel.yaml",
    "min-above-max.panel.yaml",
    "pull-without-active.panel.yaml", "regions-beside-states.panel.yaml", "safe.panel.yaml",
    "sensor-decimals.panel.yaml",
    "cases.scenario.yaml", "no-cases.scenario.yaml", "start.scenario.yaml", "too-many-rounds.scenario.yaml",
    "too-many-steps.scenario.yaml", "uneven-cases.scenario.yaml", "unknown-case-names.scenario.yaml",
    "shown-by-nobody.panel.yaml", "shown-by-two-regions.panel.yaml", "sound-devices.panel.yaml",
    "sound-structure.panel.yaml", "state-in-two-regions.panel.yaml", "unknown-names.panel.yaml",
    "unreachable-states.panel.yaml",
  ]

  private func validator(of path: String) -> SchemaValidator {
    SchemaValidator(root: path.hasSuffix(".scenario.yaml") ? FileSchema().scenario : FileSchema().panel)
  }

  /// The file as a JSON value; nil if it can't be read as YAML.
  private func value(of path: String) throws -> JSON? {
    let problems = ProblemList()
    let content = try #require(bytes(of: path))
    guard let text = TextFile.text(content, what: "a file", problems: problems),
      let root = YAMLTree.read(text, what: "a file", problems: problems), problems.count == 0
    else { return nil }
    return JSON(root)
  }

  @Test("each example is valid", arguments: examples)
  func valid(path: String) throws {
    let value = try #require(try value(of: "\(checkoutRoot)/\(path)"))
    #expect(try validator(of: path).faults(of: value) == [])
  }

  @Test("there are examples") func count() {
    #expect(Self.examples.count >= 10)
  }

  @Test("a wrong file is invalid, unless its form is right", arguments: wrong)
  func invalid(name: String) throws {
    guard let value = try value(of: "\(Fixture.wrongFiles)/\(name)") else { return }
    let faults = try validator(of: name).faults(of: value)
    #expect(faults.isEmpty == Self.rightByForm.contains(name), "\(faults)")
    #expect(!faults.contains { $0.contains("unknown keyword") })
  }

  @Test("each key of the tables is in a schema with what it takes, and its shape is known")
  func keys() {
    let places =
      [
        Grammar.panel, Grammar.value, Grammar.list, Grammar.selection, Grammar.audio, Grammar.region, Grammar.state,
        Grammar.enter, Grammar.exit,
        Grammar.transition, Grammar.interlock,
      ] + Grammar.sounds + KindList.standard.inputs.map { $0.grammar } + KindList.standard.outputs.map { $0.place }
    let text = FileSchema().panel.lines
    for place in places {
      for key in place.keys {
        #expect(key.shape != .any, "\(key.name) of \(place.name)")
        #expect(text.contains("\"\(key.name)\": {"), "\(key.name) of \(place.name)")
        #expect(text.contains("\"description\": \(JSON.text(key.takes).line)"), "\(key.takes)")
      }
    }
    let scenario = FileSchema().scenario.lines
    for step in StepWord.all { #expect(scenario.contains("\"\(step.word)\": {"), "\(step.word)") }
  }

  @Test("a JSON text is escaped, in one line or in many")
  func json() {
    let value = JSON.object([
      "a": .text("\"\\\n\u{1}ä\u{2028}"), "b": .list([.number(-1), .decimal(0.5), .null]), "c": nil,
      "d": .object(["e": .flag(true)]), "f": .list([.object([:])]),
    ])
    #expect(
      value.line
        == #"{"a": "\"\\\n\u0001ä\u2028", "b": [-1, 0.5, null], "d": {"e": true}, "f": [{}]}"#)
    #expect(
      value.lines == """
        {
          "a": "\\"\\\\\\n\\u0001ä\\u2028",
          "b": [-1, 0.5, null],
          "d": {
            "e": true
          },
          "f": [
            {}
          ]
        }

        """)
  }
}
