import Glibc
import Terminal
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage

@Suite("The reference of panel files")
struct ReferenceTests {
  static let page = "\(checkoutRoot)/docs/panels/reference.md"

  private static func marks(of name: String) -> (begin: String, end: String) {
    ("<!-- kinds: \(name) -->", "<!-- end: \(name) -->")
  }

  @Test("the tables of kinds are those that follow from the kinds; RECORD=1 writes them")
  func tables() throws {
    var lines = String(decoding: try #require(bytes(of: Self.page)), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let tables = ReferenceTables().all
    #expect(lines.filter { $0.hasPrefix("<!-- kinds: ") }.count == tables.count)
    for (name, rows) in tables {
      let marks = Self.marks(of: name)
      let begin = try #require(lines.firstIndex(of: marks.begin), "no \(marks.begin)")
      let end = try #require(lines[begin...].firstIndex(of: marks.end), "no \(marks.end)")
      if getenv("RECORD") == nil { #expect(Array(lines[begin + 1..<end]) == rows, "RECORD=1 writes the tables") }
      lines.replaceSubrange(begin + 1..<end, with: rows)
    }
    guard getenv("RECORD") != nil else { return }
    try TextFile.write(lines.joined(separator: "\n"), path: Self.page)
  }

  @Test("each kind and each source says what it is, and its sample is one")
  func samples() {
    let kinds = KindList.standard
    for place in kinds.inputs.map({ $0.grammar }) + kinds.outputs.map({ $0.grammar })
      + kinds.sensors.map({ $0.grammar }) + kinds.chips.map({ $0.grammar })
    {
      #expect(!place.summary.isEmpty && place.sample.contains(place.keys[0].name), "\(place.name)")
    }
    let rows = ReferenceTables().all.flatMap(\.rows)
    #expect(!rows.contains { $0.contains("can't be read") }, "\(rows)")
    for source in kinds.sensors {
      let sample = source.grammar.sample
      #expect(throws: Never.self) {
        try PanelFile.read(
          Array("panel: P\ninputs: { s: { sensor: \(sample), min: 0, max: 9 } }\ninitial: a\nstates: { a: }\n".utf8),
          file: "p")
      }
    }
  }
}
