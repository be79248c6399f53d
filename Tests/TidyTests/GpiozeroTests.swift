import Testing

/// The page that compares gpiozero's tests with those of this project.
@Suite("The comparison with gpiozero's tests")
struct GpiozeroTests {
  private static let page = "docs/internals/gpiozero.md"
  private static let verdicts: [Substring] = ["passed", "decided", "missing"]

  /// A row: | device | case | verdict | test, or reason |.
  private struct Row {
    var file: Substring
    var name: Substring
    var verdict: Substring
    var text: Substring
  }

  private static func cells(of line: Substring) -> [Substring] {
    line.split(separator: "|").map { $0.dropFirst().dropLast() }
  }

  /// The rows below the heading of each file.
  private static func rows() throws -> [Row] {
    var rows: [Row] = []
    var file: Substring = ""
    for line in try #require(Checkout.text(page)).split(separator: "\n") {
      if line.hasPrefix("## ") { file = line.dropFirst(3) }
      let cells = cells(of: line)
      guard line.hasPrefix("| "), cells.count == 4, cells[1].hasPrefix("`test_") else { continue }
      rows.append(Row(file: file, name: cells[1], verdict: cells[2], text: cells[3]))
    }
    return rows
  }

  @Test("each test and each scenario that the page names is there")
  func tests() throws {
    var files: [Substring: String] = [:]
    for row in try Self.rows() {
      #expect(Self.verdicts.contains(row.verdict), "\(row.name) is \(row.verdict)")
      #expect(!row.text.isEmpty)
      // [MotorTests](../../path): `title`; [OtherTests](../../path): `title`
      let parts = row.text.split(separator: "](../../").dropFirst()
      #expect(row.verdict != "passed" || !parts.isEmpty, "\(row.name) has passed without a test")
      for part in parts {
        let path = part.prefix { $0 != ")" }
        let title = part.dropFirst(path.count + "): `".count).prefix { $0 != "`" }
        if files[path] == nil { files[path] = Checkout.text(String(path)) }
        let text = try #require(files[path], "there is no \(path)")
        let isThere = path.hasSuffix(".yaml") ? text.hasPrefix("scenario: \(title)\n") : text.contains("\"\(title)\"")
        #expect(isThere && !title.isEmpty, "\(path) has no test \(title)")
      }
    }
  }

  @Test("the summary has the numbers of the rows, and no case is there twice")
  func summary() throws {
    let rows = try Self.rows()
    #expect(rows.count == 179)
    #expect(Set(rows.map { "\($0.file) \($0.name)" }).count == rows.count)
    var lines: [String: [Int]] = [:]
    for line in try #require(Checkout.text(Self.page)).split(separator: "\n") {
      let cells = Self.cells(of: line)
      let numbers = cells.dropFirst().compactMap { Int($0) }
      guard cells.count == 5, numbers.count == 4 else { continue }
      // [test_outputs.py](#test_outputspy), or: all
      let name = cells[0].hasPrefix("[") ? cells[0].dropFirst().prefix { $0 != "]" } : cells[0]
      lines[String(name)] = numbers
    }
    let files = Set(rows.map(\.file))
    #expect(Set(lines.keys) == Set(files.map(String.init) + ["all"]))
    for file in files.map(Optional.some) + [nil] {
      let own = rows.filter { file == nil || $0.file == file }
      let counts = Self.verdicts.map { verdict in own.count { $0.verdict == verdict } }
      #expect(lines[file.map(String.init) ?? "all"] == [own.count] + counts, "\(file ?? "all")")
    }
  }
}
