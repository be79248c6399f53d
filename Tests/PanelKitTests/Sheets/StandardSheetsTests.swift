import Foundation
import Testing

@testable import PanelKinds
@testable import PanelLanguage

@Suite("The standard sheets")
struct StandardSheetsTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/PanelKit/Kinds/Sheets/Standard").standardized

  @Test("each one is right, and its example passes", arguments: SheetLibrary.texts.map(\.name))
  func right(name: String) throws {
    switch SheetLibrary.sheet(named: name, folder: "/nowhere") {
    case .success(let sheet): #expect(sheet.name == name && !sheet.source.isEmpty)
    case .failure(.unknown): Issue.record("there is no sheet \(name)")
    case .failure(.wrong(let problems)): Issue.record("\(problems.lines)")
    }
  }

  @Test("there are 40 at least, and the program has the text of each file")
  func files() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(files.count >= 40)
    #expect(files == SheetLibrary.texts.map(\.name).map { $0 + SheetLibrary.suffix })
    for (name, text) in SheetLibrary.texts {
      let file = try String(
        contentsOf: Self.folder.appendingPathComponent(name + SheetLibrary.suffix), encoding: .utf8)
      #expect(file == text + "\n", "run tools/sheets")
    }
  }

  @Test("an example that is changed fails: each one depends on the formulas", arguments: SheetLibrary.texts.map(\.name))
  func examplesCanFail(name: String) throws {
    let text = try #require(SheetLibrary.texts.first { $0.name == name }?.text)
    var changed: [String] = []
    if let result = text.range(of: #"gives: \{ [a-z0-9]+: -?[0-9.]+"#, options: .regularExpression) {
      let words = text[result].split(separator: " ")
      let number = try #require(Double(words[3]))
      changed.append(text.replacingCharacters(in: result, with: "gives: { \(words[2]) \(Int(number) + 7)"))
    }
    if let closed = text.range(of: #"closed: \[[A-Z0-9]+, "#, options: .regularExpression) {
      changed.append(text.replacingCharacters(in: closed, with: "closed: ["))
    }
    if let level = text.range(of: #"levels: \{ [A-Za-z]+: [0-9.]+"#, options: .regularExpression) {
      let words = text[level].split(separator: " ")
      changed.append(text.replacingCharacters(in: level, with: "levels: { \(words[2]) 0.7"))
    }
    #expect(!changed.isEmpty)
    for wrong in changed {
      let problems = Fixture.problems { () throws(Problems) in
        _ = try SheetReader.read(Array(wrong.utf8), file: "x.sheet.yaml")
      }
      #expect(problems.count == 1 && problems[0].contains("the example fails"), "\(problems)")
    }
  }
}
