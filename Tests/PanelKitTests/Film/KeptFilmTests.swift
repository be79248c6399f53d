import TestSupport
import Testing

/// The films in Tests/Films are of the releases whose numbers they bear; none is recorded anew.
@Suite("Films of earlier releases")
struct KeptFilmTests {
  private static let digests = ["doorbell-0.1.recording": "93ed38855d7de08a"]

  @Test("lead to the same frames for ever")
  func replay() {
    let folder = "\(checkoutRoot)/Tests/Films"
    #expect(names(in: folder) == Self.digests.keys.sorted())
    for (name, digest) in Self.digests {
      let replay = PanelProcess.run(["recording", "replay", "--digest", "\(folder)/\(name)"])
      #expect(replay == .init(status: 0, output: "\(digest)\n", errors: ""), "\(name)")
    }
  }
}
