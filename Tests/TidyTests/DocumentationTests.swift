import Testing

@Suite("The documentation")
struct DocumentationTests {
  static let pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"] + Checkout.files(below: "docs", ending: ".md")

  /// A block of code, and the file that the comment before it names.
  struct Block {
    var language: Substring
    var file: Substring?
    var lines: [Substring]
  }

  static func blocks(of page: String) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    var file: Substring?
    for line in (Checkout.text(page) ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(block) }
        open = open == nil ? Block(language: line.dropFirst(3), file: file, lines: []) : nil
        file = nil
      } else if open != nil {
        open?.lines.append(line)
      } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
        file = line.dropFirst(5).dropLast(4)
      }
    }
    return blocks
  }

  @Test("code in the documentation is that of files which are compiled and tested", arguments: pages)
  func code(_ page: String) throws {
    for block in Self.blocks(of: page) where block.language != "sh" {
      let file = try #require(block.file, "\(page): which file is this \(block.language) from?")
      let text = try #require(Checkout.text(String(file)), "\(page) names \(file), which is not there")
      #expect(text.contains(block.lines.joined(separator: "\n")), "\(page) shows what \(file) no longer has")
    }
  }

  @Test("the README shows a panel, a scenario and an application")
  func readme() {
    #expect(Self.blocks(of: "README.md").filter { $0.language == "swift" }.count == 2)
    #expect(Self.blocks(of: "README.md").filter { $0.language == "yaml" }.count == 2)
  }

  @Test("the unit of systemd starts a panel again however often it has failed, and brings it to rest in between")
  func unit() throws {
    let unit = try #require(Checkout.text("Packaging/panel@.service")).split(separator: "\n")
    for line in ["StartLimitIntervalSec=0", "Restart=always"] { #expect(unit.contains { $0 == line }, "\(line)") }
    #expect(unit.contains { $0.hasPrefix("ExecStopPost=") && $0.contains(" safe ") })
  }

  @Test("links lead to files that are there", arguments: pages)
  func links(_ page: String) {
    let folder = page.lastIndex(of: "/").map { String(page[...$0]) } ?? ""
    for part in (Checkout.text(page) ?? "").split(separator: "](").dropFirst() {
      let target = part.prefix { $0 != ")" && $0 != "#" }
      if target.contains("://") || target.isEmpty { continue }
      #expect(Checkout.exists(folder + target), "\(page) links to \(target)")
    }
  }

  @Test("each test that docs/internals/faults.md names is there")
  func faults() throws {
    let lines = try #require(Checkout.text("docs/internals/faults.md")).split(separator: "\n")
    #expect(lines.count { $0.contains("](../../") } >= 130)
    var columns = 0
    for (place, row) in lines.enumerated() where row.hasPrefix("| ") {
      let cells = row.split(separator: " | ")
      if place + 1 < lines.count, lines[place + 1].hasPrefix("|---") {
        columns = cells.count
        continue
      }
      #expect(cells.count == columns, "\(row.prefix(60))")
      guard row.contains("](../../") else {
        let reason = cells.last ?? ""
        #expect(reason.hasPrefix("No ") || reason.contains("`make "), "\(row.prefix(60)) has no test and no reason")
        continue
      }
      // [SuiteTests](../../path): `one`, `other`; [OtherTests](../../path): `third`
      for part in cells.last?.split(separator: "; ") ?? [] {
        let suite = part.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
        let path = part.drop { $0 != "(" }.dropFirst("(../../".count).prefix { $0 != ")" }
        let text = try #require(Checkout.text(String(path)), "there is no \(path)")
        #expect(text.contains("struct \(suite) {"), "\(path) has no \(suite)")
        let names = part.split(separator: "): ").last?.split(separator: "`").enumerated().filter { $0.offset % 2 == 0 }
        #expect(names?.isEmpty == false)
        for (_, name) in names ?? [] where name.allSatisfy({ $0.isLetter }) {
          #expect(text.contains("func \(name)("), "\(path) has no test \(name)")
        }
      }
    }
  }

  @Test("each message in the troubleshooting table is one that a test compares")
  func messages() throws {
    let page = try #require(Checkout.text("docs/panels/troubleshooting.md"))
    let table = page.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains("…") }
    #expect(table.count >= 8)
    let tests = Checkout.textOfTests
    for row in table {
      let message = row.split(separator: "|", omittingEmptySubsequences: false)[1]
      for (place, words) in message.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where !place.isMultiple(of: 2) {
        let isTested = tests.contains(words)
        #expect(isTested, "no test has \(words)")
      }
    }
  }

  @Test("docs/internals/architecture.md names every target and folder, and its files exist")
  func architecture() throws {
    let text = try #require(Checkout.text("docs/internals/architecture.md"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { $0.split(separator: "|") }

    // | target | room | what is in it |, where an empty target is that of the row above.
    var rooms: [Substring: Set<Substring>] = [:]
    var targets: [Substring] = []
    for row in rows where row.count == 3 {
      let named = words(inCode: row[0])
      if !named.isEmpty { targets = named }
      for target in targets { rooms[target, default: []].formUnion(words(inCode: row[1])) }
    }
    for path in Checkout.files(below: "Sources", ending: ".swift") {
      let parts = path.split(separator: "/")
      #expect(text.contains(parts[1]), "docs/internals/architecture.md does not name \(parts[1])")
      if parts.count > 3 { #expect(rooms[parts[1]]?.contains(parts[2]) == true, "\(parts[1]) has no room \(parts[2])") }
    }

    // | step | `Target/Room/File.swift`, `Other.swift` |, where a name without a folder is in that of the name before it.
    var count = 0
    for row in rows where row.count == 2 {
      var folder = ""
      for name in words(inCode: row[1]) where name.hasSuffix(".swift") || name.hasSuffix(".c") {
        let isThere = Checkout.exists("Sources/\(folder)\(name)")
        let path = isThere ? folder + name : inTarget(of: folder, name)
        #expect(Checkout.exists("Sources/\(path)"), "\(name) after \(folder)")
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        count += 1
      }
    }
    #expect(count >= 30)
  }

  @Test("in the picture of the architecture, each target is above the targets that it depends on")
  func picture() throws {
    let picture = try #require(Checkout.text("docs/internals/architecture.txt")).split(
      separator: "\n", omittingEmptySubsequences: false)
    // A target is the first word of a line.
    func line(of target: Substring) -> Int? {
      picture.firstIndex { $0.split { !($0.isLetter || $0.isNumber) }.first == target }
    }
    let package = try #require(Checkout.text("Package.swift"))
    var (targets, pairs) = (0, 0)
    // A target of the sources begins a line with its kind. Its quoted words are its name, its folder, its dependencies.
    var names: [Substring]?
    func check() {
      guard let names, let name = names.first else { return }
      guard let above = line(of: name) else {
        let isC = name.hasPrefix("C") && !name.hasPrefix("Cycle")
        #expect(isC || name.hasPrefix("lib"), "\(name) is not in the picture")
        return
      }
      targets += 1
      for dependency in names.dropFirst() {
        guard let below = line(of: dependency), dependency != name else { continue }
        #expect(below > above, "\(dependency) is not below \(name)")
        pairs += 1
      }
    }
    for row in package.split(separator: "\n") {
      if row.hasPrefix("    .") || row.hasPrefix("  ]") {
        check()
        let isTarget = ["target(", "panel(", "executableTarget("].contains { row.hasPrefix("    .\($0)") }
        names = isTarget ? [] : nil
      }
      names? += quoted(row)
      // Targets of the tests have other folders.
      if row.contains("path: \"Tests") { names = nil }
    }
    #expect(targets >= 21 && pairs >= 90, "\(targets) targets, \(pairs) dependencies")
  }

  private func quoted(_ row: Substring) -> [Substring] {
    row.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { !$0.offset.isMultiple(of: 2) }
      .map(\.element)
  }

  /// A path whose first folder is either a target or a room of the target that was named before it.
  private func inTarget(of folder: String, _ name: Substring) -> String {
    if Checkout.exists("Sources/\(name)") { return String(name) }
    return folder.prefix { $0 != "/" } + "/" + name
  }

  /// What a line has between back quotes.
  private func words(inCode text: Substring) -> [Substring] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map(
      \.element)
  }
}
