import Glibc
import TestSupport
import Testing

@Suite("The option --film and the command panel replay")
struct FilmCommandTests {
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

  /// Films the panel in a folder, which also has the panel with three taps for one and the film without its end.
  private func withFilm(_ body: (_ folder: String) throws -> Void) rethrows {
    let other = Self.panel(tap: 3)
    try withFiles(["lamp.panel.yaml": Self.panel(tap: 1), "other.panel.yaml": other]) { folder in
      let filming = PanelProcess.run(
        ["simulate", "\(folder)/lamp.panel.yaml", "--film", "\(folder)/lamp.film"], input: Self.steps)
      #expect(filming.status == 0 && filming.errors == "")
      try body(folder)
    }
  }

  @Test("a film leads to the same frames again, and is the same film again")
  func same() {
    withFilm { folder in
      let replay = PanelProcess.run(["replay", "\(folder)/lamp.film"])
      #expect(
        replay == .init(status: 0, output: "\(folder)/lamp.film: 9 events lead to the same 10 frames\n", errors: ""))
      let digest = PanelProcess.run(["replay", "--digest", "\(folder)/lamp.film"])
      #expect(digest.status == 0 && digest.output.utf8.count == 17)
      let first = bytes(of: "\(folder)/lamp.film")
      _ = PanelProcess.run(
        ["simulate", "\(folder)/lamp.panel.yaml", "--film", "\(folder)/lamp.film"], input: Self.steps)
      #expect(bytes(of: "\(folder)/lamp.film") == first)
    }
  }

  @Test("another panel file makes another frame, which is named with its numbers")
  func different() {
    withFilm { folder in
      let replay = PanelProcess.run(["replay", "\(folder)/lamp.film", "--panel", "\(folder)/other.panel.yaml"])
      #expect(replay.status == 1)
      #expect(
        replay.errors == """
          \(folder)/lamp.film:3: frame 1 differs, at 0.005000000s, by event 1 of buttons: [0,"pressed"]
            taps  film 1  now 3

          """)
    }
  }

  @Test("a film that was cut off is read to its last record; one that was changed, or is none, is refused")
  func damaged() throws {
    try withFilm { folder in
      let film = try #require(bytes(of: "\(folder)/lamp.film"))
      try write(film.dropLast(60), to: "\(folder)/cut.film")
      let cut = PanelProcess.run(["replay", "\(folder)/cut.film"])
      #expect(cut.status == 0)
      #expect(cut.errors.contains("the film ends in the middle of a record; "))

      var changed = film
      let place = try #require(film.lastIndex(of: UInt8(ascii: "e")))
      changed[place] ^= 1
      try write(changed[...], to: "\(folder)/changed.film")
      #expect(PanelProcess.run(["replay", "\(folder)/changed.film"]).status == 65)

      let none = PanelProcess.run(["replay", "\(folder)/lamp.panel.yaml"])
      #expect(none.status == 65 && none.errors.contains("lamp.panel.yaml:1: "))
      #expect(PanelProcess.run(["replay", "\(folder)/nothing.film"]).status == 69)
      #expect(PanelProcess.run(["simulate", "--film", "/nowhere/at/all.film"]).status == 69)

      // A file that is no film is not overwritten.
      let panel = "\(folder)/lamp.panel.yaml"
      let before = bytes(of: panel)
      let refused = PanelProcess.run(["simulate", panel, "--film", panel])
      #expect(refused.status == 74)
      #expect(refused.errors == "\(panel): a file is there that is no film; name another one for the film\n")
      #expect(bytes(of: panel) == before)
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
  }
}
