import Glibc
import TestSupport
import Testing

@Suite("The option --record and the command panel recording replay")
struct RecordingCommandTests {
  private static func panel(tap: Int) -> String {
    """
    panel: Lamp
    inputs:
      key: { button: GPIO17 }
    outputs:
      lamp: { led: GPIO23 }
    values:
      taps: { initial: 0, min: 0, max: 9 }
    initial: dark
    states:
      dark:
        on: { key.pressed: { set: { taps: taps + \(tap) }, go: lit } }
      lit:
        show: { lamp: on }
        after: { 3s: dark }
    """
  }
  private static let steps = """
    click key
    wait 4s
    unplug gpio
    wait 1s
    plug gpio
    click key
    wait 1s

    """

  /// Recordings the panel in a folder, which also has the panel with three taps for one and the recording without its
  /// end.
  private func withRecording(_ body: (_ folder: String) throws -> Void) rethrows {
    let other = Self.panel(tap: 3)
    try withFiles(["lamp.panel.yaml": Self.panel(tap: 1), "other.panel.yaml": other]) { folder in
      let frameCodec = PanelProcess.run(
        ["simulate", "\(folder)/lamp.panel.yaml", "--record", "\(folder)/lamp.recording"], input: Self.steps)
      #expect(frameCodec.status == 0 && frameCodec.errors == "")
      try body(folder)
    }
  }

  @Test("a recording leads to the same frames again, and is the same recording again")
  func same() {
    withRecording { folder in
      let replay = PanelProcess.run(["recording", "replay", "\(folder)/lamp.recording"])
      #expect(
        replay
          == .init(status: 0, output: "\(folder)/lamp.recording: 9 events lead to the same 10 frames\n", errors: ""))
      let digest = PanelProcess.run(["recording", "replay", "--digest", "\(folder)/lamp.recording"])
      #expect(digest.status == 0 && digest.output.utf8.count == 17)
      let first = bytes(of: "\(folder)/lamp.recording")
      _ = PanelProcess.run(
        ["simulate", "\(folder)/lamp.panel.yaml", "--record", "\(folder)/lamp.recording"], input: Self.steps)
      #expect(bytes(of: "\(folder)/lamp.recording") == first)
    }
  }

  @Test("another panel file makes another frame, which is named with its numbers")
  func different() {
    withRecording { folder in
      let replay = PanelProcess.run([
        "recording", "replay", "\(folder)/lamp.recording", "--panel", "\(folder)/other.panel.yaml",
      ])
      #expect(replay.status == 1)
      #expect(
        replay.errors == """
          \(folder)/lamp.recording:4: frame 1 differs, at 0.005000000s, by event 1 of buttons: [0,"pressed"]
            taps  recorded 1  now 3

          """)
    }
  }

  @Test("a recording that was cut off is read to its last record; one that was changed, or is none, is refused")
  func damaged() throws {
    try withRecording { folder in
      let recording = try #require(bytes(of: "\(folder)/lamp.recording"))
      try write(recording.dropLast(60), to: "\(folder)/cut.recording")
      let cut = PanelProcess.run(["recording", "replay", "\(folder)/cut.recording"])
      #expect(cut.status == 0)
      #expect(cut.errors.contains("the recording ends in the middle of a line; "))

      var changed = recording
      let place = try #require(recording.lastIndex(of: UInt8(ascii: "e")))
      changed[place] ^= 1
      try write(changed[...], to: "\(folder)/changed.recording")
      #expect(PanelProcess.run(["recording", "replay", "\(folder)/changed.recording"]).status == 65)

      let none = PanelProcess.run(["recording", "replay", "\(folder)/lamp.panel.yaml"])
      #expect(none.status == 65 && none.errors.contains("lamp.panel.yaml:1: "))
      for command in ["replay", "edit", "print", "export", "scenario"] {
        #expect(PanelProcess.run(["recording", command] + ["\(folder)/nothing.recording"]).status == 66, "\(command)")
      }
      #expect(PanelProcess.run(["simulate", "--record", "/nowhere/at/all.recording"]).status == 74)

      // A file that is no recording is not overwritten.
      let panel = "\(folder)/lamp.panel.yaml"
      let before = bytes(of: panel)
      let refused = PanelProcess.run(["simulate", panel, "--record", panel])
      #expect(refused.status == 74)
      #expect(refused.errors == "\(panel): this file exists and is not a recording; name another file\n")
      #expect(bytes(of: panel) == before)
    }
  }

  @Test("a flight recorder writes a recording of the events before a trouble, and one at each SIGUSR1")
  func flight() {
    withFiles(["lamp.panel.yaml": Self.panel(tap: 1)]) { folder in
      let flight = ["--flight-recorder", "\(folder)/last.recording", "--flight-recorder-events", "2"]
      let frameCodec = PanelProcess.run(["simulate", "\(folder)/lamp.panel.yaml"] + flight, input: Self.steps)
      #expect(frameCodec.status == 0)
      #expect(frameCodec.errors == "the last events are in \(folder)/last.1.recording\n")
      let replay = PanelProcess.run(["recording", "replay", "\(folder)/last.1.recording"])
      #expect(replay.output == "\(folder)/last.1.recording: 7 events lead to the same 8 frames\n", "\(replay)")

      let running = PanelProcess(["run", "--simulated", "\(folder)/lamp.panel.yaml", "--log-level", "info"] + flight)
      _ = running.readErrors(until: "running: ")
      for number in 2...3 {
        running.send(SIGUSR1)
        #expect(running.readErrorLine() == "the last events are in \(folder)/last.\(number).recording")
      }
      running.send(SIGTERM)
      #expect(running.finish().status == 0)
      #expect(PanelProcess.run(["recording", "replay", "\(folder)/last.3.recording"]).status == 0)
    }
  }

  @Test("a recording goes on behind a power cut, with the frame of the new start")
  func powerCut() throws {
    try withFiles(["lamp.panel.yaml": Self.panel(tap: 1)]) { folder in
      let steps = "click key\nwait 1s\npower-cut 2s\nclick key\nwait 10ms\nclick key\nwait 4s\n"
      let recording = "\(folder)/lamp.recording"
      let frameCodec = PanelProcess.run(["simulate", "\(folder)/lamp.panel.yaml", "--record", recording], input: steps)
      #expect(frameCodec.status == 0 && frameCodec.errors == "", "\(frameCodec)")
      let text = String(decoding: try #require(bytes(of: recording)), as: UTF8.self)
      #expect(text.split(separator: "\n").count { $0.hasPrefix("[\"s\",") } == 1)
      #expect(text.split(separator: "\n").count { $0.hasPrefix("[\"z\",") } == 1)
      let replay = PanelProcess.run(["recording", "replay", recording])
      #expect(replay.status == 0, "\(replay)")
    }
  }

  @Test("the recording of a panel that stopped because of a violation ends by an error")
  func violation() throws {
    let panel = Self.panel(tap: 1) + "\nnever: { tapped: taps == 1 }\n"
    try withFiles(["lamp.panel.yaml": panel]) { folder in
      let recording = "\(folder)/lamp.recording"
      _ = PanelProcess.run(
        ["simulate", "\(folder)/lamp.panel.yaml", "--record", recording], input: "click key\nwait 1s\n")
      let text = String(decoding: try #require(bytes(of: recording)), as: UTF8.self)
      #expect(text.split(separator: "\n").last?.contains(",\"error\",") == true, "\(text.suffix(100))")
      #expect(PanelProcess.run(["recording", "replay", recording]).status == 0)
    }
  }

  @Test("a recording is printed, a part of it is a recording of its own, and its events are a table")
  func parts() {
    withRecording { folder in
      let recording = "\(folder)/lamp.recording"
      let print = PanelProcess.run(["recording", "print", recording, "--to", "2"])
      #expect(
        print
          == .init(
            status: 0,
            output: """
              \(recording): Lamp, recorded by panel 0.1.0, virtual clock
              0.000s  0  state=dark  lamp=off  taps=0
              0.005s  1  key.pressed  dark -> lit  lamp=on  taps=1
              0.055s  2  key.released

              """, errors: ""))
      let listing = PanelProcess.run(["recording", "print", "--raw", recording, "--from", "1", "--to", "2"])
      let lines = listing.output.split(separator: "\n")
      #expect(
        listing.status == 0
          && lines[0].hasSuffix("Lamp, recorded by panel 0.1.0, virtual clock, lenses: buttons, leds, timer"))
      #expect(
        lines.contains {
          $0.hasPrefix("0.005s  1  buttons: [0,\"pressed\"]  frame 1: state 1 → 2, ") && $0.contains(", taps 0 → 1")
        }, "\(listing.output)")

      let part = "\(folder)/part.recording"
      let cutting = PanelProcess.run(["recording", "cut", recording, "--from", "3", "--to", "5s", "--output", part])
      #expect(cutting == .init(status: 0, output: "\(part): 3 events\n", errors: ""))
      #expect(
        PanelProcess.run(["recording", "replay", part]).output == "\(part): 3 events lead to the same 4 frames\n")
      // A part can take the place of the recording.
      #expect(PanelProcess.run(["recording", "cut", part, "--from", "4", "--output", part]).status == 0)
      #expect(PanelProcess.run(["recording", "replay", part]).status == 0)
      let none = PanelProcess.run(["recording", "cut", recording, "--from", "1d", "--output", part])
      #expect(none.status == 64)
      let empty = PanelProcess.run(["recording", "cut", recording, "--from", "99", "--output", part])
      #expect(empty.status == 1)
      #expect(empty.errors == "\(recording): no event is there; name others with --from and --to\n")
      #expect(names(in: folder) == ["lamp.panel.yaml", "lamp.recording", "other.panel.yaml", "part.recording"])

      let table = PanelProcess.run(["recording", "export", recording, "--to", "1"]).output.split(separator: "\r\n")
      #expect(table.count == 2 && table[0].hasPrefix("event,seconds,kind,lens,value,frame,state,"))
      #expect(table[1].hasPrefix("1,0.005000000,event,buttons,\"[0,\"\"pressed\"\"]\",1,2,"))
      #expect(PanelProcess.run(["recording", "export", recording, "--output", "\(folder)/lamp.csv"]).status == 0)
      #expect(bytes(of: "\(folder)/lamp.csv")?.starts(with: Array(table[0].utf8)) == true)
      #expect(PanelProcess.run(["recording", "play", recording]).status == 64)
    }
  }

  @Test("an option that lacks another, or has a wrong value, is refused")
  func wrongOptions() {
    func errors(_ arguments: String...) -> String {
      let result = PanelProcess.run(["simulate"] + arguments)
      #expect(result.status == 64)
      return String(result.errors.prefix { $0 != "\n" })
    }
    #expect(errors("--record-limit", "2MiB") == "panel simulate: --record-limit needs --record")
    #expect(
      errors("--flight-recorder-events", "5") == "panel simulate: --flight-recorder-events needs --flight-recorder")
    #expect(
      errors("--record", "x", "--record-limit", "9KiB")
        == "panel simulate: --record-limit must be a size of 1MiB or more, such as 64MiB, not \"9KiB\"")
    #expect(
      errors("--flight-recorder", "x", "--flight-recorder-events", "0")
        == "panel simulate: --flight-recorder-events must be a whole number from 1 to 100000, not \"0\"")
  }

  private func write(_ bytes: ArraySlice<UInt8>, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
  }
}
