import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

@Suite("The schemas of files")
struct SchemaTests {
  static let examples = names(in: "\(checkoutRoot)/Examples").flatMap { folder in
    names(in: "\(checkoutRoot)/Examples/\(folder)").filter { $0.hasSuffix(".yaml") }.map { "Examples/\(folder)/\($0)" }
  }

  /// Wrong files whose form is wrong. What is wrong with the others is a name, a range, a number of lamps, or the
  /// statechart; or they are no YAML.
  static let wrongByForm = [
    "bad-durations.panel.yaml", "bad-lines.panel.yaml", "bad-names.panel.yaml", "choices.panel.yaml",
    "crlf-and-byte-order-mark.panel.yaml", "encoder-and-bar-lines.panel.yaml",
    "expectations.scenario.yaml", "interlocks.panel.yaml", "kinds.panel.yaml", "long-words.panel.yaml",
    "missing-in-a-region.panel.yaml", "missing-initial.panel.yaml", "missing-keys.panel.yaml",
    "missing-steps.scenario.yaml", "no-regions.panel.yaml", "no-states.panel.yaml", "no-steps.scenario.yaml",
    "numbers-with-no-unit.panel.yaml", "out-of-range.panel.yaml",
    "regions-of-nothing.panel.yaml", "root-is-a-list.panel.yaml", "root-is-a-word.panel.yaml", "shown-by.panel.yaml",
    "shows-that-do-not-fit.panel.yaml", "sound-files.panel.yaml", "sound-played-twice.panel.yaml",
    "steps-are-a-map.scenario.yaml", "steps.scenario.yaml",
    "transitions.panel.yaml", "unknown-events.panel.yaml", "unknown-key-of-a-state.panel.yaml",
    "unknown-key.panel.yaml", "unknown-keys.scenario.yaml", "wrong-types.panel.yaml",
  ]

  private func validator(of path: String) -> SchemaValidator {
    SchemaValidator(root: path.hasSuffix(".scenario.yaml") ? FileSchemas().scenario : FileSchemas().panel)
  }

  /// The file as a JSON value; nil if it can't be read as YAML.
  private func value(of path: String) throws -> JSON? {
    JSON(yaml: try #require(bytes(of: path)))
  }

  @Test("each example is valid", arguments: examples)
  func valid(path: String) throws {
    let value = try #require(try value(of: "\(checkoutRoot)/\(path)"))
    #expect(try validator(of: path).faults(of: value) == [])
  }

  @Test("a member of a group is shown by its number, in a state, at the top level and in safe, as check has it")
  func shownMember() throws {
    let text = """
      panel: M
      outputs: { lamps: { leds: [GPIO12, GPIO16] } }
      safe: { lamps(2): on }
      show: { lamps(2): off }
      initial: a
      states: { a: { show: { lamps(1): on } } }

      """
    #expect(Fixture.problems(ofPanel: text) == [])
    let validator = SchemaValidator(root: FileSchemas().panel)
    let value = try #require(JSON(yaml: text))
    #expect(try validator.faults(of: value) == [])
    for wrong in ["lamps(1x)", "lamps()", "lamps(1", "1lamps(1)"] {
      let value = try #require(JSON(yaml: text.replacing("{ lamps(1): on }", with: "{ \"\(wrong)\": on }")))
      #expect(try validator.faults(of: value) != [], "\(wrong)")
    }
  }

  /// The YAML in the documentation, with the page and the line that it begins on.
  static let documented: [(place: String, text: String)] = {
    let folders = ["docs", "docs/panels", "docs/swift/drivers"]
    let pages = folders.flatMap { folder in names(in: "\(checkoutRoot)/\(folder)").map { "\(folder)/\($0)" } }
    return (pages.filter { $0.hasSuffix(".md") } + ["README.md"]).flatMap { page in
      let lines = String(decoding: bytes(of: "\(checkoutRoot)/\(page)") ?? [], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      return lines.indices.filter { lines[$0] == "```yaml" }.map { start in
        let block = lines[(start + 1)...].prefix { $0 != "```" }
        return ("\(page):\(start + 1)", block.joined(separator: "\n") + "\n")
      }
    }
  }()

  @Test(
    "each YAML block of the documentation is valid, but for what a part of a file leaves out",
    arguments: documented.indices)
  func documentation(number: Int) throws {
    let (place, text) = Self.documented[number]
    // A sheet, or a part of one, is no panel file.
    if place.hasPrefix("docs/panels/sheets.md"), !text.hasPrefix("inputs:") { return }
    let value = try #require(JSON(yaml: text), "\(place)")
    let isScenario = value["scenario"] != nil || value["steps"] != nil
    let faults = try SchemaValidator(root: isScenario ? FileSchemas().scenario : FileSchemas().panel).faults(of: value)
    let left = faults.filter { fault in
      // A block may end where a map would begin.
      ![" against required", " against anyOf"].contains { fault.hasPrefix(": ") && fault.hasSuffix($0) }
        && !fault.hasSuffix(": null against type")
    }
    #expect(left == [], "\(place)")
  }

  @Test("there are blocks in the documentation") func blockCount() {
    #expect(Self.documented.count >= 30)
  }

  @Test("there are examples") func count() {
    #expect(Self.examples.count >= 10)
  }

  @Test("a file whose form is wrong is invalid", arguments: wrongByForm)
  func invalid(name: String) throws {
    let value = try #require(try value(of: "\(Fixture.wrongFiles)/\(name)"))
    let faults = try validator(of: name).faults(of: value)
    #expect(!faults.isEmpty && !faults.contains { $0.contains("unknown keyword") }, "\(faults)")
  }

  @Test("each key of the tables is in a schema with what it takes, and its shape is known")
  func keys() {
    let kinds = KindList.standard
    var places = [
      Grammar.panel, Grammar.value, Grammar.time, Grammar.list, Grammar.clock, Grammar.selection, Grammar.audio,
      Grammar.region, Grammar.state,
      Grammar.enter, Grammar.exit, Grammar.transition, Grammar.interlock,
    ]
    places += Grammar.sounds
    places += kinds.inputs.map { $0.place(in: kinds) }
    places += kinds.outputs.map { $0.place }
    places += kinds.sensors.map { $0.grammar }
    let text = FileSchemas().panel.lines
    for place in places {
      for key in place.keys {
        #expect(key.shape != .any, "\(key.name) of \(place.name)")
        #expect(text.contains("\"\(key.name)\": {"), "\(key.name) of \(place.name)")
        #expect(text.contains("\"description\": \(JSON.text(key.description).line)"), "\(key.description)")
      }
    }
    let scenario = FileSchemas().scenario.lines
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
