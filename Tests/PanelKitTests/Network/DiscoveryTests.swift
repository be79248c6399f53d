import Terminal
import Testing

@testable import PanelLanguage
@testable import PanelNetwork

@Suite("What Home Assistant is told of a panel")
struct DiscoveryTests {
  @Test("the message is that of the golden file, and what can't be commanded has no topic for commands")
  func golden() throws {
    let panel = try PanelFile.read(Array(NetworkStage.doorbell.utf8), file: "doorbell")
    let path = "\(PanelFile.folder(of: #filePath))/doorbell.discovery.json"
    let expected = String(decoding: try TextFile.read(path: path, what: "a golden file"), as: UTF8.self)
    let message = HomeAssistantDiscovery(of: panel, id: "doorbell").message.lines
    #expect(message == expected, "\(message)")
  }

  @Test(
    "d13: this message, and that of the front door as its broker has heard it, are valid by the schema made of Home Assistant's fields"
  )
  func schema() throws {
    let folder = PanelFile.folder(of: #filePath)
    func read(_ bytes: [UInt8]) throws -> JSON {
      let problems = ProblemList()
      let text = try #require(TextFile.text(bytes, what: "a golden file", problems: problems))
      return JSON(try #require(YAMLTree.read(text, what: "a golden file", problems: problems)))
    }
    func json(_ path: String) throws -> JSON { try read(try TextFile.read(path: path, what: "a golden file")) }
    let validator = SchemaValidator(root: try json("\(folder)/discovery.schema.json"))
    #expect(try validator.faults(of: json("\(folder)/doorbell.discovery.json")) == [])
    let heard = try TextFile.read(path: "\(folder)/../../Network/front-door.heard", what: "a golden file")
    let mark = "1 homeassistant/device/panel_front-door/config "
    let lines = String(decoding: heard, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix(mark) }
    #expect(lines.count == 2)
    for line in lines {
      let message = try read(Array(line.dropFirst(mark.count).utf8))
      #expect(try validator.faults(of: message) == [])
    }
    let wrong = JSON.object([.init(name: "dev", value: .object([.init(name: "idents", value: .text("x"))]))])
    #expect(try validator.faults(of: wrong).count == 3)
  }

  @Test("none takes back what was told, and without the key nothing is said")
  func none() throws {
    let tell = "mqtt: { publish: all, discovery: homeassistant }"
    let parts = NetworkStage.doorbell.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func stage(_ line: String) throws -> [String] {
      let text = parts.map { $0 == tell ? line : $0 }.joined(separator: "\n")
      let stage = try NetworkStage(text)
      try stage.take("wait 2s")
      return stage.arrived().filter { $0.contains(text: "homeassistant") }
    }
    #expect(try stage("mqtt: { publish: all, discovery: none }") == ["r homeassistant/device/panel_doorbell/config "])
    #expect(try stage("mqtt: { publish: all }") == [])
  }
}
