import ColourLamp
import CycleCore
import Foundation
import HardwareSimulation
import PanelKit
import Testing

/// A kind on a port of its own: the port needs no change of the toolkit.
@Suite("A backlight on a port of its own", .serialized)
struct BacklightTests {
  private static let kinds = KindList.standard.adding(outputs: [ColourLampKind.self, BacklightKind.self])

  /// A folder with a panel whose screen is dimmed by a knob, and with a scenario.
  private func folder(steps: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let panel = """
      panel: Reading room
      inputs:
        knob: { encoder: [GPIO5, GPIO6] }
      outputs:
        screen: { backlight: rpi_backlight }
      values:
        light: { initial: 2, min: 0, max: 4 }
      initial: lit
      states:
        lit:
          show: { screen: { level: light } }
          on:
            knob.clockwise: { set: { light: +1 } }
            knob.counterclockwise: { set: { light: -1 } }
          after: { 10m: dark }
        dark:
          on: { knob.clockwise: lit }

      """
    try Data(panel.utf8).write(to: folder.appendingPathComponent("room.panel.yaml"))
    try Data("scenario: S\nsteps:\n\(steps)".utf8).write(to: folder.appendingPathComponent("s.scenario.yaml"))
    return folder
  }

  private func run(_ arguments: [String]) -> Int32 { PanelCommand.run(arguments, kinds: Self.kinds) }

  @Test("it follows a value, and a scenario unplugs the port by its name")
  func scenario() throws {
    let folder = try folder(
      steps: """
          - expect: { screen: 0.5 }
          - turn: { knob: 2 }
          - expect: { screen: on }
          - unplug: backlight
          - turn: { knob: -1 }
          - plug: backlight
          - wait: 2s
          - expect: { screen: 0.75 }
          - wait: 10m
          - expect: { screen: off }

        """)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(run(["test", folder.path]) == 0)
    #expect(run(["check", folder.path + "/room.panel.yaml"]) == 0)
  }

  @Test("a command has an option for the port; a panel without the kind has no such step")
  func option() throws {
    let folder = try folder(steps: "  - wait: 1s\n")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.path + "/room.panel.yaml"
    #expect(run(["safe", "--simulated", "--backlight", "simulated", file]) == 0)
    // This machine has no such screen: an output that can't be made safe is an error.
    #expect(run(["safe", "--simulated", "--backlight", "real", file]) == 69)
    #expect(PanelCommand.run(["safe", "--backlight", "simulated", file]) == 64)
    let other = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Panels").path
    try Data("scenario: S\nsteps:\n  - unplug: backlight\n".utf8).write(
      to: folder.appendingPathComponent("meeting-room.scenario.yaml"))
    try FileManager.default.copyItem(
      atPath: other + "/meeting-room.panel.yaml", toPath: folder.path + "/meeting-room.panel.yaml")
    #expect(run(["test", folder.path + "/meeting-room.scenario.yaml"]) == 65)
  }

  @Test(
    "a value that it can't show is an error",
    arguments: ["dim", "{}", "{ level: 2 }", "{ level: missing }", "{ blink: 1s }"])
  func wrong(show: String) throws {
    let folder = try folder(steps: "  - wait: 1s\n")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("room.panel.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacingOccurrences(of: "{ level: light }", with: show).utf8).write(to: file)
    #expect(run(["check", file.path]) == 65)
  }

  @Test("the kernel's file gets the brightness as a share of the highest")
  func kernelFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("255\n".utf8).write(to: folder.appendingPathComponent("max_brightness"))
    try Data("0\n".utf8).write(to: folder.appendingPathComponent("brightness"))
    try SysfsBacklight(folder.path).set(0.5)
    #expect(try String(contentsOf: folder.appendingPathComponent("brightness"), encoding: .utf8) == "128\n")
    #expect(throws: DriverError.self) { try SysfsBacklight(folder.path + "/missing").set(1) }
  }
}
