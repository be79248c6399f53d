import Terminal
import Testing

@testable import PanelKit

@Suite("What Home Assistant is told of a panel")
struct DiscoveryTests {
  /// The file was written by the program and read through; it is not compared with the schemas of Home Assistant.
  @Test("the message is that of the golden file, and what can't be commanded has no topic for commands")
  func golden() throws {
    let panel = try PanelFile.read(Array(NetworkStage.doorbell.utf8), file: "doorbell")
    let path = "\(PanelFile.folder(of: #filePath))/doorbell.discovery.json"
    let expected = String(decoding: try TextFile.read(path: path, what: "a golden file"), as: UTF8.self)
    let message = Discovery(of: panel, id: "doorbell").message.lines
    #expect(message == expected, "\(message)")
  }

  @Test("none takes back what was told, and without the key nothing is said")
  func none() throws {
    let tell = "mqtt: { tell: all, discovery: homeassistant }"
    let parts = NetworkStage.doorbell.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func stage(_ line: String) throws -> [String] {
      let text = parts.map { $0 == tell ? line : $0 }.joined(separator: "\n")
      return try NetworkStage(text).arrived().filter { $0.contains(text: "homeassistant") }
    }
    #expect(try stage("mqtt: { tell: all, discovery: none }") == ["r homeassistant/device/panel_doorbell/config "])
    #expect(try stage("mqtt: { tell: all }") == [])
  }
}
