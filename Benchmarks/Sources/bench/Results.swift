import Glibc

/// Reads the table of figures recorded in the repository, and prints new figures compared with it.
struct Results {
  let path: String
  /// The figures in the file, by the names of the rows.
  private let recorded: [String: Recorded]

  private struct Recorded {
    /// Instructions, or kB.
    var cost: Double?
    /// The row as the file has it.
    var line: String
  }

  /// A row fails if its instructions exceed the recorded ones by more than this factor.
  private static let allowedGrowth = 1.03
  /// A row fails if its memory exceeds the recorded one by more than this factor; memory is counted in pages.
  private static let allowedGrowthOfMemory = 1.10

  private static let heading = """
    | what | against | instructions | theirs | ratio | mallocs | ns | theirs, ns | ratio of times | demand |
    |---|---|---|---|---|---|---|---|---|---|
    """

  init(path: String) {
    self.path = path
    recorded = Self.read(path)
  }

  func printHeading() { Swift.print(Self.heading) }

  /// Prints the row. False if its cost has grown by more than the allowed factor, or if what it demands is not kept.
  func print(_ row: Row) -> Bool {
    var remarks: [String] = []
    var isWithin = true
    // What is demanded says itself how much it may be.
    if row.demand == nil, let cost = row.cost, let last = recorded[row.name]?.cost {
      let growth = cost / last
      isWithin = growth <= (row.ours.amount == nil ? Self.allowedGrowth : Self.allowedGrowthOfMemory)
      remarks.append("\(isWithin ? "" : "DEARER: ")\(significant(growth)) × what is recorded")
    }
    if let demand = row.demand, let figure = row.figure(of: demand), figure > demand.most {
      isWithin = false
      remarks.append("MISSED: \(significant(figure)), demanded is \(text(demand))")
    }
    Swift.print(line(row) + remarks.map { " \($0)" }.joined())
    return isWithin
  }

  /// Whether there is something to compare: a cost that was measured, and one that is recorded.
  func isCompared(_ row: Row) -> Bool {
    if row.cost == nil { Swift.print("NOT COUNTED: \(row.name); does valgrind work here?") }
    if recorded[row.name]?.cost == nil { Swift.print("NOT RECORDED: \(row.name); run make bench BENCH=--record") }
    return row.cost != nil && recorded[row.name]?.cost != nil
  }

  /// Writes the file again. A row that was not measured now stays as it is.
  ///
  /// - Parameter names: the names of all rows, in their order.
  func record(_ rows: [Row], among names: [String]) {
    let measured = Dictionary(rows.map { ($0.name, line($0)) }, uniquingKeysWith: { first, _ in first })
    let lines = names.compactMap { measured[$0] ?? recorded[$0]?.line }
    let text = """
      # Measured

      `make bench` prints this table anew. Callgrind counts the instructions for one time, exact to about 1 %. A row fails if it takes more than
      1.03 times the instructions, or 1.1 times the memory, that are recorded here. `make count` counts the instructions alone, and leaves out two
      rows that take minutes. Times are medians of one run on one machine: only their ratios carry over to another, and those swing. Memory is
      the most that a process had, in kB. A row with a demand fails if it is not kept.

      \(Self.heading)
      \(lines.joined(separator: "\n"))

      """
    guard let file = fopen(path, "w") else { return perror(path) }
    fputs(text, file)
    fclose(file)
  }

  private func line(_ row: Row) -> String {
    let cells = [
      row.name, row.yardstick ?? "—", cost(of: row.ours, in: row.unit), cost(of: row.theirs, in: row.unit),
      text(row.ratioOfAmounts ?? row.ratioOfInstructions), text(row.mallocs), text(row.ours.nanoseconds),
      text(row.theirs.nanoseconds), text(row.ratioOfTimes), row.demand.map(text) ?? "—",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func text(_ value: Double?) -> String { value.map(significant) ?? "—" }

  private func cost(of side: Row.Figures, in unit: String) -> String {
    side.amount.map { "\(significant($0)) \(unit)" } ?? text(side.instructions)
  }

  private func text(_ demand: Benchmark.Demand) -> String {
    let most = significant(demand.most)
    return switch demand.figure {
    case .amount: "≤ \(most)"
    case .ratioOfAmounts, .ratioOfInstructions: "ratio ≤ \(most)"
    case .excess: "≤ theirs + \(most)"
    case .ratioOfTimes: "ratio of times ≤ \(most)"
    case .milliseconds: "≤ \(most) ms"
    }
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
      rows[cells[0]] = Recorded(cost: cost, line: String(text.prefix { $0 != "\n" }))
    }
    return rows
  }
}

extension Row {
  /// The figure that is compared with the recorded one: instructions, or what else is measured.
  fileprivate var cost: Double? { ours.amount ?? ours.instructions }

  fileprivate var ratioOfAmounts: Double? { Self.ratio(ours.amount, theirs.amount) }
  fileprivate var ratioOfInstructions: Double? { Self.ratio(ours.instructions, theirs.instructions) }
  fileprivate var ratioOfTimes: Double? { Self.ratio(ours.nanoseconds, theirs.nanoseconds) }

  private static func ratio(_ ours: Double?, _ theirs: Double?) -> Double? {
    guard let ours, let theirs, theirs > 0 else { return nil }
    return ours / theirs
  }

  /// The figure that a demand is about; nil if it was not measured.
  fileprivate func figure(of demand: Benchmark.Demand) -> Double? {
    switch demand.figure {
    case .amount: ours.amount
    case .ratioOfAmounts: ratioOfAmounts
    case .excess: ours.amount.flatMap { ours in theirs.amount.map { ours - $0 } }
    case .ratioOfInstructions: ratioOfInstructions
    case .ratioOfTimes: ratioOfTimes
    case .milliseconds: ours.nanoseconds.map { $0 / 1e6 }
    }
  }
}
