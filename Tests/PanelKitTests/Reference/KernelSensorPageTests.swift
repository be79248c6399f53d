import HardwareDrivers
import TestSupport
import Testing

@Suite("The page of sensors that the kernel reads")
struct KernelSensorPageTests {
  @Test("has a row for each overlay")
  func rows() throws {
    let path = String(#filePath.dropLast("Tests/PanelKitTests/Reference/KernelSensorPageTests.swift".count))
    let text = try #require(bytes(of: path + "docs/panels/sensors.md").map { String(decoding: $0, as: UTF8.self) })
    let lines = text.split(separator: "\n").map(String.init)
    let begin = try #require(lines.firstIndex(of: "<!-- overlays -->"))
    let end = try #require(lines.firstIndex(of: "<!-- end: overlays -->"))
    #expect(
      Array(lines[(begin + 3)..<end])
        == KernelSensorOverlay.all.map { known in
          let channels = known.channels.map { "`\($0.name)`" + ($0.unit.isEmpty ? "" : " (\($0.unit))") }
          return "| \(known.chip) | `\(known.line)` | `{ \(known.interface): \(known.device), channel: "
            + "\(known.channels[0].name) }` | \(channels.joined(separator: ", ")) |"
        })
  }
}
