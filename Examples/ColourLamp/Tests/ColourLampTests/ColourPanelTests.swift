import ColourLamp
import Foundation
import PanelKit
import Testing

/// The command `colour-panel`, as its main runs it.
@Suite("A command with a kind of its own", .serialized)
struct ColourPanelTests {
  private static let kinds = KindList.standard.adding(outputs: [ColourLampKind.self])
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Panels").path
  private static let panel = "\(folder)/meeting-room.panel.yaml"

  @Test(
    "each command of a panel takes the kind",
    arguments: [
      ["check", "--strict", panel], ["test", folder], ["prove", panel], ["wiring", panel], ["draw", panel], ["schema"],
      ["safe", "--gpio", "simulated", panel],
    ])
  func commands(arguments: [String]) {
    #expect(PanelCommand.run(arguments, kinds: Self.kinds) == 0)
  }

  @Test("the command of the toolkit knows no such kind")
  func standard() {
    #expect(PanelCommand.run(["check", Self.panel]) == 65)
  }

  @Test(
    "what the lamp can't show is told, and what a proof can't prove",
    arguments: [
      ("sign: mauve", "check", 65), ("sign: { red: 2 }", "check", 65), ("sign: { pink: 1 }", "check", 65),
      ("sign: [red]", "check", 65), ("sign: { level: 1 }", "check", 65), ("sign: green", "check", 0),
      ("sign: green", "prove", 1),
    ] as [(String, String, Int32)])
  func wrong(show: String, command: String, status: Int32) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("room.panel.yaml")
    let text = try String(contentsOfFile: Self.panel, encoding: .utf8)
    try text.replacingOccurrences(of: "sign: red", with: show).write(to: file, atomically: true, encoding: .utf8)
    #expect(PanelCommand.run([command, file.path], kinds: Self.kinds) == status)
  }
}
