import Glibc
import Terminal
import TestSupport
import Testing

@testable import PanelKit
@testable import PanelLanguage

@Suite("The help of the commands")
struct CommandPageTests {
  static let page = "\(checkoutRoot)/docs/panels/commands.md"

  @Test("the page about the commands is what their help has; RECORD=1 writes it")
  func page() throws {
    let text = CommandPage().text
    guard getenv("RECORD") == nil else { return try TextFile.write(text, path: Self.page) }
    #expect(bytes(of: Self.page).map { String(decoding: $0, as: UTF8.self) } == text, "RECORD=1 writes the page")
  }

  @Test(
    "each command has one sentence of summary, three examples that are commands of it or lead to it, and typed options")
  func complete() {
    for command in PanelCommand.commands {
      let syntax = command.syntax(for: .standard)
      #expect(syntax.summary.hasSuffix(".") || syntax.summary.hasSuffix("?"), "\(syntax.name)")
      #expect(syntax.summary.count <= 96, "\(syntax.name)")
      let examples = syntax.examples.split(separator: "\n").filter { $0.hasPrefix("$ ") }
      #expect(examples.count >= 2, "\(syntax.name)")
      #expect(examples.contains { $0.contains("\(syntax.name)") }, "\(syntax.name)")
      for option in syntax.options {
        #expect(option.help.hasSuffix("."), "\(syntax.name) \(option.name)")
        #expect(option.help.first?.isUppercase == true, "\(syntax.name) \(option.name)")
      }
      for operand in syntax.operands { #expect(operand.help.hasSuffix("."), "\(syntax.name) \(operand.name)") }
    }
  }

  @Test("no text of the help is wider than the terminal, but for examples", arguments: [60, 80, 100])
  func width(columns: Int) {
    let groups = CommandGroup.all.map { $0.help(columns: columns) }
    let texts = groups + [PanelCommand.help(columns: columns), PanelCommand.exitStatusHelp(columns: columns)]
    for line in texts.flatMap({ $0.split(separator: "\n") }) { #expect(line.count <= columns, "\(line)") }
    for command in PanelCommand.commands {
      var isExample = false
      for line in command.syntax(for: .standard).help(columns: columns).split(separator: "\n") {
        isExample = line == "Examples:" || isExample && line.hasPrefix("  ")
        // Lines of the discussion that are to be typed stay as they are, and so does the usage.
        if isExample || line.hasPrefix("  ") || line.hasPrefix("Usage: ") { continue }
        #expect(line.count <= columns, "\(line)")
      }
    }
  }

  @Test("help of a group, a command and the exit statuses; groups alone end with 0")
  func topics() {
    #expect(PanelProcess.run(["help", "test"]).output.hasPrefix("Run scenarios on a simulated panel"))
    #expect(PanelProcess.run(["help", "control"]).output.contains("panel status"))
    #expect(PanelProcess.run(["help", "exit-status"]).output.contains("\n  75   A limit was reached"))
    #expect(PanelProcess.run(["help", "recording", "cut"]).output.contains("Usage: panel recording cut"))
    #expect(PanelProcess.run(["help", "stauts"]).errors.contains("did you mean `panel help status`?"))
    for option in ["-v", "-V", "--version"] {
      #expect(PanelProcess.run([option]) == .init(status: 0, output: "\(PanelInstallation.version)\n", errors: ""))
    }
  }

  @Test("what is no command is answered with what to type, and without a guess where nothing is near")
  func unknown() {
    for (words, text) in [
      (["lamp.panel.yaml"], "; to try this panel, type `panel simulate lamp.panel.yaml`\n"),
      (["a.scenario.yaml"], "; to run this scenario, type `panel test a.scenario.yaml`\n"),
      (["Examples"], "; to run the scenarios in it, type `panel test Examples`\n"),
      (["replay", "x"], "; did you mean `panel recording replay`?\n"), (["chekc"], "; did you mean `panel check`?\n"),
      (["xyz"], "panel: unknown command \"xyz\"\nsee panel --help\n"),
      (["control", "status"], "; did you mean `panel status`?\nsee panel help control\n"),
      (["control", "stauts"], "; did you mean `panel status`?\n"),
      (["write", "check"], "; did you mean `panel check`?\n"),
      (["recording", "status"], "; did you mean `panel status`?\n"),
      (["control", "replay"], "; did you mean `panel recording replay`?\n"),
      (["control", "xyz"], "panel: unknown command \"control xyz\"\nsee panel help control\n"),
      (["help", "control", "status"], "; did you mean `panel help status`?\n"),
      (["-x"], "panel: unknown option -x\nsee panel --help\n"), (["help", "xyz"], "unknown topic \"xyz\"\n"),
    ] {
      let result = PanelProcess.run(words)
      #expect(result.status == 64 && result.errors.contains(text), "\(words): \(result.errors)")
    }
  }
}
