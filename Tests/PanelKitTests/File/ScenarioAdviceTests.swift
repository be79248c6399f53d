import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("Messages of scenarios that say what to write instead")
struct ScenarioAdviceTests {
  private static let panel = """
    panel: P
    inputs:
      key: { button: GPIO17, hold: 1s }
      door: { switch: GPIO27, words: { on: shut, off: open } }
      knob: { encoder: [GPIO5, GPIO6] }
      air: { sensor: { w1: any }, min: 0, max: 50 }
    values: { n: { initial: 0, min: 0, max: 9 } }
    initial: a
    states: { a: { on: { key.pressed: { set: { n: +1 } } } } }

    """

  @Test("a contact without a debounce time can't be unknown at the start")
  func alwaysKnown() throws {
    let panel = try PanelFile.read(
      Array(Self.panel.replacing("off: open }", with: "off: open }, debounce: 0ms").utf8), file: "p")
    for (start, problems) in [
      ("key: unknown", []),
      (
        "door: unknown",
        [
          #"2:16: "door" has no debounce time, so its position is known; write open or shut, or give it debounce: 5ms"#
        ]
      ),
    ] {
      let text = "scenario: S\nstart: { \(start) }\nsteps: [ { wait: 1s } ]\n"
      let found = Fixture.problems { () throws(Problems) in
        _ = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
      }
      #expect(found == problems)
    }
  }

  @Test(
    "a step in the words of another language, or without its verb",
    arguments: [
      ("click: { key: 2s }", #"3:12: "click" takes no duration; write hold: { key: 2s }"#),
      ("press: { key: 500ms }", #"3:12: "press" takes no duration; write hold: { key: 500ms }"#),
      ("sleep: 3s", #"3:5: unknown step "sleep"; write wait: 3s"#),
      ("door: open", #"3:5: unknown step "door"; write switch: { door: open }"#),
      ("key: pressed", #"3:5: unknown step "key"; write press: key or click: key"#),
      ("knob: 2", #"3:5: unknown step "knob"; write turn: { knob: 2 }"#),
      ("air: 28", #"3:5: unknown step "air"; write sense: { air: 28 }"#),
      (
        "start: { door: open }",
        #"3:5: unknown step "start"; "start" is a key of the scenario file, write it above "steps""#
      ),
      (
        "expect: { heard: key.pressed }",
        #"3:15: unknown name "heard" in "expect"; it is a step of its own, write - heard: [ bell.pressed ]"#
      ),
      (#"expect: { n: ">= 3" }"#, #"3:18: ">= 3" is part of a condition; write expect: n >= 3"#),
    ])
  func steps(step: String, expected: String) throws {
    let panel = try PanelFile.read(Array(Self.panel.utf8), file: "p")
    let text = "scenario: S\nsteps:\n  - \(step)\n"
    let found = Fixture.problems { () throws(Problems) in
      _ = try ScenarioFile.read(Array(text.utf8), file: "s", for: panel)
    }
    #expect(found == [expected])
  }
}
