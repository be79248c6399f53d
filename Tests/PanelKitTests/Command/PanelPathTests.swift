import TestSupport
import Testing

@testable import PanelLanguage

@Suite("The panel that a word of a command line means")
struct PanelPathTests {
  @Test("the name of a service is that of a panel in /etc/panel; a path, and a file that is there, is itself")
  func services() {
    #expect(PanelFile.path(ofService: "doorbell") == "/etc/panel/doorbell.panel.yaml")
    #expect(PanelFile.path(ofService: "front-door.2") == "/etc/panel/front-door.2.panel.yaml")
    // A folder is no file.
    #expect(PanelFile.path(ofService: "Sources") == "/etc/panel/Sources.panel.yaml")
    for word in ["doorbell.yaml", "./doorbell", "a/doorbell", "/tmp", "", "two words", "Package.swift"] {
      #expect(PanelFile.path(ofService: word) == word)
    }
  }

  @Test("the name of a panel is that of a file in the working directory first; a name without a panel is an error")
  func names() {
    withFiles(["lamp.panel.yaml": "panel: Lamp\ninitial: a\nstates: { a: }\n"]) { folder in
      for command in ["check", "draw", "wiring", "prove", "simulate"] {
        let result = PanelProcess.run([command, "lamp"], prefix: "cd \(folder);")
        #expect(result.status == 0, "\(command): \(result.errors)")
      }
      #expect(
        PanelProcess.run(["check", "lamp"], prefix: "cd \(folder);").output
          == "lamp.panel.yaml: Lamp: 0 inputs, 0 outputs, 0 sounds, 1 state: nothing is wrong\n")
    }
    for command in ["check", "run", "safe", "prove", "draw", "wiring", "simulate", "explore"] {
      let result = PanelProcess.run([command, "no-such-panel"])
      #expect(
        result
          == .init(
            status: 66, output: "",
            errors: "no-such-panel: no no-such-panel.panel.yaml here or in /etc/panel\n"), "\(command)")
    }
    #expect(
      PanelProcess.run(["doctor", "no-such-panel"]).output.contains("/etc/panel/no-such-panel.panel.yaml"))
  }

  @Test("- is standard input, with --name for messages and sounds")
  func standardInput() {
    let wrong = PanelProcess.run(["check", "-", "--name", "a/lamp.panel.yaml"], input: "panel: Lamp\nstates: {}\n")
    #expect(wrong.status == 65 && wrong.errors.hasPrefix("a/lamp.panel.yaml:"), "\(wrong.errors)")
    let panel = "panel: Lamp\ninitial: a\nstates: { a: }\n"
    let right = PanelProcess.run(["check", "-"], input: panel)
    #expect(right.output.hasPrefix("standard input: Lamp: "))
    for command in ["draw", "wiring", "prove"] {
      #expect(PanelProcess.run([command, "-"], input: panel).status == 0, "\(command)")
    }
    let simulated = PanelProcess.run(["simulate", "-"], input: panel)
    #expect(simulated.status == 64 && simulated.errors.contains("standard input has the steps"))
    let other = PanelProcess.run(["check", "-", "--name", "lamp.panel.yaml"], input: "\u{0}")
    #expect(other.errors == "lamp.panel.yaml:1:1: the file is not text (byte 0x00); a panel file is YAML in UTF-8\n")
  }
}
