import Glibc
import HardwarePlatform
import TestSupport
import Testing

@testable import PanelKit

@Suite("The commands that ask a running panel")
struct ControlCommandTests {
  private static let panel = """
    panel: Small
    inputs: { bell: { button: GPIO1 }, knob: { encoder: [GPIO2, GPIO3] } }
    outputs: { lamp: { led: GPIO10 } }
    values: { level: { initial: 7, min: -5, max: 10 } }
    accept: { set: [ level ], press: [ bell ], turn: [ knob ] }
    on: { knob.clockwise: { set: { level: +1 } }, knob.counterclockwise: { set: { level: -1 } } }
    initial: idle
    states: { idle: { on: { bell.clicked: lit } }, lit: { show: { lamp: on } } }

    """

  /// Runs a panel with a socket, and removes what it leaves.
  private func withPanel(
    _ options: [String] = [], _ body: (_ process: PanelProcess, _ run: String, _ file: String) throws -> Void
  ) throws {
    try withFiles(["small.panel.yaml": Self.panel]) { folder in
      let home = "\(folder)/small"
      mkdir(home, 0o755)
      defer {
        for name in names(in: home) { unlink("\(home)/\(name)") }
        rmdir(home)
      }
      let process = PanelProcess(
        ["run", "--gpio", "simulated", "--log-level", "info", "--socket", "\(home)/control"] + options
          + ["\(folder)/small.panel.yaml"])
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      try body(process, folder, "\(folder)/small.panel.yaml")
    }
  }

  @Test("they look, watch, press, turn and set, and end with the code of the answer; the panel logs who it was")
  func commands() throws {
    try withPanel { process, run, _ in
      let here = ["--run", run]
      func ask(_ words: String) -> PanelProcess.Result {
        PanelProcess.run(words.split(separator: " ").map(String.init) + here)
      }
      let watch = PanelProcess(["watch", "small"] + here)
      #expect(watch.readLine().hasPrefix(#"{"state": {"main": "idle"}"#))
      #expect(ask("press small bell") == .init(status: 0, output: "", errors: ""))
      #expect(watch.readLine().contains(#""bell": "pressed""#))
      #expect(watch.readLine().contains(#""bell": "released""#))
      #expect(watch.readLine() == #"{"state": {"main": "lit"}, "outputs": {"lamp": "on"}}"#)
      #expect(ask("set small level = -2").status == 0)
      #expect(ask("set small level -1").status == 0)
      #expect(ask("turn small knob -2").status == 0)
      #expect(watch.readLine() == #"{"values": {"level": -2}}"#)
      #expect(watch.readLine() == #"{"values": {"level": -3}}"#)
      #expect(watch.readLine() == #"{"values": {"level": -4}}"#)
      #expect(watch.readLine() == #"{"values": {"level": -5}}"#)
      #expect(
        ask("set small level 11")
          == .init(status: 65, output: "", errors: "panel set: level is -5 to 10; 11 is outside\n"))
      #expect(ask("press small knob").status == 65)
      #expect(ask("log small warning").status == 0)
      let status = ask("status small")
      #expect(status.status == 0 && status.output.contains(#""main": "lit""#))
      #expect(ask("status small --prometheus").output.contains("panel_value{panel=\"small\",name=\"level\"} -"))
      process.send(SIGTERM)
      #expect(watch.finish() == .init(status: 0, output: "", errors: ""))
      let errors = process.finish().errors
      #expect(errors.contains("Small: click bell, asked for by uid \(getuid()), pid "))
      #expect(errors.contains("Small: set level = -2, asked for by uid \(getuid()), pid "))
      #expect(!errors.contains("stopped"), "that is told at info, and the level is warning by then")
    }
  }

  @Test("the table has all panels, and ends with 3 if one doesn't run")
  func table() throws {
    try withPanel { process, folder, _ in
      let here = ["--run", folder, "--panels", folder]
      let running = PanelProcess.run(["status"] + here)
      let lines = running.output.split(separator: "\n")
      #expect(running.status == 0 && lines.count == 2)
      #expect(
        lines.first == "PANEL  STATE  IN STATE  UPTIME  EVENTS  FAULT"
          && lines.last?.hasPrefix("small  idle   ") == true)
      for words in [["status", "--json"], ["status", "small", "--json"]] {
        let result = PanelProcess.run(words + here)
        #expect(result.status == 0 && result.errors == "")
        #expect(
          result.output.hasPrefix(#"{"panel": "small", "running": true, "state": "idle", "uptime_s": "#)
            && result.output.hasSuffix(#", "trouble": ""}"# + "\n"))
      }
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
      let absent = PanelProcess.run(["status"] + here)
      #expect(absent.status == 3)
      #expect(absent.output.hasSuffix("\nsmall  not running; journal: journalctl -u panel@small -n 20\n"))
      #expect(
        PanelProcess.run(["status", "small"] + here)
          == .init(status: 3, output: "", errors: "small: not running; journal: journalctl -u panel@small -n 20\n"))
      let fault = "not running; journal: journalctl -u panel@small -n 20"
      let object = #"{"panel": "small", "running": false, "fault": ""# + fault + #""}"#
      for words in [["status", "--json"], ["status", "small", "--json"]] {
        #expect(PanelProcess.run(words + here) == .init(status: 3, output: "\(object)\n", errors: ""))
      }
      #expect(PanelProcess.run(["press", "small", "bell", "--run", folder]).status == 3)
      #expect(PanelProcess.run(["status", "../x"] + here).status == 64)
      #expect(
        PanelProcess.run(["status", "small", "--prometheus"] + here)
          == .init(status: 3, output: "panel_up{panel=\"small\"} 0\n", errors: ""))
    }
    try withPanel { process, folder, _ in
      let here = ["--run", folder, "--panels", folder]
      let misspelt = PanelProcess.run(["status", "smal"] + here)
      #expect(
        misspelt
          == .init(
            status: 3, output: "",
            errors: "smal: not running, and there is no \(folder)/smal.panel.yaml; did you mean small?\n"))
      // What is left of a panel that was stopped amid a restart.
      mkdir("\(folder)/gone", 0o755)
      save([], at: "\(folder)/gone/safe")
      #expect(!PanelProcess.run(["status"] + here).output.contains("gone"))
      unlink("\(folder)/gone/safe")
      rmdir("\(folder)/gone")
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
    }
    let none = PanelProcess.run(["status", "--run", "/nowhere", "--panels", "/nowhere"])
    #expect(none == .init(status: 0, output: "no panel in /nowhere, and none runs in /nowhere\n", errors: ""))
  }

  @Test("status hides all: a panel that stands still has a row, and so have the others; Prometheus keeps their numbers")
  func standsStill() throws {
    try withPanel { process, folder, file in
      mkdir("\(folder)/still", 0o755)
      defer {
        for name in names(in: "\(folder)/still") { unlink("\(folder)/still/\(name)") }
        rmdir("\(folder)/still")
      }
      let still = PanelProcess(
        ["run", "--gpio", "simulated", "--log-level", "info", "--socket", "\(folder)/still/control", file])
      #expect(still.readErrorLine().hasPrefix("Small: running: "))
      let here = ["--run", folder, "--panels", folder]
      still.send(SIGSTOP)
      // All of them wait side by side.
      let table = PanelProcess(["status"] + here)
      let numbers = PanelProcess(["status", "--prometheus"] + here)
      let alone = PanelProcess(["status", "still"] + here)
      let objects = PanelProcess(["status", "--json"] + here)
      let object = PanelProcess(["status", "still", "--json"] + here)
      let (rows, rest) = (table.finish(), numbers.finish())
      let lines = rows.output.split(separator: "\n")
      #expect(rows.status == 69 && rows.errors == "")
      try #require(lines.count == 3, "\(rows.output)")
      #expect(lines[1].hasPrefix("small  idle   ") && lines[2] == "still  doesn't answer (5 s)")
      #expect(rest.status == 69 && rest.errors == "still: doesn't answer (5 s)\n")
      #expect(
        rest.output.contains(#"panel_up{panel="small"} 1"#) && rest.output.contains(#"panel_up{panel="still"} 0"#))
      #expect(alone.finish() == .init(status: 69, output: "", errors: "still: doesn't answer (5 s)\n"))
      let silent = #"{"panel": "still", "running": true, "fault": "doesn't answer (5 s)"}"# + "\n"
      #expect(object.finish() == .init(status: 69, output: silent, errors: ""))
      let all = objects.finish()
      #expect(all.output.hasPrefix(#"{"panel": "small", "running": true, "state": "idle""#))
      #expect(all.status == 69 && all.errors == "" && all.output.hasSuffix("}\n\(silent)"))
      still.send(SIGCONT)
      for one in [still, process] {
        one.send(SIGTERM)
        #expect(one.finish().status == 0)
      }
    }
  }

  @Test("a line for Prometheus is one of the panel's own numbers, or it is left out")
  func numbers() {
    for line in [
      #"panel_up{panel="a"} 1"#, #"panel_value{panel="a",name="level"} -7"#,
      #"panel_state{panel="a",region="main",state="x \"y\" \\ \n}"} 1"#,
    ] { #expect(PrometheusNumbers.isNumber(line, of: "a"), "\(line)") }
    for line in [
      "", "panel_up 1", #"panel_up{panel="b"} 1"#, #"panel_up{panel="a"} 1 2"#, #"panel_up{panel="a"} "#,
      #"panel_up{panel="a"} x"#, #"panel_up{panel="a",x="y} 1"#, #"panel_up{panel="a",x="\q"} 1"#,
      #"node_load{panel="a"} 1"#, #"panel_up{panel="a"} 1\n"#, "panel_up{panel=\"a\",x=\"\u{1B}[2J\"} 1",
      #"panel_up{panel="a"}panel_up{panel="b"} 1"#,
    ] { #expect(!PrometheusNumbers.isNumber(line, of: "a"), "\(line)") }
  }

  @Test("the level that others choose hides nothing of what they do")
  func hiddenPresses() throws {
    try withPanel { process, run, _ in
      for words in ["log small error", "press small bell", "log small warning"] {
        #expect(PanelProcess.run(words.split(separator: " ").map(String.init) + ["--run", run]).status == 0)
      }
      process.send(SIGTERM)
      let errors = process.finish().errors
      #expect(errors.contains("Small: click bell, asked for by uid \(getuid()), pid "))
      #expect(errors.contains("Small: log warning, asked for by uid \(getuid()), pid ") && !errors.contains("stopped"))
    }
  }

  @Test("a socket that can't be there keeps the panel from running", arguments: ["/nowhere/control"])
  func noFolder(path: String) {
    withFiles(["small.panel.yaml": Self.panel]) { folder in
      let result = PanelProcess.run(
        ["run", "--gpio", "simulated", "--socket", path, "\(folder)/small.panel.yaml"])
      #expect(
        result
          == .init(
            status: 74, output: "",
            errors:
              "/nowhere: No such file or directory; give --socket a path in a folder that is there and that this user may write to\n"
          ))
    }
  }

  @Test("a panel that has no descriptor left for a connection says so, and tries again without haste")
  func noDescriptor() throws {
    try withFiles(["small.panel.yaml": Self.panel]) { folder in
      defer { for name in ["control", "safe", "starts"] { unlink("\(folder)/\(name)") } }
      // The fewest with which it runs: none is left then.
      for limit in 6...40 {
        let process = PanelProcess(
          [
            "run", "--gpio", "simulated", "--log-level", "info", "--socket", "\(folder)/control",
            "\(folder)/small.panel.yaml",
          ],
          prefix: "ulimit -n \(limit);")
        guard process.readErrorLine().hasPrefix("Small: running: ") else {
          _ = process.finish()
          continue
        }
        let client = try #require(try ControlClient(to: "\(folder)/control"))
        #expect(process.readErrorLine() == "control: no connection can be accepted (EMFILE); tried again in 1 s")
        process.send(SIGTERM)
        let result = process.finish()
        #expect(result.status == 0 && result.errors.split(separator: "\n").count <= 3)
        withExtendedLifetime(client) {}
        return
      }
      Issue.record("the panel runs with no limit")
    }
  }

  @Test("lines of Prometheus stand together by their numbers, and seconds are said as people do")
  func words() {
    #expect(Status.grouped(["a{x} 1", "b{x} 1", "a{y} 2"]) == ["a{x} 1", "a{y} 2", "b{x} 1"])
    #expect([59, 185, 7_260, 273_600].map(Status.time) == ["59s", "3m 5s", "2h 1m", "3d 4h"])
  }
}
