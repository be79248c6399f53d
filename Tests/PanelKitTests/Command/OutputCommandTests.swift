import Glibc
import TestSupport
import Testing

@testable import PanelKit

@Suite("Output replaces devices: options that name a file to write")
struct OutputCommandTests {
  private static let panel = "Examples/lamp/lamp.panel.yaml"

  /// Each command that writes a file, with the recording that it takes at the end.
  private static let commands: [[String]] = [
    ["test", "Examples/lamp", "--junit"], ["recording", "export", "FILM", "--output"],
    ["recording", "cut", "FILM", "--from", "1", "--to", "1", "--output"], ["recording", "edit", "FILM", "--output"],
    ["recording", "edit", "FILM", "--save-edits"], ["wiring", panel, "-o"],
  ]

  /// Runs a command with a recording in a folder of its own, writing to a path there.
  private func run(_ command: [String], _ folder: String, to path: String) -> PanelProcess.Result {
    let recording = "\(folder)/lamp.recording"
    if bytes(of: recording) == nil {
      let made = PanelProcess.run(
        ["simulate", Self.panel, "--record", recording], input: "press key\nwait 10ms\n")
      #expect(made.status == 0, "\(made.errors)")
    }
    return PanelProcess.run(command.map { $0 == "FILM" ? recording : $0 } + [path])
  }

  private func kind(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  @Test("a pipe at the path is written and stays one", arguments: commands)
  func pipe(command: [String]) {
    withFiles { folder in
      let path = "\(folder)/out.svg"
      mkfifo(path, 0o600)
      let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      defer { close(reader) }
      let result = run(command, folder, to: path)
      #expect(result.status == 0, "\(result.errors)")
      var byte: UInt8 = 0
      #expect(kind(of: path) == S_IFIFO && read(reader, &byte, 1) == 1)
    }
  }

  @Test(
    "a link at the path stays one, and the file behind it is the new one with the mode of the old", arguments: commands)
  func link(command: [String]) {
    withFiles(["target": ""]) { folder in
      chmod("\(folder)/target", 0o600)
      symlink("target", "\(folder)/out.svg")
      let result = run(command, folder, to: "\(folder)/out.svg")
      #expect(result.status == 0, "\(result.errors)")
      var status = stat()
      #expect(stat("\(folder)/target", &status) == 0 && status.st_size > 0 && status.st_mode & 0o777 == 0o600)
      #expect(kind(of: "\(folder)/out.svg") == S_IFLNK && names(in: folder) == ["lamp.recording", "out.svg", "target"])
    }
  }

  @Test("standard output is written where a path names it, behind what has been printed")
  func standardOutput() {
    withFiles { folder in
      let command = ["recording", "export", "FILM", "--output"]
      let table = run(Array(command.dropLast()), folder, to: "--from=0s")
      let named = run(command, folder, to: "/dev/stdout")
      #expect(named == table && table.output.hasPrefix("event,seconds,"))
      let report = run(["test", "Examples/lamp", "--junit"], folder, to: "/dev/stdout").output
      #expect(report.contains(" passed, 0 failed\n<?xml version=") && report.hasSuffix("</testsuites>\n"))
    }
  }

  @Test("with - as the file, standard output has the file alone, and the other lines are on standard error")
  func dash() {
    withFiles { folder in
      let edit = ["recording", "edit", "FILM"]
      for (command, first, line) in [
        (edit + ["--output"], "{\"film\":1,", "lead to 2 frames"),
        (edit + ["note 1 \"here\"", "--save-edits"], "{\"take\":", "lead to 2 frames"),
        (["recording", "cut", "FILM", "--output"], "{\"film\":1,", "-: 2 events\n"),
        (["test", "Examples/lamp", "--junit"], "<?xml version=", " passed, 0 failed\n"),
      ] as [([String], String, String)] {
        let result = run(command, folder, to: "-")
        #expect(result.status == 0 && result.output.hasPrefix(first), "\(command): \(result)")
        #expect(result.errors.contains(line) && !result.output.contains(line), "\(command): \(result)")
      }
      #expect(names(in: folder) == ["lamp.recording"])
      #expect(run(edit + ["--output", "-", "--save-edits"], folder, to: "-").status == 64)
    }
  }

  @Test(
    "options that cannot be combined are refused",
    arguments: [
      ["wiring", panel, "--json", "--output", "/nowhere/x.svg"], ["wiring", panel, "--json", "--ascii"],
      ["wiring", panel, "--ascii", "--output", "/nowhere/x.svg"], ["draw", panel, "--dot", "-o", "/nowhere/x.svg"],
      ["recording", "print", "nothing.recording", "--raw", "--panel", "/nowhere"],
      ["test", panel, "--json", "--trace"],
      ["status", "--json", "--prometheus"],
    ])
  func combinations(command: [String]) {
    let result = PanelProcess.run(command)
    #expect(result.status == 64 && result.output == "" && result.errors.contains(" cannot be combined; "), "\(result)")
  }

  @Test("a recording with a limit goes on in the file behind a link, and what is no recording beside it is left alone")
  func limitedRecording() {
    withFiles(["target.recording": ""]) { folder in
      symlink("target.recording", "\(folder)/a.recording")
      mkdir("\(folder)/target.recording.1", 0o755)
      defer { rmdir("\(folder)/target.recording.1") }
      let arguments = ["simulate", Self.panel, "--record", "\(folder)/a.recording", "--record-limit", "1MiB"]
      let refused = PanelProcess.run(arguments, input: "wait 1ms\n")
      #expect(refused.status == 69 && refused.errors.contains("a link, a folder or a device has this name"))
      rmdir("\(folder)/target.recording.1")
      #expect(PanelProcess.run(arguments, input: "wait 1ms\n").status == 0)
      #expect(kind(of: "\(folder)/a.recording") == S_IFLNK && bytes(of: "\(folder)/target.recording")?.isEmpty == false)
    }
  }
}
