import Glibc
import TestSupport
import Testing

@testable import PanelLanguage

@Suite("A running panel that is told to go on with another file")
struct ReloadCommandTests {
  private static let panel = """
    panel: Small
    inputs: { bell: { button: GPIO1 } }
    outputs: { lamp: { led: GPIO10 } }
    values: { rings: { initial: 0, min: 0, max: 99 } }
    initial: idle
    states:
      idle: { on: { bell.pressed: { set: { rings: +1 }, go: lit } } }
      lit: { show: { lamp: on } }

    """
  private static let accepting = panel + "accept: { press: [ bell ] }\n"

  private func withFolder(_ body: (_ file: String, _ home: String, _ here: [String]) throws -> Void) rethrows {
    try withFiles(["small.panel.yaml": Self.panel]) { folder in
      let home = "\(folder)/small"
      mkdir(home, 0o755)
      defer {
        for name in names(in: home) { unlink("\(home)/\(name)") }
        rmdir(home)
      }
      try body("\(folder)/small.panel.yaml", home, ["--run", folder])
    }
  }

  private func start(_ file: String, _ home: String, environment: [String] = []) -> PanelProcess {
    PanelProcess(
      ["run", "--gpio", "simulated", "--log-level", "info", "--socket", "\(home)/control", file],
      environment: environment)
  }

  private func text(_ path: String) -> String {
    (try? TextFile.read(path: path, what: "text")).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test("d3: what the file accepts now is done, what it didn't before is refused")
  func accept() {
    withFolder { file, home, here in
      let process = start(file, home)
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      let press = ["press", "small", "bell"] + here
      #expect(PanelProcess.run(press).status == 77)
      save(Array(Self.accepting.utf8), at: file)
      #expect(
        PanelProcess.run(["reload", "small"] + here)
          == .init(
            status: 0,
            output: "line GPIO1 kept\nline GPIO10 kept\nvalue rings kept 0\nstate main kept idle\n", errors: ""))
      #expect(PanelProcess.run(press) == .init(status: 0, output: "", errors: ""))
      #expect(text("\(home)/safe") == Self.accepting)
      process.send(SIGTERM)
      let result = process.finish()
      #expect(result.status == 0)
      #expect(result.errors.contains("Small: reload, asked for by uid "))
      #expect(result.errors.contains("Small: reloaded from \(file)"))
    }
  }

  @Test("d6: a wrong file changes nothing and says where it is wrong; one with a lamp more keeps the rest")
  func wrong() {
    withFolder { file, home, here in
      save(Array(Self.accepting.utf8), at: file)
      let process = start(file, home)
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      #expect(PanelProcess.run(["press", "small", "bell"] + here).status == 0)
      save(Array((Self.accepting + "}\n").utf8), at: file)
      let broken = PanelProcess.run(["reload", "small"] + here)
      #expect(broken.status == 65)
      #expect(broken.errors.hasPrefix("\(file):10:1: "))
      #expect(broken.errors.hasSuffix("panel reload: nothing has changed\n"))
      let sound = Self.accepting.replacing("outputs:", with: "sounds: { ding: { file: none.wav } }\noutputs:")
      save(Array(sound.utf8), at: file)
      #expect(PanelProcess.run(["reload", "small"] + here).status == 65)
      #expect(PanelProcess.run(["reload", "small", "/none.panel.yaml"] + here).status == 66)
      #expect(text("\(home)/safe") == Self.accepting)
      let status = PanelProcess.run(["status", "small"] + here).output
      #expect(status.contains(#""main": "lit""#) && status.contains(#""rings": 1"#))
      let more = Self.accepting.replacing("led: GPIO10 }", with: "led: GPIO10 }, more: { led: GPIO11 }")
      save(Array(more.utf8), at: "\(file).new")
      #expect(
        PanelProcess.run(["reload", "small", "\(file).new"] + here).output
          == "line GPIO1 kept\nline GPIO10 kept\nline GPIO11 new\nvalue rings kept 1\nstate main kept lit\n")
      #expect(PanelProcess.run(["status", "small"] + here).output.contains("\"file\": \"\(file).new\""))
      unlink("\(file).new")
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
    }
  }

  @Test("a recording ends with a reload, and another one begins; both replay")
  func recordings() {
    withFolder { file, home, here in
      save(Array(Self.accepting.utf8), at: file)
      let recording = "\(home)/a.recording"
      let process = PanelProcess([
        "run", "--gpio", "simulated", "--log-level", "info", "--socket", "\(home)/control", "--record", recording, file,
      ])
      #expect(process.readErrorLine().hasPrefix("Small: running: "))
      #expect(PanelProcess.run(["press", "small", "bell"] + here).status == 0)
      let more = Self.accepting.replacing("led: GPIO10 }", with: "led: GPIO10 }, more: { led: GPIO11 }")
        .replacing("lit: { show: { lamp: on } }", with: "lit: { show: { lamp: on }, on: { bell.pressed: idle } }")
      save(Array(more.utf8), at: file)
      #expect(PanelProcess.run(["reload", "small"] + here).status == 0)
      #expect(PanelProcess.run(["press", "small", "bell"] + here).status == 0)
      process.send(SIGTERM)
      #expect(process.finish().status == 0)
      let last = { text($0).split(separator: "\n").last ?? "" }
      #expect(last(recording).contains("reloaded"))
      #expect(last("\(home)/a.reload-1.recording").contains("signal"))
      for recording in [recording, "\(home)/a.reload-1.recording"] {
        let replay = PanelProcess.run(["recording", "replay", recording])
        #expect(replay.status == 0, "\(recording): \(replay.errors)")
      }
    }
  }

  @Test("d8: a good file ends safe mode, a wrong one doesn't")
  func safeMode() {
    withFolder { file, home, here in
      for _ in 0..<4 {
        let process = start(file, home)
        #expect(process.readErrorLine().hasPrefix("Small: running: "))
        process.send(SIGKILL)
        _ = process.finish()
      }
      let manager = NotifySocket(home)
      let safe = start(file, home, environment: ["NOTIFY_SOCKET=\(manager.path)"])
      let sentence = "safe mode after 4 crashes; panel reload small leaves it"
      #expect(safe.readErrorLine() == "Small: \(sentence)")
      #expect(manager.hear() == "READY=1\nSTATUS=\(sentence)")
      save(Array("panel: [".utf8), at: file)
      #expect(PanelProcess.run(["reload", "small"] + here).status == 65)
      #expect(PanelProcess.run(["status", "small"] + here).output.contains(#""mode": "safe""#))
      save(Array(Self.accepting.utf8), at: file)
      #expect(
        PanelProcess.run(["reload", "small"] + here) == .init(status: 0, output: "safe mode left\n", errors: ""))
      // Its socket is there without a gap.
      #expect(PanelProcess.run(["status", "small"] + here).output.contains(#""state": {"main": "idle"}"#))
      #expect(safe.readErrorLine().hasPrefix("Small: running: "))
      // A manager that is told of an end kills what has not ended in time.
      #expect(manager.hear() == "READY=1\nSTATUS=idle; 0 events")
      #expect(PanelProcess.run(["press", "small", "bell"] + here).status == 0)
      #expect(PanelProcess.run(["status", "small"] + here).output.contains(#""crashes": 0"#))
      safe.send(SIGTERM)
      #expect(safe.finish().status == 0)
    }
  }
}
