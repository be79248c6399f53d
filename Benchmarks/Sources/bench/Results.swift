import Glibc

/// The table of figures in the repository, and the new one beside it.
struct Results {
  let path: String

  private static let heading = """
    | what | against | ours, ns | theirs, ns | ratio | ours a second | mallocs |
    |---|---|---|---|---|---|---|
    """

  func print(_ rows: [Row]) {
    let before = ratios()
    Swift.print(Self.heading)
    for row in rows {
      let last = before[row.name].map { " (was \($0))" } ?? ""
      Swift.print(line(row, ratio: significant(row.ratio) + last))
    }
  }

  func record(_ rows: [Row]) {
    let text = """
      # Measured

      `make bench` prints this table anew, with the ratios of this one beside it. Times are medians of one run on one machine, in
      nanoseconds; only the ratios carry over to another.

      \(Self.heading)
      \(rows.map { line($0, ratio: significant($0.ratio)) }.joined(separator: "\n"))

      """
    guard let file = fopen(path, "w") else { return perror(path) }
    fputs(text, file)
    fclose(file)
  }

  private func line(_ row: Row, ratio: String) -> String {
    let mallocs = row.mallocs.map { significant($0) } ?? "—"
    return "| \(row.name) | \(row.yardstick) | \(significant(row.ours)) | \(significant(row.theirs)) | \(ratio) "
      + "| \(significant(1e9 / row.ours)) | \(mallocs) |"
  }

  /// Three digits that mean something.
  private func significant(_ value: Double) -> String {
    guard value != 0 else { return "0" }
    let digits = Int(2 - log10(abs(value)).rounded(.down))
    guard digits > 0 else {
      let unit = pow(10, Double(-digits))
      return "\(Int((value / unit).rounded() * unit))"
    }
    let scale = pow(10, Double(digits))
    return "\((value * scale).rounded() / scale)"
  }

  /// The ratios in the file, by the names of the rows.
  private func ratios() -> [String: String] {
    guard let file = fopen(path, "r") else { return [:] }
    defer { fclose(file) }
    var ratios: [String: String] = [:]
    var buffer = [CChar](repeating: 0, count: 1024)
    while fgets(&buffer, 1024, file) != nil {
      let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let cells = text.split(separator: "|").map { cell in cell.drop { $0 == " " } }
      guard cells.count >= 6 else { continue }
      ratios[String(cells[0]).trimmed] = String(cells[4]).trimmed
    }
    return ratios
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
