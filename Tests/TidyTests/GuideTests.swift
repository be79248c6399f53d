import Testing

/// The pages about panel files, below `docs/panels`.
@Suite("The guide of panel files")
struct GuideTests {
  static let pages = Checkout.files(below: "docs/panels", ending: ".md")
  static let steps = "docs/panels/ten-steps.md"
  static let examples = "Examples/steps"

  @Test("each panel and each scenario in the guide is made of whole lines of an example", arguments: pages)
  func blocks(_ page: String) throws {
    for block in DocumentationTests.blocks(of: page) where block.language == "yaml" {
      let file = try #require(block.file, "\(page): which file is this from?")
      // The examples of sheets are run by their tests.
      let isSheet = file.hasSuffix(".sheet.yaml")
      #expect(isSheet || file.hasPrefix("Examples/"), "\(page): make examples doesn't run \(file)")
      #expect(Checkout.lines(String(file)).contains(block.lines), "\(page) shows what \(file) doesn't have")
    }
  }

  @Test("the guide shows each of its panels whole, and each of their scenarios")
  func wholePanels() throws {
    let blocks = DocumentationTests.blocks(of: Self.steps)
    let panels = Checkout.files(below: Self.examples, ending: ".panel.yaml")
    #expect(panels.count == 10)
    for panel in panels {
      let name = panel.dropLast(".panel.yaml".count)
      let scenarios = Checkout.files(below: Self.examples, ending: ".scenario.yaml").filter { $0.hasPrefix(name) }
      #expect(!scenarios.isEmpty, "\(panel) has no scenario")
      for file in [panel] + scenarios {
        // A file ends with the end of its last line.
        let lines = Checkout.lines(file).dropLast()
        #expect(blocks.contains { $0.file == file[...] && $0.lines == Array(lines) }, "\(file)")
      }
    }
  }

  @Test("make examples checks and tests the panels of the guide, and proves what its last one promises")
  func makefile() throws {
    let makefile = try #require(Checkout.text("Makefile"))
    #expect(makefile.contains(" check --strict Examples/*/*.panel.yaml\n"))
    #expect(makefile.contains(" test $(PANELS)\n"))
    #expect(makefile.contains(" prove Examples/steps/10-garage.panel.yaml\n"))
  }

  @Test("the reference has every key of panel files and of scenarios")
  func keys() throws {
    let text = try ["reference", "scenarios", "sheets"].map { try #require(Checkout.text("docs/panels/\($0).md")) }
      .joined()
    let known = Set(
      text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }
        .flatMap { $0.element.split { !($0.isLetter || $0.isNumber || $0 == "-") } })
    var count = 0
    for file in SourceFile.all(below: "Sources/PanelKit") {
      // Key(name: "button", …), on one line or on several.
      for part in file.lines.joined(separator: " ").split(separator: "Key(").dropFirst() {
        let start = part.drop { $0 == " " }
        guard start.hasPrefix("name: \"") else { continue }
        let key = start.dropFirst("name: \"".count).prefix { $0 != "\"" }
        let isKnown = known.contains(key)
        #expect(isKnown, "\(file.path) has the key \(key)")
        count += 1
      }
    }
    #expect(count >= 80)
  }

  @Test("each message in the guide is one that a test compares")
  func messages() throws {
    let page = try #require(Checkout.text("docs/panels/messages.md"))
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count >= 40)
    let tests = Checkout.textOfTests
    for row in rows {
      let message = row.dropFirst("| `".count).prefix { $0 != "`" }
      let isTested = tests.contains(message)
      #expect(isTested, "no test has \(message)")
    }
  }
}

extension Checkout {
  /// The lines of a file; the last one is empty if the file ends with the end of a line.
  fileprivate static func lines(_ path: String) -> [Substring] {
    (text(path) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
  }
}
