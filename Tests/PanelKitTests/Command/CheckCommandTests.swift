import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite("The command panel check", .serialized)
struct CheckCommandTests {
  private static let good =
    "panel: Good\ninputs: { a: { button: GPIO5 } }\nuntouched: { 1m: x }\ninitial: x\nstates: { x: }\n"
  private static let noted =
    "panel: Noted\ninputs: { a: { button: GPIO5, active: high } }\nuntouched: { 1m: x }\ninitial: x\nstates: { x: }\n"
  private static let wrong = "panel: Wrong\ninitial: y\nstates: { x: { shwo: 1 } }\n"
  private static let note =
    #""a" is pressed while its contact is open; leave "active" out if the contact closes when pressed"#

  private func check(_ arguments: [String], _ folder: String) -> PanelProcess.Result {
    PanelProcess.run(["check"] + arguments.map { $0.hasPrefix("--") ? $0 : "\(folder)/\($0)" })
  }

  @Test("several files are checked, and the first that is wrong decides the status")
  func several() {
    withFiles(["good.yaml": Self.good, "noted.yaml": Self.noted, "wrong.yaml": Self.wrong]) { folder in
      let result = check(["good.yaml", "wrong.yaml", "none.yaml", "noted.yaml"], folder)
      #expect(result.status == 65)
      #expect(
        result.output == """
          \(folder)/good.yaml: Good: 1 input, 0 outputs, 0 sounds, 1 state: nothing is wrong
          \(folder)/noted.yaml: Noted: 1 input, 0 outputs, 0 sounds, 1 state: nothing is wrong

          """)
      #expect(
        result.errors == """
          \(folder)/wrong.yaml:2:10: unknown state "y"; states: x
          \(folder)/wrong.yaml:3:16: unknown key "shwo"; did you mean "show"?
          \(folder)/none.yaml: no such file; check the path
          \(folder)/noted.yaml:2:39: note: \(Self.note)

          """)
      #expect(check(["none.yaml", "wrong.yaml"], folder).status == 66)
      #expect(check(["good.yaml", "noted.yaml"], folder).status == 0)
    }
  }

  @Test("a sheet has the name of its file, and is no panel")
  func sheets() {
    let printed = PanelProcess.run(["sheets", "tmp102"])
    #expect(printed.status == 0 && printed.output.hasPrefix("sheet: tmp102\nabout: "))
    withFiles(["tmp102.sheet.yaml": printed.output, "ours.sheet.yaml": printed.output, "ours.yaml": printed.output]) {
      folder in
      #expect(check(["tmp102.sheet.yaml"], folder).status == 0)
      #expect(
        check(["ours.sheet.yaml"], folder).errors
          == "\(folder)/ours.sheet.yaml:1:1: the sheet \"tmp102\" is in the file of \"ours\"; "
          + "write sheet: ours, or rename the file\n")
      #expect(
        check(["ours.yaml"], folder).errors
          == "\(folder)/ours.yaml:1:1: this is a sheet, not a panel file; the name of its file ends with .sheet.yaml, "
          + "as in bme280.sheet.yaml\n")
    }
  }

  @Test("with --strict a note is enough for 65")
  func strict() {
    withFiles(["good.yaml": Self.good, "noted.yaml": Self.noted]) { folder in
      #expect(check(["--strict", "good.yaml"], folder).status == 0)
      let result = check(["--strict", "noted.yaml"], folder)
      #expect(result.status == 65)
      #expect(result.output == "\(folder)/noted.yaml: Noted: 1 input, 0 outputs, 0 sounds, 1 state: 1 note\n")
    }
  }

  @Test("with --json each problem and each note is an object in a line, and nothing else is printed")
  func json() {
    withFiles(["good.yaml": Self.good, "noted.yaml": Self.noted, "wrong.yaml": Self.wrong]) { folder in
      let result = check(["--json", "good.yaml", "noted.yaml", "wrong.yaml", "none.yaml"], folder)
      #expect(result.status == 65)
      #expect(result.errors == "")
      let note = Self.note.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: #"\""#)
      #expect(
        result.output == #"""
          {"file": "\#(folder)/noted.yaml", "line": 2, "column": 39, "severity": "note", "text": "\#(note)"}
          {"file": "\#(folder)/wrong.yaml", "line": 2, "column": 10, "severity": "error", "text": "unknown state \"y\"; states: x"}
          {"file": "\#(folder)/wrong.yaml", "line": 3, "column": 16, "severity": "error", "text": "unknown key \"shwo\"; did you mean \"show\"?"}
          {"file": "\#(folder)/none.yaml", "line": 0, "column": 0, "severity": "error", "text": "no such file; check the path"}

          """#)
    }
  }

  @Test("a scenario file is told as one, with the command that runs it, and a panel file among scenarios, too")
  func scenario() {
    withFiles(["a.scenario.yaml": "scenario: S\nsteps: [ show ]\n", "good.yaml": Self.good]) { folder in
      let path = "\(folder)/a.scenario.yaml"
      let result = check(["a.scenario.yaml"], folder)
      #expect(result.status == 65)
      #expect(
        result.errors
          == "\(path):1:1: this is a scenario file, not a panel file; run it with its panel: panel test FILE.panel.yaml \(path)\n"
      )
      #expect(
        PanelProcess.run(["test", "\(folder)/good.yaml", "\(folder)/good.yaml"]).errors
          == "\(folder)/good.yaml:1:1: this is a panel file, not a scenario file; name the panel first, then its scenarios\n"
      )
    }
  }

  @Test("a command that is nearly right is told what it should be")
  func misspelt() {
    let result = PanelProcess.run(["chekc", "x.yaml"])
    #expect(result.status == 64)
    #expect(
      result.errors
        == "panel: unknown command \"chekc\"; did you mean `panel check`?\nsee panel --help\n")
  }

  @Test("panel schema prints the schemas, each an object with its definitions")
  func schema() {
    let panel = PanelProcess.run(["schema"])
    #expect(panel.status == 0 && panel.output == FileSchemas().panel.lines)
    let scenario = PanelProcess.run(["schema", "--scenario"])
    #expect(scenario.status == 0 && scenario.output == FileSchemas().scenario.lines)
    #expect(panel.output != scenario.output)
  }

  @Test("panel sheets prints a sheet as it is in its file")
  func sheet() throws {
    let file = try #require(bytes(of: "\(checkoutRoot)/Sources/PanelKit/Kinds/Sheets/Standard/tmp117.sheet.yaml"))
    let result = PanelProcess.run(["sheets", "tmp117"])
    #expect(result.status == 0 && result.output == String(decoding: file, as: UTF8.self))
  }
}
