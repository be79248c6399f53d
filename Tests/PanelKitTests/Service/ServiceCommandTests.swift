import Glibc
import TestSupport
import Testing

@testable import PanelKit

@Suite("A panel as a service")
struct ServiceCommandTests {
  private static let panel = """
    panel: Small
    inputs: { bell: { button: GPIO1 } }
    outputs: { lamp: { led: GPIO10 } }
    accept: { press: [ bell ] }
    initial: idle
    states: { idle: { on: { bell.pressed: lit } }, lit: { show: { lamp: on } } }

    """

  private func withFolder(_ body: (_ folder: String, _ home: String) throws -> Void) rethrows {
    try withFiles(["small.panel.yaml": Self.panel]) { folder in
      let home = "\(folder)/small"
      mkdir(home, 0o755)
      defer {
        for name in names(in: home) { unlink("\(home)/\(name)") }
        rmdir(home)
      }
      try body(folder, home)
    }
  }

  private func start(_ folder: String, _ home: String, environment: [String] = []) -> PanelProcess {
    PanelProcess(
      [
        "run", "--gpio", "simulated", "--log-level", "info", "--socket", "\(home)/control",
        "\(folder)/small.panel.yaml",
      ],
      environment: environment)
  }

  @Test("it is ready when its first frame is shown, gives signs of life, tells its status, and that it stops")
  func notify() {
    withFolder { folder, home in
      let manager = NotifySocket(folder)
      let process = start(folder, home, environment: ["NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=100000"])
      #expect(manager.hear() == "READY=1\nSTATUS=idle; 0 events")
      #expect(manager.hear() == "WATCHDOG=1")
      #expect(manager.hear() == "WATCHDOG=1")
      #expect(PanelProcess.run(["press", "small", "bell", "--run", folder]).status == 0)
      var heard = ""
      for _ in 0..<200 where !heard.hasPrefix("STATUS") { heard = manager.hear() }
      #expect(heard == "STATUS=lit; 1 event" || heard == "STATUS=lit; 2 events")
      process.send(SIGTERM)
      for _ in 0..<200 where heard != "STOPPING=1" { heard = manager.hear() }
      #expect(heard == "STOPPING=1")
      #expect(process.finish().status == 0)
      #expect(names(in: home) == ["safe"])
    }
  }

  @Test("a watchdog that is meant for another process gets no signs of life")
  func otherProcess() {
    withFolder { folder, home in
      let manager = NotifySocket(folder)
      let process = start(
        folder, home, environment: ["NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=1000", "WATCHDOG_PID=1"])
      #expect(manager.hear().hasPrefix("READY=1"))
      process.send(SIGTERM)
      #expect(manager.hear() == "STOPPING=1")
      #expect(process.finish().status == 0)
    }
  }

  @Test("the fifth start within two minutes after four crashes is in safe mode; a stop leaves it")
  func crashes() {
    withFolder { folder, home in
      for _ in 0..<4 {
        let process = start(folder, home)
        #expect(process.readErrorLine().hasPrefix("Small: running: "))
        process.send(SIGKILL)
        #expect(process.finish().status == -9)
      }
      let safe = start(folder, home)
      let sentence = "safe mode after 4 crashes; panel reload small leaves it"
      #expect(safe.readErrorLine() == "Small: \(sentence)")
      let here = ["--run", folder, "--panels", folder]
      var status = PanelProcess.run(["status", "small"] + here)
      // The socket comes behind the line of the log.
      for _ in 0..<100 where status.status == 3 { status = PanelProcess.run(["status", "small"] + here) }
      #expect(status.output.hasPrefix(#"{"panel": "Small", "mode": "safe", "trouble": {"panel": "\#(sentence)"}"#))
      #expect(PanelProcess.run(["status"] + here).output.contains("small  safe mode  "))
      #expect(
        PanelProcess.run(["status", "--prometheus"] + here).output.contains(#"panel_safe_mode{panel="small"} 1"#))
      #expect(
        PanelProcess.run(["press", "small", "bell", "--run", folder])
          == .init(status: 70, output: "", errors: "panel press: \(sentence)\n"))
      safe.send(SIGTERM)
      #expect(safe.finish().status == 0)
      let process = start(folder, home)
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
    }
  }

  @Test(
    "second run: a panel that finds its folder in use changes nothing there, and the first one's outputs are made safe")
  func secondRun() {
    withFolder { folder, home in
      let other = Self.panel.replacing("Small", with: "Other").replacing("GPIO10", with: "GPIO11")
      save(Array(other.utf8), at: "\(folder)/other.panel.yaml")
      let first = start(folder, home)
      #expect(first.readErrorLine().hasPrefix("Small: running: "))
      let starts = bytes(of: "\(home)/starts")
      // Another name of the socket is no other folder.
      for name in ["control", "another"] {
        let second = PanelProcess.run(
          ["run", "--gpio", "simulated", "--socket", "\(home)/\(name)", "\(folder)/other.panel.yaml"])
        #expect(
          second
            == .init(
              status: 69, output: "",
              errors:
                "panel: cannot run a panel with its socket in \(home): another panel runs with that folder (EAGAIN). Stop that one, or give --socket a path in a folder of its own.\n"
            ))
      }
      #expect(bytes(of: "\(home)/starts") == starts && bytes(of: "\(home)/safe") == Array(Self.panel.utf8))
      #expect(PanelProcess.run(["press", "small", "bell", "--run", folder]).status == 0)
      first.send(SIGKILL)
      _ = first.finish()
      let safe = PanelProcess.run(["safe", "--gpio", "simulated", "--last", "\(home)/safe"])
      #expect(safe == .init(status: 0, output: "Small: every output is in its safe state\n", errors: ""))
      // What the crash has left of the lock is none.
      let next = start(folder, home)
      #expect(next.readErrorLine().hasPrefix("Small: running: "))
      next.send(SIGTERM)
      #expect(next.finish().status == 0 && names(in: home) == ["safe"])
    }
  }

  @Test("safe and starts belong to their owner whatever the umask is")
  func umask() {
    withFolder { folder, home in
      let process = PanelProcess(
        [
          "run", "--gpio", "simulated", "--log-level", "info", "--socket", "\(home)/control",
          "\(folder)/small.panel.yaml",
        ],
        prefix: "umask 0;")
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      for (name, mode) in [("safe", 0o640), ("starts", 0o640), ("lock", 0o600)] {
        var status = stat()
        #expect(stat("\(home)/\(name)", &status) == 0 && status.st_mode & 0o777 == mode, "\(name)")
      }
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
    }
  }

  @Test("a start that fails without a crash, as with a line that another program has, is none that counts")
  func failures() {
    withFolder { folder, home in
      for _ in 0..<6 {
        let result = PanelProcess.run(
          [
            "run", "--audio", "simulated", "--gpio", "real", "--socket", "\(home)/control",
            "\(folder)/small.panel.yaml",
          ])
        #expect(
          result.status == 69 || result.status == 77, "this machine has no chip, or one that it has keeps to itself")
        #expect(!result.errors.contains("safe mode"))
      }
    }
  }

  @Test("after a crash the outputs are safe by the file that was at work, whatever has become of the panel file")
  func last() {
    withFolder { folder, home in
      let file = "\(folder)/small.panel.yaml"
      let safe = { (arguments: [String]) in PanelProcess.run(["safe", "--gpio", "simulated"] + arguments) }
      let last = ["--last", "\(home)/safe"]
      let done = PanelProcess.Result(status: 0, output: "Small: every output is in its safe state\n", errors: "")
      #expect(safe(last + [file]) == done, "before the first start")
      #expect(safe(last).status == 65)
      let process = start(folder, home)
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      save(Array((Self.panel + "}\n").utf8), at: file)
      process.send(SIGKILL)
      _ = process.finish()
      #expect(safe(last + [file]) == done)
      #expect(safe(last).status == 0)
      #expect(safe([file]).status == 65)
      save(Array("panel: [".utf8), at: "\(home)/safe")
      let both = safe(last + [file])
      #expect(both.status == 65 && both.errors.contains("\(home)/safe:") && both.errors.contains("\(file):"))
      save(Array(Self.panel.utf8), at: file)
      let broken = safe(last + [file])
      #expect(broken.status == 0 && broken.errors.contains("\(home)/safe:"))
      #expect(safe([]).status == 64)
    }
  }

  @Test("after a crash, a level is safe by its sheet beside the panel file")
  func lastSheet() {
    withFolder { folder, home in
      let panel = "panel: Heat\noutputs: { heat: { level: { sheet: ours } } }\ninitial: a\nstates: { a: {} }\n"
      let sheet = PanelProcess.run(["sheets", "mcp4725"]).output.replacing("sheet: mcp4725", with: "sheet: ours")
      save(Array(panel.utf8), at: "\(folder)/heat.panel.yaml")
      save(Array(panel.utf8), at: "\(home)/safe")
      let safe = { (arguments: [String]) in
        PanelProcess.run(["safe", "--gpio", "simulated", "--i2c", "simulated", "--last", "\(home)/safe"] + arguments)
      }
      let missing = safe(["\(folder)/heat.panel.yaml"])
      #expect(missing.status != 0 && missing.errors.contains("Put ours.sheet.yaml beside the panel file."))
      save(Array(sheet.utf8), at: "\(folder)/ours.sheet.yaml")
      #expect(
        safe(["\(folder)/heat.panel.yaml"])
          == .init(status: 0, output: "Heat: every output is in its safe state\n", errors: ""))
      // The folder of the copy has no sheets.
      #expect(safe([]).errors.contains("Put ours.sheet.yaml beside the panel file."))
    }
  }

  @Test("a broken file ends the start with 65, and keeps what was accepted before")
  func broken() {
    withFolder { folder, home in
      let process = start(folder, home)
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
      save(Array((Self.panel + "}\n").utf8), at: "\(folder)/small.panel.yaml")
      let result = start(folder, home).finish()
      #expect(result.status == 65 && result.errors.contains("small.panel.yaml:"))
      #expect(bytes(of: "\(home)/safe") == Array(Self.panel.utf8))
    }
  }
}
