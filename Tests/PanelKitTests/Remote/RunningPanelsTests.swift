import Glibc
import Testing

@testable import HardwareLinux
@testable import PanelKit
@testable import Terminal

@Suite("The panels of a machine")
struct RunningPanelsTests {
  /// Lists folders of the test; nil for one that this user may not look at. Another one is not there.
  private static func panels(_ folders: [String: [String]?], systemd text: String? = nil) -> RunningPanels {
    RunningPanels(
      run: "/run", files: "/files",
      list: { (folder) throws(SystemFailure) in
        guard let names = folders[folder] else { throw SystemFailure(function: "opendir", number: ENOENT) }
        guard let names else { throw SystemFailure(function: "opendir", number: EACCES) }
        return names
      }, printed: { $0.contains("panel@lamp") ? text : nil })
  }

  @Test("those with a file and those with a socket are listed; what a stop has left of another one is not")
  func names() throws {
    let panels = Self.panels([
      "/files": ["bell.panel.yaml", "sounds"], "/run": ["door", "gone", "closed"], "/run/door": ["control", "safe"],
      "/run/gone": ["safe"], "/run/closed": nil,
    ])
    #expect(try panels.names() == ["bell", "closed", "door"])
    #expect(try Self.panels([:]).names() == [])
  }

  @Test("whoever may not look for panels is told so, and not that there are none")
  func forbidden() {
    do {
      let names = try Self.panels(["/files": nil]).names()
      Issue.record("it lists \(names)")
    } catch let end as CommandEnd {
      #expect(end.status == 77)
      #expect(
        end.text
          == "cannot look for panels in /files: permission denied (EACCES). Join the panel's group and log in again: `sudo adduser $USER panel`."
      )
    } catch {
      Issue.record(error)
    }
  }

  @Test("a panel that doesn't run has a journal, or no file and perhaps a name like it")
  func absence() {
    let panels = Self.panels(["/files": ["lamp.panel.yaml"]])
    #expect(panels.absence(of: "lamp") == "not running; journal: journalctl -u panel@lamp -n 20")
    #expect(
      panels.absence(of: "lmap") == "not running, and there is no /files/lmap.panel.yaml; did you mean lamp?")
    let failing = Self.panels(["/files": ["lamp.panel.yaml"]], systemd: "NRestarts=7\nSubState=auto-restart\n")
    #expect(
      failing.absence(of: "lamp")
        == "not running: it fails again and again, 7 restarts so far; journal: journalctl -u panel@lamp -n 20")
    let stopped = Self.panels(["/files": ["lamp.panel.yaml"]], systemd: "NRestarts=7\nSubState=dead\n")
    #expect(stopped.absence(of: "lamp") == "not running; journal: journalctl -u panel@lamp -n 20")
    #expect(panels.absence(of: "garage") == "not running, and there is no /files/garage.panel.yaml")
    // Nothing is known of files that nobody may look at.
    #expect(Self.panels(["/files": nil]).absence(of: "lmap") == "not running; journal: journalctl -u panel@lmap -n 20")
  }
}
