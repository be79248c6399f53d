import ColourLamp
import Foundation
import PanelKit
import Testing

/// The command `colour-panel`, as its main runs it.
@Suite("A command with a kind of its own", .serialized)
struct ColourPanelTests {
  private static let kinds = KindList.standard.adding(outputs: [
    ColourLampKind.self, ColourLampGroup.self, BacklightKind.self, WinchKind.self,
  ])
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Panels").path
  private static let panel = "\(folder)/meeting-room.panel.yaml"
  private static let screen = "\(folder)/screen.panel.yaml"

  @Test(
    "each command of a panel takes the kind",
    arguments: [
      ["check", "--strict", panel, screen], ["test", folder], ["prove", panel], ["prove", screen], ["wiring", panel],
      ["wiring", screen], ["draw", panel], ["schema"],
      ["safe", "--gpio", "simulated", panel],
    ])
  func commands(arguments: [String]) {
    #expect(PanelCommand.run(arguments, kinds: Self.kinds) == 0)
  }

  @Test("it blinks, follows a value, and is compared in scenarios and properties")
  func lights() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let panel = """
      panel: Lights
      inputs:
        key:  { button: GPIO5 }
        knob: { encoder: [GPIO6, GPIO13] }
      outputs:
        one: { colour-lamp: [GPIO17, GPIO27, GPIO22] }
        two: { colour-lamp: [GPIO23, GPIO24, GPIO25] }
      values:
        level: { initial: 1, min: 0, max: 4 }
      on:
        knob.clockwise: { set: { level: +1 } }
      never:
        both: one == blinking and two == green
      initial: calm
      states:
        calm:
          show: { one: { colour: blue, brightness: level }, two: green }
          on: { key.pressed: alarm }
        alarm:
          show: { one: { colour: red, blink: 250ms }, two: { red: 1, green: 0.4 } }

      """
    let scenario = """
      scenario: S
      steps:
        - expect: { one: 0.25, two: green }
        - turn: { knob: 3 }
        - expect: { one: blue }
        - press: key
        - wait: 10ms
        - expect: { one: blinking, two: { red: 1, green: 0.4 } }

      """
    try Data(panel.utf8).write(to: folder.appendingPathComponent("lights.panel.yaml"))
    try Data(scenario.utf8).write(to: folder.appendingPathComponent("s.scenario.yaml"))
    for command in ["check", "test", "prove", "explore"] {
      let runs = command == "explore" ? ["--runs", "20"] : []
      let path = command == "test" ? folder.path : folder.path + "/lights.panel.yaml"
      #expect(PanelCommand.run([command] + runs + [path], kinds: Self.kinds) == 0, "\(command)")
    }
  }

  @Test("a group of them shows the same, or only one of them")
  func group() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let panel = """
      panel: Signs
      inputs:
        next: { button: GPIO5 }
      outputs:
        signs: { colour-lamps: [GPIO17, GPIO27, GPIO22, GPIO23, GPIO24, GPIO25] }
      values:
        room: { initial: 0, min: 0, max: 2 }
      never:
        two: signs(1) == red and signs(2) == red
      initial: all
      states:
        all:
          show: { signs: green }
          on: { next.pressed: { set: { room: +1 }, go: one } }
        one:
          show: { signs: { only: room, as: { colour: red, blink: 250ms } } }
          on: { next.pressed: { set: { room: +1 } } }

      """
    let scenario = """
      scenario: S
      steps:
        - expect: { signs: green }
        - click: next
        - expect: { signs(1): blinking, signs(2): off }
        - click: next
        - expect: { signs(1): off, signs(2): blinking }

      """
    try Data(panel.utf8).write(to: folder.appendingPathComponent("signs.panel.yaml"))
    try Data(scenario.utf8).write(to: folder.appendingPathComponent("s.scenario.yaml"))
    for command in ["check", "test", "prove"] {
      let path = command == "test" ? folder.path : folder.path + "/signs.panel.yaml"
      #expect(PanelCommand.run([command, path], kinds: Self.kinds) == 0, "\(command)")
    }
    let wrong = panel.replacingOccurrences(of: ", GPIO25]", with: ", GPIO25, GPIO26]")
    try Data(wrong.utf8).write(to: folder.appendingPathComponent("signs.panel.yaml"))
    #expect(PanelCommand.run(["check", folder.path + "/signs.panel.yaml"], kinds: Self.kinds) == 65)
  }

  @Test("the command of the toolkit knows no such kind")
  func standard() {
    #expect(PanelCommand.run(["check", Self.panel]) == 65)
  }

  @Test(
    "what the lamp can't show is told, and what a proof can't prove",
    arguments: [
      ("sign: mauve", "check", 65), ("sign: { red: 2 }", "check", 65), ("sign: { pink: 1 }", "check", 65),
      ("sign: [red]", "check", 65), ("sign: { blink: 1s }", "check", 65),
      ("sign: { colour: red, red: 1 }", "check", 65),
      ("sign: { colour: red, blink: 1s, brightness: x }", "check", 65),
      ("sign: { colour: red, brightness: x }", "check", 65), ("sign: { level: 1 }", "check", 65),
      ("sign: green", "check", 0),
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
