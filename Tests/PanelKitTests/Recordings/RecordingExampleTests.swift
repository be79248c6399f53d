import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelRecording

/// The bug of the documentation, which a recording has found.
@Suite("The recording of the cellar light")
struct RecordingExampleTests {
  private static let folder = "\(checkoutRoot)/Examples/cellar-light"
  private static let panel = "\(folder)/cellar-light.panel.yaml"

  @Test("differs on the panel with the cure, at the press that was forgotten")
  func found() {
    let reported = "\(Self.folder)/left-in-the-dark.recording"
    #expect(PanelProcess.run(["recording", "replay", reported]).status == 0)
    let now = PanelProcess.run(["recording", "replay", reported, "--panel", Self.panel])
    #expect(now.status == 1)
    #expect(now.errors.contains("by event 3 of buttons: [1,\"pressed\"]"))
  }

  @Test("resimulated on the panel with the cure is the recording that is kept")
  func kept() throws {
    try withFiles([:]) { folder in
      let take = PanelProcess.run([
        "recording", "edit", "\(Self.folder)/left-in-the-dark.recording", "--resimulate", "--panel", Self.panel,
        "--output", "\(folder)/now.recording",
      ])
      #expect(take.status == 0)
      #expect(take.output.contains("110.005s  5  after 1m in lit\n"))
      let kept = try #require(bytes(of: "\(Self.folder)/recordings/second-press.recording"))
      let now = try #require(bytes(of: "\(folder)/now.recording"))
      #expect(RecordingStage.causes(of: now) == RecordingStage.causes(of: kept))
    }
    #expect(PanelProcess.run(["recording", "replay", "\(Self.folder)/recordings", "--panel", Self.panel]).status == 0)
    #expect(PanelProcess.run(["test", Self.folder]).status == 0)
  }

  @Test("its scenario fails on the panel that it was recorded with")
  func scenario() throws {
    let recording = try ReplayableRecording(path: "\(Self.folder)/left-in-the-dark.recording", kinds: .standard)
    withFiles(["old.panel.yaml": String(decoding: recording.text, as: UTF8.self)]) { folder in
      let test = PanelProcess.run(["test", "\(folder)/old.panel.yaml", "\(Self.folder)/second-press.scenario.yaml"])
      #expect(test.status == 1)
      #expect(test.errors.contains("expected nothing for "))
    }
  }
}
