import Glibc
import TestSupport
import Testing

/// Readers of the command's output that are slow, stop reading, or go away. What shows that a panel has come to its
/// safe state is the WAV file that it plays into: its header has the right sizes then.
@Suite("Readers that don't read", .serialized)
struct StreamTests {
  /// Tells something on the level info 2 000 times a second, and sounds all the time.
  static let talkative = """
    panel: Talkative
    outputs: { lamp: { led: GPIO23 } }
    sounds: { hum: { tone: 440Hz, volume: 0.1 } }
    initial: a
    states:
      a: { show: { lamp: on }, play: [ hum ], after: { 0.5ms: b } }
      b: { play: [ hum ], after: { 0.5ms: a } }

    """

  private func withPanel<Value>(
    _ text: String = talkative, _ body: (_ folder: String, _ arguments: [String]) throws -> Value
  ) rethrows -> Value {
    try withFiles(["p.panel.yaml": text]) { folder in
      try body(
        folder,
        [
          "run", "\(folder)/p.panel.yaml", "--gpio", "simulated", "--audio", "\(folder)/out.wav", "--log-level",
          "debug",
        ])
    }
  }

  /// Waits until the panel sounds: the file has samples, and its header does not know yet.
  private func waitForSound(_ folder: String) {
    for _ in 0..<2000 {
      if (bytes(of: "\(folder)/out.wav") ?? []).count > 10_000 { return }
      usleep(10_000)
    }
  }

  /// Whether the panel came to its end in good order: the header counts the samples.
  private func isWhole(_ folder: String) -> Bool {
    guard let wav = bytes(of: "\(folder)/out.wav"), wav.count > 44 else { return false }
    let size = wav[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
    return size == wav.count - 44
  }

  @Test("a panel goes on while standard error is a full pipe, and SIGTERM ends it", arguments: [false, true])
  func fullPipe(isNonBlocking: Bool) {
    withPanel { folder, arguments in
      let panel = PanelProcess(arguments, errors: .fullPipe(isNonBlocking: isNonBlocking))
      waitForSound(folder)
      panel.send(SIGTERM)
      #expect(panel.end(within: 120) == 0)
      #expect(isWhole(folder))
    }
  }

  @Test("what was told meanwhile is dropped beyond a bound, and how much is told when somebody reads again")
  func droppedLines() {
    withPanel { folder, arguments in
      let panel = PanelProcess(arguments, errors: .fullPipe(isNonBlocking: false))
      waitForSound(folder)
      // 64 KiB are about 2 000 lines: after three seconds more have been told.
      usleep(3_000_000)
      let errors = panel.readErrors(until: "not written")
      #expect(errors.hasPrefix("Talkative: "))
      let lines = errors.split(separator: "\n")
      #expect(lines.last?.hasPrefix("panel: ") == true)
      #expect(lines.last?.hasSuffix(" lines not written: standard error was not read") == true)
      // It goes on.
      #expect(panel.readErrorLine() != "")
      panel.send(SIGTERM)
      #expect(panel.end(within: 120) == 0)
    }
  }

  @Test("a reader of standard error that goes away ends nothing")
  func goneReader() {
    withPanel { folder, arguments in
      let panel = PanelProcess(arguments)
      #expect(panel.readErrorLine().hasPrefix("Talkative: "))
      panel.closeErrors()
      waitForSound(folder)
      panel.send(SIGTERM)
      #expect(panel.end(within: 120) == 0)
      #expect(isWhole(folder))
    }
  }

  @Test("a terminal that hangs up and Ctrl-\\ end a panel as SIGTERM does", arguments: [SIGHUP, SIGQUIT])
  func otherSignals(_ signal: Int32) {
    withPanel { folder, arguments in
      let panel = PanelProcess(arguments + ["--log-level", "error"])
      waitForSound(folder)
      panel.send(signal)
      #expect(panel.end(within: 120) == 0)
      #expect(isWhole(folder))
    }
  }

  @Test("SIGHUP stays ignored where the panel was started so, as by nohup")
  func nohup() {
    withPanel { folder, arguments in
      let panel = PanelProcess(arguments + ["--log-level", "error"], prefix: "trap '' HUP;")
      waitForSound(folder)
      panel.send(SIGHUP)
      usleep(200_000)
      panel.send(SIGTERM)
      #expect(panel.end(within: 120) == 0)
    }
  }

  @Test("a file that may not grow is trouble with the sound, and not the end of the panel")
  func limitOfFiles() {
    // The trouble is an event after those that are due before it: a machine that falls behind 2 000 a second never
    // comes to it.
    let quiet = Self.talkative.split(separator: "0.5ms").joined(separator: "500ms")
    withPanel(quiet) { _, arguments in
      let panel = PanelProcess(arguments + ["--log-level", "warning"], prefix: "ulimit -f 128;")
      let errors = panel.readErrors(until: "audio lost")
      #expect(errors.contains("audio lost: cannot write"))
      panel.send(SIGTERM)
      panel.closeErrors()
      #expect(panel.end(within: 120) == 0)
    }
  }

  @Test("standard output that can't be written is told, and ends with 74")
  func fullDisk() {
    for command in Self.printing {
      let result = PanelProcess.run(command, prefix: "exec >/dev/full;")
      #expect(result.status == 74)
      #expect(
        result.errors
          == "panel: cannot write standard output: No space left on device. Free some space, or write it elsewhere.\n")
    }
  }

  /// Commands that print lines, or write a file to standard output.
  private static let printing = [
    ["check", CommandTests.doorbell], ["simulate", CommandTests.doorbell], ["schema"],
    ["wiring", CommandTests.doorbell, "-o", "-"],
    ["recording", "print", recording], ["recording", "export", recording],
    ["recording", "export", recording, "-o", "/dev/stdout"],
    ["recording", "scenario", recording],
  ]
  private static let recording = "Tests/Recordings/doorbell-0.1.recording"

  @Test("a reader of standard output that has gone away took what it wanted", arguments: printing)
  func goneOutput(command: [String]) {
    // The reader goes while the shell sleeps, before the command writes.
    let process = PanelProcess(command, prefix: "sleep 0.3;")
    process.closeOutput()
    process.write("show\n")
    process.closeInput()
    #expect(process.end(within: 20) == 0)
    #expect(process.readErrors(until: "panel") == "")
  }

  @Test("standard streams that are closed are nobody's: nothing is written into a file that took their number")
  func closedStreams() {
    withPanel { folder, arguments in
      let panel = PanelProcess(arguments, prefix: "exec <&- >&- 2>&-;")
      waitForSound(folder)
      panel.send(SIGTERM)
      #expect(panel.end(within: 120) == 0)
      #expect(isWhole(folder))
      let wav = bytes(of: "\(folder)/out.wav") ?? []
      #expect(wav.starts(with: Array("RIFF".utf8)))
    }
  }

  @Test("a signal ends a long wait in virtual time", arguments: [SIGINT, SIGTERM])
  func longWait(_ signal: Int32) {
    withFiles([
      "blink.panel.yaml":
        "panel: B\noutputs: { l: { led: GPIO1 } }\ninitial: a\nstates: { a: { show: { l: { blink: 1ms } } } }\n"
    ]) { folder in
      let panel = PanelProcess(["simulate", "\(folder)/blink.panel.yaml"])
      #expect(panel.readLine() == "B")
      panel.write("wait 1000000m\n")
      usleep(300_000)
      panel.send(signal)
      #expect(panel.end(within: 120) == 0)
    }
  }

  @Test("steps lose no line to a slow reader, and a signal ends them while nobody reads")
  func slowReader() {
    let steps = String(repeating: "show\n", count: 3000)
    let result = PanelProcess.run(["simulate", CommandTests.doorbell], input: steps)
    #expect(result.output.split(separator: "\n").count == 3002)
    let panel = PanelProcess(["simulate", CommandTests.doorbell])
    #expect(panel.readLine() == "Doorbell")
    panel.write(steps)
    usleep(500_000)
    panel.send(SIGTERM)
    #expect(panel.end(within: 120) == 0)
  }
}
