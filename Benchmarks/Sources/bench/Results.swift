import Glibc

/// Reads the table of figures recorded in the repository, and prints new figures compared with it.
struct Results {
  let path: String
  /// The figures in the file, by the names of the rows.
  private let recorded: [String: Recorded]

  private struct Recorded {
    /// Instructions, or kB.
    var cost: Double?
    var ratio: String
  }

  /// A row fails if its cost exceeds the recorded one by more than this factor.
  private static let allowedGrowth = 1.10

  private static let heading = """
    | what | against | instructions | theirs | ratio | mallocs | ns | theirs, ns | ratio of times |
    |---|---|---|---|---|---|---|---|---|
    """

  init(path: String) {
    self.path = path
    recorded = Self.read(path)
  }

  func printHeading() { Swift.print(Self.heading) }

  /// Prints the row. False if its cost has grown by more than the allowed factor.
  func print(_ row: Row) -> Bool {
    let before = recorded[row.name]
    guard let cost = row.cost, let last = before?.cost else {
      Swift.print(line(row))
      return true
    }
    let growth = cost / last
    let isDearer = growth > Self.allowedGrowth
    Swift.print(line(row) + " \(isDearer ? "DEARER: " : "")\(significant(growth)) × what is recorded")
    return !isDearer
  }

  func record(_ rows: [Row]) {
    let text = """
      # Measured

      `make bench` prints this table anew. Instructions are counted by callgrind for one time, exact to about 1 %; a row that takes more
      than 1.1 times what is recorded here fails it. Times are medians of one run on one machine: only their ratios carry over to
      another, and those swing. Memory is the most that a process had, in kB.

      \(Self.heading)
      \(rows.map(line).joined(separator: "\n"))

      """
    guard let file = fopen(path, "w") else { return perror(path) }
    fputs(text, file)
    fclose(file)
  }

  private func line(_ row: Row) -> String {
    let cost = row.memory.map { "\(significant($0)) kB" } ?? text(row.ours.instructions)
    let cells = [
      row.name, row.yardstick ?? "—", cost, text(row.theirs.instructions),
      ratio(row.ours.instructions, row.theirs.instructions), text(row.mallocs), text(row.ours.nanoseconds),
      text(row.theirs.nanoseconds), ratio(row.ours.nanoseconds, row.theirs.nanoseconds),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func text(_ value: Double?) -> String { value.map(significant) ?? "—" }

  private func ratio(_ ours: Double?, _ theirs: Double?) -> String {
    guard let ours, let theirs, theirs > 0 else { return "—" }
    return significant(ours / theirs)
  }

  /// The value with four significant digits, at most three of them decimals.
  private func significant(_ value: Double) -> String {
    guard abs(value) >= 0.0005 else { return "0" }
    let digits = Int(3 - log10(abs(value)).rounded(.down))
    guard digits > 0 else {
      let unit = pow(10, Double(-digits))
      return "\(Int((value / unit).rounded() * unit))"
    }
    let scale = pow(10, Double(min(digits, 3)))
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  private static func read(_ path: String) -> [String: Recorded] {
    guard let file = fopen(path, "r") else { return [:] }
    defer { fclose(file) }
    var rows: [String: Recorded] = [:]
    var buffer = [CChar](repeating: 0, count: 1024)
    while fgets(&buffer, 1024, file) != nil {
      let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let cells = text.split(separator: "|").map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      guard cells.count >= 6 else { continue }
      let cost = cells[2].split(separator: " ").first.flatMap { Double($0) }
      rows[cells[0]] = Recorded(cost: cost, ratio: cells[4])
    }
    return rows
  }
}

extension Row {
  /// The figure that is compared with the recorded one: instructions, or kB.
  fileprivate var cost: Double? { memory ?? ours.instructions }
}
