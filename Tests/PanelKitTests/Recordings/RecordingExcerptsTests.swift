import TestSupport
import Testing

/// The recordings in Tests/Recordings are of the releases whose numbers they bear; none is recorded anew.
@Suite("Recordings of earlier releases")
struct RecordingExcerptsTests {
  private static let digests = [
    "doorbell-0.1.recording": "93ed38855d7de08a", "port-expander-0.1.recording": "ea1b5892c97aee68",
  ]

  @Test("lead to the same frames for ever")
  func replay() {
    let folder = "\(checkoutRoot)/Tests/Recordings"
    #expect(names(in: folder) == Self.digests.keys.sorted())
    for (name, digest) in Self.digests {
      let replay = PanelProcess.run(["recording", "replay", "--digest", "\(folder)/\(name)"])
      #expect(replay == .init(status: 0, output: "\(digest)\n", errors: ""), "\(name)")
    }
  }
}
