import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage

@Suite("The examples of boards")
struct BoardExampleTests {
  /// Each board, and its devices with their GPIO lines. Inputs come before outputs, in the order of the file.
  private static let boards: [(String, String)] = [
    ("camjam-robot", "front 17 18, left 9 10, right 7 8"),
    ("energenie", "key(1) 5, key(2) 6, code(1) 17, code(2) 22, code(3) 23, code(4) 27, mode 24, send 25"),
    ("fish-dish", "button 7, red 9, amber 22, green 4, buzzer 8"),
    (
      "jam-hat",
      "first 19, second 18, row-1(1) 5, row-1(2) 12, row-1(3) 16, row-2(1) 6, row-2(2) 13, row-2(3) 17, buzzer 20"
    ),
    ("led-borg", "lamp 17 27 22"),
    (
      "pi-liter",
      "lamps(1) 4, lamps(2) 17, lamps(3) 27, lamps(4) 18, lamps(5) 22, lamps(6) 23, lamps(7) 24, lamps(8) 25"
    ),
    ("pi-liter-bar", "bar 4 17 27 18 22 23 24 25"),
    ("pi-stop", "red 7, amber 8, green 25"),
    ("pi-traffic", "red 9, amber 10, green 11"),
    ("pibrella", "button 11, a 9, red 27, amber 17, green 4, buzzer 18, e 22"),
    ("pololu-robot", "start 17, left 5 12, right 6 13"),
    (
      "pumpkin-pi",
      "eyes(1) 12, eyes(2) 6, left(1) 18, left(2) 17, left(3) 16, left(4) 13, left(5) 24, right(1) 19, right(2) 20, "
        + "right(3) 21, right(4) 22, right(5) 23"
    ),
    ("ryanteck-robot", "left-motor 17 18, right-motor 22 23"),
    (
      "snow-pi",
      "eyes(1) 23, eyes(2) 24, nose 25, left(1) 17, left(2) 18, left(3) 22, right(1) 7, right(2) 8, right(3) 9"
    ),
    (
      "status-board",
      "key(1) 14, key(2) 19, key(3) 15, key(4) 26, key(5) 18, one(1) 4, one(2) 17, two(1) 27, two(2) 22, three(1) 10, "
        + "three(2) 9, four(1) 11, four(2) 5, five(1) 6, five(2) 13"
    ),
    ("status-zero", "web(1) 4, web(2) 17, mail(1) 27, mail(2) 22, backup(1) 10, backup(2) 9"),
    ("traffic-hat", "button 25, red 24, amber 23, green 22, buzzer 5"),
    ("traffic-phat", "red 25, amber 24, green 23"),
    (
      "xmas-tree",
      "star 2, tree(1) 4, tree(2) 15, tree(3) 13, tree(4) 21, tree(5) 25, tree(6) 8, tree(7) 5, tree(8) 10, "
        + "tree(9) 16, tree(10) 17, tree(11) 27, tree(12) 26, tree(13) 24, tree(14) 9, tree(15) 12, tree(16) 6, "
        + "tree(17) 20, tree(18) 19, tree(19) 14, tree(20) 18, tree(21) 11, tree(22) 7, tree(23) 23, tree(24) 22"
    ),
  ]

  @Test("have the lines of their boards", arguments: boards)
  func lines(name: String, devices: String) throws {
    let panel = try PanelFile.read(path: "\(checkoutRoot)/Examples/boards/\(name).panel.yaml")
    let lines = panel.inputs.map { ($0.name, $0.device.lines) } + panel.outputs.map { ($0.name, $0.device.lines) }
    // The events of an output are an input without lines.
    let text = lines.filter { !$0.1.isEmpty }.map { name, lines in
      "\(name) \(lines.map { $0.hasPrefix("GPIO") ? String($0.dropFirst(4)) : $0 }.joined(separator: " "))"
    }
    #expect(text.joined(separator: ", ") == devices)
  }

  @Test("are all compared, and have a scenario")
  func files() {
    let files = names(in: "\(checkoutRoot)/Examples/boards").filter { $0.hasSuffix(".yaml") }.sorted()
    #expect(files == Self.boards.flatMap { ["\($0.0).panel.yaml", "\($0.0).scenario.yaml"] }.sorted())
  }
}
