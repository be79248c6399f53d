import Glibc
import TestSupport
import Testing

@Suite(
  "The commands panel recording edit, panel recording scenario, panel recording tests, and panel recording replay of a folder"
)
struct RecordingEditCommandTests {
  private static let panel = """
    panel: Lamp
    inputs: { key: { button: GPIO17 } }
    outputs: { lamp: { led: GPIO23 } }
    values: { taps: { initial: 0, min: 0, max: 9 } }
    initial: dark
    states:
      dark: { on: { key.pressed: { set: { taps: +1 }, go: lit } } }
      lit: { show: { lamp: on }, after: { 3s: dark } }
    """

  /// Recordings a key that is pressed for 100 ms, in a folder.
  private func withRecording(_ body: (_ folder: String) throws -> Void) rethrows {
    try withFiles(["lamp.panel.yaml": Self.panel]) { folder in
      let frameCodec = PanelProcess.run(
        ["simulate", "\(folder)/lamp.panel.yaml", "--record", "\(folder)/lamp.recording"],
        input: "press key\nwait 100ms\nrelease key\nwait 4s\n")
      #expect(frameCodec.status == 0 && frameCodec.errors == "")
      try body(folder)
    }
  }

  @Test("a take tells each event, and marks the answers that would not have been; resimulated, it hasn't got them")
  func take() {
    withRecording { folder in
      let recording = "\(folder)/lamp.recording"
      #expect(
        PanelProcess.run(["recording", "edit", recording, "off 1"])
          == .init(
            status: 0,
            output: """
              0.105s  2  key.released
              3.005s  3  after 3s in lit  would not have occurred
              \(recording): 2 events lead to 1 frame; 1 derived event would not have occurred

              """, errors: ""))
      #expect(
        PanelProcess.run(["recording", "edit", recording, "off 1", "--resimulate"])
          == .init(
            status: 0, output: "\(recording), re-simulated: 0 events lead to 1 frame; it differs from event 1 on\n",
            errors: ""))
      #expect(
        PanelProcess.run(["recording", "edit", recording, "--resimulate"]).output.hasSuffix(
          "\(recording), re-simulated: 3 events lead to 4 frames, the same as recorded\n"))
    }
  }

  @Test("a take is saved, and taken again; another recording than its own is refused")
  func saved() {
    withRecording { folder in
      let recording = "\(folder)/lamp.recording"
      #expect(
        PanelProcess.run(["recording", "edit", recording, "off 2", "--save-edits", "\(folder)/one.edits"]).status == 0)
      let second = PanelProcess.run(
        [
          "recording", "edit", "\(folder)/one.edits", "note 1 \"here\"", "approve 1", "--save-edits",
          "\(folder)/two.edits",
        ])
      #expect(second.status == 0)
      let again = PanelProcess.run(["recording", "edit", "\(folder)/two.edits", "--output", "\(folder)/two.recording"])
      #expect(again.output.hasSuffix("two.edits: 2 events lead to 3 frames\n"))
      let text = bytes(of: "\(folder)/two.recording").map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(text.contains("[\"n\",5000000,1,\"here\"]\n[\"a\",1,true]\n"))
      #expect(PanelProcess.run(["recording", "replay", "\(folder)/two.recording"]).status == 0)

      // Of another recording the edits may mean something else.
      _ = PanelProcess.run(
        ["simulate", "\(folder)/lamp.panel.yaml", "--record", recording], input: "press key\nwait 1s\n")
      let refused = PanelProcess.run(["recording", "edit", "\(folder)/two.edits"])
      #expect(refused.status == 65)
      #expect(
        refused.errors
          == "\(folder)/one.edits:1: \(recording) has changed since these edits were made; restore it, or make the edits again\n"
      )
      #expect(
        PanelProcess.run(["recording", "edit", recording, "--save-edits", "\(folder)/lamp.panel.yaml"]).status == 74)
    }
  }

  @Test(
    "what is wrong with an edit is told",
    arguments: [
      ("of 1", 64, "an edit begins with off, on, edit, move, insert, frame, note, approve or disapprove"),
      ("off 9", 65, "there is no event 9; the recording has 3"),
      ("note 1 late", 64, "a value is missing"),
    ] as [(String, Int32, String)])
  func wrong(edit: String, status: Int32, text: String) {
    withRecording { folder in
      let wrong = PanelProcess.run(["recording", "edit", "\(folder)/lamp.recording", edit])
      #expect(wrong.status == status)
      #expect(wrong.errors.contains(text))
    }
  }

  @Test("a scenario of a recording passes its panel's test")
  func scenario() throws {
    try withRecording { folder in
      let made = PanelProcess.run(["recording", "scenario", "\(folder)/lamp.recording", "--name", "A tap"])
      #expect(made.status == 0 && made.errors == "")
      try write(Array(made.output.utf8), to: "\(folder)/tap.scenario.yaml")
      let test = PanelProcess.run(["test", "\(folder)/lamp.panel.yaml", "\(folder)/tap.scenario.yaml"])
      #expect(
        test == .init(status: 0, output: "passed  \(folder)/tap.scenario.yaml: A tap\n1 passed, 0 failed\n", errors: "")
      )
    }
  }

  @Test("a recording is resimulated without its sound files: they are as long as they were")
  func withoutSounds() throws {
    let doorbell = "\(checkoutRoot)/Examples/doorbell"
    let panel = String(decoding: try #require(bytes(of: "\(doorbell)/doorbell.panel.yaml")), as: UTF8.self)
    let chime = try #require(bytes(of: "\(doorbell)/sounds/chime.wav"))
    try withFiles(["bell.panel.yaml": panel]) { folder in
      #expect(mkdir("\(folder)/sounds", 0o777) == 0)
      try write(chime, to: "\(folder)/sounds/chime.wav")
      func recording(_ steps: String) {
        _ = PanelProcess.run(
          ["simulate", "\(folder)/bell.panel.yaml", "--record", "\(folder)/bell.recording"], input: steps)
      }
      func resimulated() -> PanelProcess.Result {
        PanelProcess.run(["recording", "edit", "\(folder)/bell.recording", "--resimulate"])
      }
      recording("press bell\nwait 4s\n")
      #expect(unlink("\(folder)/sounds/chime.wav") == 0)
      #expect(resimulated().output.hasSuffix("4 events lead to 4 frames, the same as recorded\n"))
      try write(chime, to: "\(folder)/sounds/chime.wav")
      recording("press bell\nwait 1s\n")
      #expect(unlink("\(folder)/sounds/chime.wav") == 0)
      let unknown = resimulated()
      #expect(unknown.output.hasSuffix("2 events lead to 2 frames, the same as recorded\n"))
      #expect(unknown.errors.contains("the recording does not contain how long chime is: it sounds without an end"))
    }
  }

  @Test("approved events are written as recordings of one event, which are a test as a folder; an empty folder fails")
  func moments() throws {
    try withRecording { folder in
      let empty = PanelProcess.run(["recording", "tests", "\(folder)/lamp.recording", "-o", "\(folder)/moments"])
      #expect(empty.status == 1)
      #expect(empty.errors.contains("no event is approved; approve one: panel recording edit "))
      _ = PanelProcess.run([
        "recording", "edit", "\(folder)/lamp.recording", "approve 1", "approve 3", "--output",
        "\(folder)/good.recording",
      ])
      let made = PanelProcess.run(["recording", "tests", "\(folder)/good.recording", "-o", "\(folder)/moments"])
      #expect(
        made
          == .init(
            status: 0,
            output: "\(folder)/moments/1-key-pressed.recording\n\(folder)/moments/3-after-3s-in-lit.recording\n",
            errors: ""))
      let replay = PanelProcess.run(["recording", "replay", "\(folder)/moments"])
      #expect(replay.status == 0 && replay.output.hasSuffix("2 passed, 0 failed\n"))

      // A panel on which a press counts twice fails the first of them.
      let other = Self.panel.replacing("taps: +1", with: "taps: +2")
      try write(Array(other.utf8), to: "\(folder)/other.panel.yaml")
      let failed = PanelProcess.run([
        "recording", "replay", "\(folder)/moments/", "--panel", "\(folder)/other.panel.yaml",
      ])
      #expect(failed.status == 1)
      #expect(failed.output.hasSuffix("1 passed, 1 failed\n"))
      #expect(failed.errors.contains("taps  recorded 1  now 2"))

      #expect(mkdir("\(folder)/none", 0o777) == 0)
      #expect(
        PanelProcess.run(["recording", "replay", "\(folder)/none"])
          == .init(status: 1, output: "", errors: "no recording in \(folder)/none\n"))
    }
  }

  @Test("a group without a command lists its commands, as its help does")
  func group() {
    let help = PanelProcess.run(["recording", "--help"])
    for word in ["replay", "edit", "print", "cut", "export", "import", "scenario", "tests"] {
      #expect(help.status == 0 && help.output.contains("panel recording \(word) "))
    }
    #expect(PanelProcess.run(["help", "recording"]) == help)
    #expect(PanelProcess.run(["recording"]) == help)
    let wrong = PanelProcess.run(["recording", "scenarios", "bell.recording"])
    #expect(
      wrong
        == .init(
          status: 64, output: "",
          errors: """
            panel: unknown command "recording scenarios"; did you mean `panel recording scenario`?
            see panel help recording

            """))
    #expect(PanelProcess.run(["help", "recording", "tests"]).output.contains("--output FOLDER"))
    #expect(PanelProcess.run(["recording", "tests", "--help"]).status == 0)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return "\(self[..<range.lowerBound])\(new)\(self[range.upperBound...])"
  }
}
