import Glibc
import Terminal
import TestSupport
import Testing

@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun
@testable import PanelWiring

@Suite("The pages of devices")
struct DevicePageTests {
  static let pages = DevicePage.all(of: .standard)
  static let index = "docs/panels/devices/README.md"
  private static let isRecording = getenv("RECORD") != nil

  @Test(
    "each kind has a page with all parts, and what follows from the code is right; RECORD=1 writes it",
    arguments: pages.map(\.name))
  func page(_ name: String) throws {
    let page = try #require(Self.pages.first { $0.name == name })
    if Self.isRecording, Self.lines(of: page.path) == nil {
      try TextFile.write(page.skeleton.joined(separator: "\n"), path: "\(checkoutRoot)/\(page.path)")
    }
    var lines = try #require(
      Self.lines(of: page.path), "RECORD=1 writes \(page.path), except for what is written by hand")
    for (part, text) in page.parts(texts: { Self.text(of: $0) }) {
      try Self.replace(part, in: &lines, with: text, of: page.path)
    }
    if let code = Self.code(of: page.name) { try Self.replace("swift", in: &lines, with: code, of: page.path) }
    if Self.isRecording { try TextFile.write(lines.joined(separator: "\n"), path: "\(checkoutRoot)/\(page.path)") }

    #expect(lines.first?.hasPrefix("# ") == true && lines[2].hasSuffix("."), "\(page.path) begins with what it is")
    #expect(lines.filter { $0.hasPrefix("## ") } == DevicePage.headlines)
    for (headline, next) in zip(DevicePage.headlines, DevicePage.headlines.dropFirst().map(Optional.some) + [nil]) {
      let begin = try #require(lines.firstIndex(of: headline))
      let end = next.flatMap { lines.firstIndex(of: $0) } ?? lines.endIndex
      #expect(lines[begin + 1..<end].contains { !$0.isEmpty && !$0.hasPrefix("<!-- ") }, "\(headline) of \(page.path)")
    }
    #expect(!lines.contains { $0.contains(DevicePage.gap) }, "\(page.path) is not whole")
    #expect(!lines.contains { $0.contains(DevicePage.noMeaning) || $0.contains("can't be read.") })
  }

  @Test("the picture of each page is the wiring of its example; RECORD=1 draws it", arguments: pages.map(\.name))
  func picture(_ name: String) throws {
    let page = try #require(Self.pages.first { $0.name == name })
    let plan = WiringPlan(of: try PanelFile.read(path: "\(checkoutRoot)/\(page.panel)"))
    let picture = try #require(plan.svg())
    let path = "\(checkoutRoot)/\(page.picture)"
    if Self.isRecording { try TextFile.write(picture, path: path) }
    #expect(bytes(of: path) == Array(picture.utf8), "RECORD=1 draws \(page.picture)")
  }

  @Test("a scenario can have the steps that a page lists", arguments: pages.map(\.name))
  func steps(_ name: String) throws {
    let page = try #require(Self.pages.first { $0.name == name })
    let panel = try PanelFile.read(Array(page.sample.utf8), file: page.panel)
    for (step, _) in page.stepTexts {
      #expect(throws: Never.self, "\(step)") {
        try ScenarioFile.read(Array("scenario: S\nsteps:\n  - \(step)\n".utf8), file: "s", for: panel)
      }
    }
  }

  @Test("the index has a row with a picture for each page; RECORD=1 writes it")
  func index() throws {
    var lines = try #require(Self.lines(of: Self.index))
    let groups = Self.pages.map(\.group).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    for group in groups {
      let rows = Self.pages.filter { $0.group == group }.map { page in
        let own = Self.lines(of: page.path) ?? ["# ", "", ""]
        let words = page.places.map { "`\($0.keys[0].name)`" }.joined(separator: ", ")
        let picture = "<img src=\"../../pictures/devices/\(page.name).svg\" alt=\"\" width=\"180\">"
        return "| [\(own[0].dropFirst(2))](\(page.name).md) | \(words) | \(own[2]) | \(picture) |"
      }
      try Self.replace(
        group, in: &lines,
        with: ["| page | in a file | what it is | wiring of the example |", "|---|---|---|---|"] + rows,
        of: Self.index)
    }
    if Self.isRecording { try TextFile.write(lines.joined(separator: "\n"), path: "\(checkoutRoot)/\(Self.index)") }
    let files = names(in: "\(checkoutRoot)/docs/panels/devices").filter { $0.hasSuffix(".md") && $0 != "README.md" }
    #expect(files == Self.pages.map { "\($0.name).md" }.sorted())
  }

  // MARK: - Files

  private static func text(of path: String) -> String {
    String(decoding: bytes(of: "\(checkoutRoot)/\(path)") ?? [], as: UTF8.self)
  }

  private static func lines(of path: String) -> [String]? {
    let text = text(of: path)
    return text.isEmpty ? nil : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Puts text between the marks of a page's part. Expects it there unless it is recorded.
  private static func replace(_ part: String, in lines: inout [String], with text: [String], of path: String) throws {
    let (first, last) = ("<!-- device: \(part) -->", "<!-- end: \(part) -->")
    let begin = try #require(lines.firstIndex(of: first), "\(path) has no \(first)")
    let end = try #require(lines[begin...].firstIndex(of: last), "\(path) has no \(last)")
    if !isRecording { #expect(Array(lines[begin + 1..<end]) == text, "RECORD=1 writes \(path)") }
    lines.replaceSubrange(begin + 1..<end, with: text)
  }

  private static let swift = "Tests/PanelKitTests/Reference/DevicesInSwift.swift"

  /// The block with the page's code in ``DevicesInSwift``; nil if it has none.
  private static func code(of name: String) -> [String]? {
    let lines = lines(of: swift) ?? []
    func comment(_ line: String) -> Substring? {
      let text = line.drop { $0 == " " }
      return text.hasPrefix("// ") ? text.dropFirst(3) : nil
    }
    guard let begin = lines.firstIndex(where: { comment($0) == "page: \(name)" }) else { return nil }
    let code = lines[(begin + 1)...].prefix { comment($0) == nil }
    let lens = [
      "A `Lens` connects a driver to the frame, which is the state of your application.",
      "See [A Swift application](../../swift/application.md#2-write-the-application).", "",
    ]
    return lens + ["<!-- \(swift) -->", "```swift"] + code + ["```"]
  }
}
