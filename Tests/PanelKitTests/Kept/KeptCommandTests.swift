import Glibc
import HardwareDrivers
import TestSupport
import Testing

@testable import PanelKit

@Suite("panel run --state")
struct KeptCommandTests {
  private static let panel = """
    panel: Small
    inputs: { bell: { button: GPIO1 } }
    values: { rings: { initial: 0, min: 0, max: 99, keep: true } }
    accept: { set: [ rings ] }
    initial: idle
    states: { idle: }

    """

  private func withFolder(_ body: (_ folder: String, _ state: String) throws -> Void) throws {
    try withFiles([
      "small.panel.yaml": Self.panel, "plain.panel.yaml": Self.panel.replacing(each: ", keep: true", by: ""),
    ]) { folder in
      for name in ["small", "state"] { mkdir("\(folder)/\(name)", 0o755) }
      defer {
        for name in ["small", "state"] {
          for file in names(in: "\(folder)/\(name)") { unlink("\(folder)/\(name)/\(file)") }
          rmdir("\(folder)/\(name)")
        }
      }
      try body(folder, "\(folder)/state")
    }
  }

  private func start(_ folder: String, _ arguments: [String], file: String = "small") -> PanelProcess {
    PanelProcess(
      ["run", "--simulated", "--log-level", "info", "--socket", "\(folder)/small/control"] + arguments + [
        "\(folder)/\(file).panel.yaml"
      ])
  }

  private func status(_ folder: String) -> String {
    let asked = ["status", "small", "--run", folder, "--panels", folder]
    var status = PanelProcess.run(asked)
    // The socket comes behind the line of the log.
    for _ in 0..<100 where status.status == 3 { status = PanelProcess.run(asked) }
    return status.output
  }

  @Test("a stop saves what was set, and the next start has it; the folder of a panel that keeps nothing stays empty")
  func saved() throws {
    try withFolder { folder, state in
      let first = start(folder, ["--state", state])
      #expect(first.readErrorLine().hasPrefix("Small: running: "))
      #expect(status(folder).contains(#""kept": {"saved": null, "bytes": null}"#))
      #expect(PanelProcess.run(["set", "small", "rings", "12", "--run", folder]).status == 0)
      first.send(SIGTERM)
      #expect(first.finish().status == 0)
      #expect(names(in: state) == ["values"])
      #expect(bytes(of: "\(state)/values") == KeptText.bytes(of: ["rings": 12]))
      let second = start(folder, ["--state", state])
      #expect(second.readErrorLine().hasPrefix("Small: running: "))
      #expect(status(folder).contains(#""values": {"rings": 12}"#))
      second.send(SIGTERM)
      #expect(second.finish().status == 0)
      unlink("\(state)/values")
      let plain = start(folder, ["--state", state], file: "plain")
      #expect(plain.readErrorLine().hasPrefix("Small: running: "))
      #expect(PanelProcess.run(["set", "small", "rings", "12", "--run", folder]).status == 0)
      plain.send(SIGTERM)
      #expect(plain.finish().status == 0)
      #expect(names(in: state) == [])
    }
  }

  @Test("without --state it runs, warns once, and has it in its trouble")
  func nowhere() throws {
    try withFolder { folder, _ in
      let process = start(folder, [])
      #expect(process.readErrorLine() == "Small: rings: not kept: run it with --state FOLDER")
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      #expect(status(folder).contains(#""trouble": {"values": "not kept: run it with --state FOLDER"}"#))
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
    }
  }

  @Test("two panels don't keep their values in one folder: the second one doesn't start, and is not reloaded into it")
  func shared() throws {
    try withFolder { folder, state in
      let first = start(folder, ["--state", state])
      #expect(first.readErrorLine().hasPrefix("Small: running: "))
      mkdir("\(folder)/other", 0o755)
      defer {
        for file in names(in: "\(folder)/other") { unlink("\(folder)/other/\(file)") }
        rmdir("\(folder)/other")
      }
      let run = ["run", "--simulated", "--log-level", "info", "--socket", "\(folder)/other/control", "--state", state]
      let fault =
        "cannot keep values in \(state): another panel keeps its values there (EAGAIN). Stop that one, or give each panel a folder of its own: --state FOLDER.\n"
      #expect(
        PanelProcess.run(run + ["\(folder)/small.panel.yaml"])
          == .init(status: 69, output: "", errors: "panel: \(fault)"))
      #expect(names(in: "\(folder)/other") == [], "it has changed nothing")
      // One that keeps nothing has no use for the folder.
      let plain = PanelProcess(run + ["\(folder)/plain.panel.yaml"])
      #expect(plain.readErrorLine().hasPrefix("Small: running: "))
      let reload = ["reload", "other", "\(folder)/small.panel.yaml", "--run", folder]
      #expect(PanelProcess.run(reload) == .init(status: 69, output: "", errors: "panel reload: \(fault)"))
      first.send(SIGTERM)
      #expect(first.finish().status == 0)
      #expect(PanelProcess.run(reload).status == 0)
      plain.send(SIGTERM)
      #expect(plain.finish().status == 0)
      #expect(names(in: state).filter { $0 == "lock" } == [])
    }
  }

  @Test("a folder that is not there is a warning at the start, and what was kept badly another one")
  func warnings() throws {
    try withFolder { folder, state in
      let gone = start(folder, ["--state", "\(folder)/gone"])
      #expect(
        gone.readErrorLine()
          == "Small: values can't be saved in \(folder)/gone: No such file or directory. "
          + "Make the folder, and let this user write it.")
      #expect(gone.readErrorLine().hasPrefix("Small: running: "))
      gone.send(SIGTERM)
      #expect(gone.finish().status == 0)
      save(Array("panel-values 1\nrings".utf8), at: "\(state)/values")
      save(Array("other".utf8), at: "\(state)/values.old")
      let broken = start(folder, ["--state", state])
      #expect(
        broken.readErrorLine()
          == "Small: cannot use the kept values of \(state)/values.old: its first line is not \"panel-values 1\". "
          + "The panel uses the initial values.")
      #expect(broken.readErrorLine().hasPrefix("Small: running: "))
      #expect(
        status(folder).contains(
          "\"trouble\": {\"values\": \"cannot use the kept values of \(state)/values: it is cut. The panel uses the initial values.\"}"
        ))
      broken.send(SIGTERM)
      #expect(broken.finish().status == 0)
    }
  }
}
