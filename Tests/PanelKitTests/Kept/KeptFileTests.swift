import CycleCore
import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("Kept values in panel files")
struct KeptFileTests {
  private func text(_ values: String, _ states: String = "initial: a\nstates: { a: }") -> String {
    """
    panel: P
    inputs: { key: { button: GPIO1 }, knob: { encoder: [GPIO4, GPIO5] } }
    values:
      \(values)
    \(states)

    """
  }

  private func read(_ text: String) throws(Problems) -> PanelDefinition {
    try PanelFile.read(Array(text.utf8), file: "test")
  }

  @Test("a value is kept with true, or with how long it may be unsaved; a list can't be")
  func grammar() throws {
    let panel = try read(
      text("a: { initial: 1, min: 0, max: 9, keep: true }")
        .replacing(each: "a: {", by: "b: { initial: 1, min: 0, max: 9, keep: { within: 60s } }\n  a: {")
        .replacing(each: "values:", by: "values:\n  c: { initial: 5s, min: 0s, max: 1m, keep: false }"))
    #expect(panel.values.map { $0.kept?.within } == [nil, .seconds(60), .seconds(10)])
    #expect(panel.keptItems.map(\.name) == ["b", "a"])
    #expect(panel.keptCount == 3)
    #expect(try read(text("a: { initial: 1, min: 0, max: 9 }")).keptCount == 0)
  }

  @Test(
    "what is wrong is said with its place",
    arguments: [
      (
        "a: { initial: 1, min: 0, max: 9, keep: yes }",
        "4:42: \"keep\" is \"yes\"; it takes true, or a map: { within: 60s }"
      ),
      (
        "a: { initial: 1, min: 0, max: 9, keep: { within: 500ms } }",
        "4:52: \"within\" is 500ms; it takes 0s to save each change immediately, or 1s...24h"
      ),
      (
        "a: { initial: 1, min: 0, max: 9, keep: { within: 5 } }", "4:52: 5 has no unit; write 5ms, 5s or 5m"
      ),
      (
        "a: { initial: 1, min: 0, max: 9, keep: { } }",
        "4:36: missing key \"within\" of keep; it takes a duration: 60s"
      ),
      (
        "a: { initial: 1, min: 0, max: 9, keep: { whithin: 5s } }",
        "4:44: unknown key \"whithin\"; did you mean \"within\"?"
      ),
    ])
  func problems(values: String, expected: String) {
    #expect(Fixture.problems { () throws(Problems) in _ = try read(text(values)) } == [expected])
  }

  @Test("a kept value that an encoder or every sets is noted, unless it is saved rarely")
  func notes() throws {
    let turned = "on: { knob.clockwise: { set: { a: +1 } } }\ninitial: a\nstates: { a: }"
    let ticking = "initial: a\nstates: { a: { every: { 1s: { set: { a: +1 } } } } }"
    let pressed = "on: { key.pressed: { set: { a: +1 } } }\ninitial: a\nstates: { a: }"
    let often = "a: { initial: 1, min: 0, max: 9, keep: true }"
    let rarely = "a: { initial: 1, min: 0, max: 9, keep: { within: 60s } }"
    func notes(_ values: String, _ states: String) throws -> [String] {
      try read(text(values, states)).notes.map { "\($0.line):\($0.column): \($0.text)" }
    }
    let note =
      "4:36: \"a\" is kept, and knob sets it: while it changes, the disk is written every 10s; write keep: { within: 60s } or more"
    #expect(try notes(often, turned) == [note])
    #expect(try notes(often, ticking) == [note.replacing(each: "knob", by: "every 1s")])
    #expect(try notes(often, pressed) == [])
    #expect(try notes(rarely, turned) == [])
    #expect(try notes(rarely, ticking) == [])
  }

  @Test(
    "a restart step is read in a line and in a file",
    arguments: [
      ("restart after=stop", Restart.stop), ("restart after=power-cut", .powerCut(at: nil)),
      ("restart after=power-cut at=fsync-folder", .powerCut(at: .fsyncFolder)),
    ])
  func restart(line: String, expected: Restart) throws {
    let panel = try read(text("a: { initial: 1, min: 0, max: 9, keep: true }"))
    #expect(try StepLineReader.read(line, line: 1, file: "-", for: panel)?.step == .restart(expected))
    #expect(StepText(of: panel).line(.restart(expected)) == line)
    let item = try #require(StepText(of: panel).item(.restart(expected)))
    let scenario = try ScenarioFile.read(
      Array("scenario: S\nsteps: [ { \(item) } ]".utf8), file: "s", for: panel)
    #expect(scenario.cases[0].steps.map(\.step) == [.restart(expected)])
  }

  @Test(
    "a wrong restart is said with its place",
    arguments: [
      ("restart after=crash", "1:15: after \"crash\"; write stop or power-cut"),
      ("restart at=write", "1:1: missing key \"after\" of a restart; it takes stop or power-cut"),
      (
        "restart after=stop at=write",
        "1:20: \"at\" is where a power cut cuts a save; leave it out, or write after: power-cut"
      ),
      (
        "restart after=power-cut at=half",
        "1:28: a save has no step \"half\"; write one of write, fsync, link, rename, fsync-folder, done"
      ),
    ])
  func wrongRestart(line: String, expected: String) throws {
    let panel = try read(text("a: { initial: 1, min: 0, max: 9, keep: true }"))
    #expect(
      Fixture.problems { () throws(Problems) in _ = try StepLineReader.read(line, line: 1, file: "-", for: panel) }
        == [expected])
  }

  @Test("on a panel that keeps nothing no save can be cut")
  func nothingKept() throws {
    let panel = try read(text("a: { initial: 1, min: 0, max: 9 }"))
    let problems = Fixture.problems { () throws(Problems) in
      _ = try StepLineReader.read("restart after=power-cut at=done", line: 1, file: "-", for: panel)
    }
    #expect(problems == ["1:25: \"at\" on a panel that keeps nothing; leave it out, or give a value keep: true"])
  }

  @Test("a scenario begins with what was kept")
  func start() throws {
    let panel = try read(text("a: { initial: 1, min: 0, max: 9, keep: true }\n  b: { initial: 1, min: 0, max: 9 }"))
    func scenario(_ start: String) throws(Problems) -> Scenario {
      try ScenarioFile.read(Array("scenario: S\nstart: { \(start) }\nsteps: [ show ]".utf8), file: "s", for: panel)
    }
    #expect(try scenario("a: 7").cases[0].start.kept == ["a": 7])
    #expect(
      Fixture.problems { () throws(Problems) in _ = try scenario("a: 10") }
        == ["2:13: \"10\" is not in the range of \"a\"; write 0...9"])
    #expect(
      Fixture.problems { () throws(Problems) in _ = try scenario("b: 3") }
        == ["2:10: \"b\" is a value; a start has inputs, gpio, audio and busy: [ DEVICE ]"])
  }
}

extension String {
  /// The text with each occurrence of a part replaced.
  func replacing(each part: String, by other: String) -> String { parts(between: part).joined(separator: other) }
}
