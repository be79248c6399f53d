import TestSupport
import Testing

@testable import PanelKit

@Suite("The panel that a word of a command line means")
struct PanelPathTests {
  @Test("a name is that of a panel in /etc/panel; a path, and a file that is there, is itself")
  func paths() {
    #expect(PanelFile.path(of: "doorbell") == "/etc/panel/doorbell.panel.yaml")
    #expect(PanelFile.path(of: "front-door.2") == "/etc/panel/front-door.2.panel.yaml")
    // A folder is no file.
    #expect(PanelFile.path(of: "Sources") == "/etc/panel/Sources.panel.yaml")
    for word in ["doorbell.yaml", "./doorbell", "a/doorbell", "/tmp", "", "two words", "Package.swift"] {
      #expect(PanelFile.path(of: word) == word)
    }
  }

  @Test("a name without a panel is told by its path")
  func missing() {
    for command in ["check", "run", "safe", "prove", "draw", "wiring", "simulate", "explore", "doctor"] {
      let result = PanelProcess.run([command, "no-such-panel"])
      #expect(result.status == (command == "doctor" ? result.status : 66), "\(command): \(result.errors)")
      #expect(
        (result.errors + result.output).contains("/etc/panel/no-such-panel.panel.yaml"),
        "\(command): \(result.errors)")
    }
  }
}
