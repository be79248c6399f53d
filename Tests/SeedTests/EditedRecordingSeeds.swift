import CycleCore
import TestSupport
import Testing

/// What CycleMonitor edits, approves and exports, and what its README promises.
@Suite("Takes: every case")
struct EditedRecordingSeeds {
  private typealias Counter = MomentSeeds.Frame

  /// A lamp that a key lights for 3 s; it must never be lit for the ninth time.
  private static let panel = """
    panel: Lamp
    inputs:
      key: { button: GPIO17 }
    outputs:
      lamp: { led: GPIO23 }
    values:
      taps: { initial: 0, min: 0, max: 9 }
    never:
      worn: taps == 9 and state == lit
    initial: dark
    states:
      dark:
        on: { key.pressed: { set: { taps: taps + 1 }, go: lit } }
      lit:
        show: { lamp: on }
        after: { 3s: dark }
    """

  /// Recordings three clicks at the lamp's key, 4 s apart: nine events, each time the press, the release, and the time
  /// that is up.
  private func withRecording(_ body: (_ folder: String) throws -> Void) rethrows {
    try withFiles(["lamp.panel.yaml": Self.panel]) { folder in
      let steps = String(repeating: "click key\nwait 4s\n", count: 3)
      let frameCodec = PanelProcess.run(
        ["simulate", "\(folder)/lamp.panel.yaml", "--record", "\(folder)/lamp.recording"], input: steps)
      #expect(frameCodec.status == 0 && frameCodec.errors == "")
      try body(folder)
    }
  }

  /// A recording of the counter: toggler counts up at 1 ms, 2 ms and so on, from 9.
  private func counted(to count: Int) throws -> [UInt8] {
    let application = MomentSeeds.application(total: "9")
    let (loop, memory) = (VirtualLoop(), RecordingBuffer())
    try application.record(with: Recorder(app: "counter", to: memory))
    try application.start(on: loop)
    for _ in 0..<count {
      loop.advance(to: loop.now + .milliseconds(1))
      try application.put(event: "\"incrementing\"", into: 1)
      try application.step(until: loop.now)
    }
    application.stop()
    return memory.bytes
  }

  /// The totals of a take, event by event.
  private func totals(_ recording: [UInt8], _ edits: RecordingEdit...) throws -> [String] {
    var take = try EditedRecording(of: RecordingReader(RecordingBytes(recording), name: "counter"))
    for edit in edits { try take.apply(edit) }
    let memory = RecordingBuffer()
    let report = try MomentSeeds.application(total: "9").record(take, to: memory)
    return try (1...report.frame).map { number in
      let application = MomentSeeds.application(total: "9")
      let recording = try RecordingReader(RecordingBytes(memory.bytes), name: "take")
      _ = try application.replay(recording, ReplayOptions(untilFrame: number))
      return application.frame.screen.total
    }
  }

  @Test("M10: an effect that is edited is another one in a take; the recording keeps what came of the event")
  func editedEffect() throws {
    let recording = try counted(to: 3)
    #expect(try totals(recording) == ["10", "11", "12"])
    let edited = try totals(recording, .frame(2, path: "screen.total", value: "\"20\""))
    #expect(Array(edited.prefix(3)) == ["10", "11", "20"])
    #expect(try totals(recording) == ["10", "11", "12"])
  }

  @Test("M18: what comes after an edit is made anew of it, and an edit of what isn't there is refused")
  func laterEffects() throws {
    let recording = try counted(to: 4)
    #expect(
      try totals(recording, .frame(2, path: "screen.total", value: "\"20\"")) == ["10", "11", "20", "21", "22"])
    #expect(try totals(recording, .edit(2, value: "\"decrementing\"")) == ["10", "9", "10", "11"])
    var take = try EditedRecording(of: RecordingReader(RecordingBytes(recording), name: "counter"))
    do {
      try take.apply(.frame(9, path: "screen.total", value: "\"20\""))
      Issue.record("there is no event 9")
    } catch {
      #expect("\(error)" == "there is no event 9; the recording has 4")
      #expect(take.edits.isEmpty)
    }
  }

  @Test("M19: a cause meets the current frame on the device, and the recorded one in a take")
  func context() throws {
    let recording = try counted(to: 2)
    let application = MomentSeeds.application(total: "9")
    let (loop, memory) = (VirtualLoop(), RecordingBuffer())
    try application.record(with: Recorder(app: "counter", to: memory))
    try application.start(on: loop)
    try application.set(frame: #"{"screen":{"total":"70"},"list":[]}"#)
    try application.put(event: "\"incrementing\"", into: 1)
    try application.step(until: loop.now)
    #expect(application.frame.screen.total == "71")
    application.stop()
    // The records say which is which: a frame that was set, an event that was put in.
    let kinds = memory.text.split(separator: "\n").compactMap { $0.hasPrefix("[") ? $0.prefix(5) : nil }
    #expect(kinds.contains("[\"s\",") && kinds.contains("[\"i\","))
    let time = try EditedRecording(of: RecordingReader(RecordingBytes(recording), name: "counter")).times[0]
    let inserted = RecordingEdit.insert(after: 1, at: .nanoseconds(time), lens: "toggler", value: "\"incrementing\"")
    #expect(try totals(recording, inserted) == ["10", "11", "12"])
  }

  @Test("M11: of the events those that were approved are exported, a file each")
  func approved() {
    withRecording { folder in
      _ = PanelProcess.run([
        "recording", "edit", "\(folder)/lamp.recording", "approve 1", "approve 4", "--output",
        "\(folder)/good.recording",
      ])
      let made = PanelProcess.run(["recording", "tests", "\(folder)/good.recording", "-o", folder])
      #expect(
        made
          == .init(
            status: 0, output: "\(folder)/1-key-pressed.recording\n\(folder)/4-key-pressed.recording\n", errors: ""))
      for name in ["1-key-pressed.recording", "4-key-pressed.recording"] {
        let replay = PanelProcess.run(["recording", "replay", "\(folder)/\(name)"])
        #expect(replay.status == 0 && replay.output == "\(folder)/\(name): 1 event lead to the same 2 frames\n")
      }
    }
  }

  @Test("M21: a folder without a recording fails, and so does a recording that can't be read")
  func nothingTested() {
    withFiles([:]) { folder in
      #expect(
        PanelProcess.run(["recording", "replay", folder])
          == .init(status: 1, output: "", errors: "no recording in \(folder)\n"))
      save(Array("{\"drivers\":[]}\n".utf8), at: "\(folder)/moment.recording")
      let broken = PanelProcess.run(["recording", "replay", folder])
      #expect(broken.status == 65 && broken.output == "0 passed, 1 failed\n")
      #expect(broken.errors.hasPrefix("\(folder)/moment.recording:1: "))
    }
  }

  @Test("M23: the recording of an event is named by the event")
  func name() {
    withRecording { folder in
      let made = PanelProcess.run(["recording", "tests", "\(folder)/lamp.recording", "-o", folder, "--event", "3"])
      #expect(made == .init(status: 0, output: "\(folder)/3-after-3s-in-lit.recording\n", errors: ""))
      #expect(names(in: folder).contains("3-after-3s-in-lit.recording"))
    }
  }

  @Test(
    "M26: a timeline forks into takes of takes, whose values can be looked at, and what is forbidden is searched for")
  func potentials() {
    withRecording { folder in
      let (recording, one, two) = ("\(folder)/lamp.recording", "\(folder)/one.edits", "\(folder)/two.edits")
      #expect(PanelProcess.run(["recording", "edit", recording, "off 4", "--save-edits", one]).status == 0)
      let fork = PanelProcess.run(["recording", "edit", one, "off 7", "--save-edits", two])
      #expect(fork.status == 0 && !fork.output.contains("  4  ") && !fork.output.contains("  7  "))
      // The first branch and the recording stay as they are.
      #expect(PanelProcess.run(["recording", "edit", one]).output.contains("  7  "))
      #expect(PanelProcess.run(["recording", "edit", recording]).output.contains("  4  "))
      let table = PanelProcess.run(["recording", "export", recording])
      #expect(table.output.split(separator: "\n").first?.contains("taps") == true)

      // Generated events are checked against what must never be.
      let found = PanelProcess.run([
        "explore", "\(folder)/lamp.panel.yaml", "--runs", "2000", "--output", folder,
      ])
      #expect(found.status == 1 && found.output.contains("worn"))
      let scenario = names(in: folder).filter { $0.hasSuffix(".scenario.yaml") }
      #expect(scenario.count == 1)
    }
  }
}
