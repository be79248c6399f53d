import TestSupport
import Testing

@testable import PanelLanguage
@testable import PanelRun

@Suite struct WrongFileTests {
  static let panels = names(in: Fixture.wrongFiles).filter { $0.hasSuffix(".panel.yaml") }
  static let scenarios = names(in: Fixture.wrongFiles).filter { $0.hasSuffix(".scenario.yaml") }

  @Test("there are wrong files to read") func count() {
    #expect(Self.panels.count >= 50)
    #expect(Self.scenarios.count >= 6)
  }

  @Test("a wrong panel file gets exactly the messages beside it", arguments: panels)
  func panel(name: String) {
    let path = Fixture.wrongFiles + "/" + name
    let found = Fixture.problems { () throws(Problems) in _ = try PanelFile.read(path: path) }
    expect(found, path, ending: ".panel.yaml")
  }

  @Test("a wrong scenario file gets exactly the messages beside it", arguments: scenarios)
  func scenario(name: String) throws {
    let doorbell = try Fixture.doorbell()
    let path = Fixture.wrongFiles + "/" + name
    let found = Fixture.problems { () throws(Problems) in _ = try ScenarioFile.read(path: path, for: doorbell) }
    expect(found, path, ending: ".yaml")
  }

  private func expect(_ found: [String], _ path: String, ending: String) {
    // The paths of sound files in messages begin with this folder, wherever it is.
    let text = found.map { $0.removing(Fixture.wrongFiles + "/") + "\n" }.joined()
    #expect(!text.isEmpty)
    #expect(text == Fixture.expected(path.dropLast(ending.count) + ".expected", recording: text))
  }
}

extension String {
  fileprivate func removing(_ part: String) -> String {
    var result = ""
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(part) {
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}
