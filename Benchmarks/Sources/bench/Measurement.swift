import Glibc
import MallocCount

/// The figures of a benchmark. Those that were not measured are nil.
struct Row {
  struct Figures {
    /// Per repetition.
    var instructions: Double?
    var nanoseconds: Double?
    /// What else is measured, in the row's unit.
    var amount: Double?
  }

  let name: String
  let yardstick: String?
  var ours = Figures()
  var theirs = Figures()
  /// Allocations per repetition.
  var mallocs: Double?
  /// The unit of ``Figures/amount``.
  var unit = ""
  /// What has to be kept.
  var demand: Benchmark.Demand?
}

enum Measurement {
  private static let rounds = 7

  /// Measures a benchmark: counts its instructions where callgrind is there, and times it.
  static func measure(_ benchmark: Benchmark) throws -> Row {
    var row = Row(name: benchmark.name, yardstick: benchmark.yardstick, demand: benchmark.demand)
    if benchmark.isMemory {
      (row.ours.amount, row.unit) = (peakMemory(of: benchmark, benchmark.counted), "kB")
      row.theirs.amount = benchmark.fewer.flatMap { peakMemory(of: benchmark, $0) }
      return row
    }
    if let amount = benchmark.amount {
      (row.ours.amount, row.theirs.amount) = try amount.measure()
      row.unit = amount.unit
      return row
    }
    row.ours.instructions = instructions(of: benchmark, side: "ours")
    if benchmark.yardstick != nil { row.theirs.instructions = instructions(of: benchmark, side: "theirs") }
    try time(benchmark, into: &row)
    return row
  }

  /// The row with only the instructions of our side. They are compared with what is recorded, also where the row
  /// demands something else.
  static func count(_ benchmark: Benchmark) -> Row {
    var row = Row(name: benchmark.name, yardstick: benchmark.yardstick)
    row.ours.instructions = instructions(of: benchmark, side: "ours")
    return row
  }

  /// Repeats one side of a benchmark `count` times, in a process that is measured from outside.
  static func run(_ benchmark: Benchmark, side: String, count: Int) throws {
    let work = try benchmark.prepare()
    try side == "ours" ? work.ours(count) : work.theirs(count)
  }

  // MARK: - Time

  /// Times both sides alternately, so that both meet the same load of the machine.
  private static func time(_ benchmark: Benchmark, into row: inout Row) throws {
    guard benchmark.timed > 0 else { return }
    let count = benchmark.timed
    let work = try benchmark.prepare()
    let clock = ContinuousClock()
    var times: (ours: [Double], theirs: [Double]) = ([], [])
    try work.ours(count)
    try work.theirs(count)
    for _ in 0..<rounds {
      times.ours.append(nanoseconds(try clock.measure { try work.ours(count) }) / Double(count))
      times.theirs.append(nanoseconds(try clock.measure { try work.theirs(count) }) / Double(count))
    }
    row.ours.nanoseconds = median(times.ours)
    if benchmark.yardstick != nil { row.theirs.nanoseconds = median(times.theirs) }
    // Costs that a run has once, such as making the cycle, are in both numbers and cancel out.
    let allocations = (try countMallocs { try work.ours(count) }, try countMallocs { try work.ours(2 * count) })
    row.mallocs = Double(allocations.1 - allocations.0) / Double(count)
  }

  private static func countMallocs(_ body: () throws -> Void) rethrows -> Int {
    let before = malloc_count()
    try body()
    return Int(malloc_count() - before)
  }

  private static func nanoseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  // MARK: - Processes of its own

  static let canCountInstructions = output(of: "command -v valgrind") != ""

  /// The instructions of one repetition, exact to 1 %: those of a process with `2 * counted` repetitions, less those of
  /// a process with `counted`, divided by `counted`.
  private static func instructions(of benchmark: Benchmark, side: String) -> Double? {
    guard canCountInstructions else { return nil }
    let counts = [benchmark.counted, 2 * benchmark.counted].map { count in
      total(
        output(
          of:
            "valgrind --tool=callgrind --trace-children=yes --callgrind-out-file=/dev/null \(call(benchmark, side, count)) 2>&1 >/dev/null"
        ))
    }
    guard let once = counts[0], let twice = counts[1] else { return nil }
    return Double(twice - once) / Double(benchmark.counted)
  }

  /// The number behind "Collected :".
  private static func total(_ text: String) -> Int? {
    guard let line = text.split(separator: "\n").last(where: { $0.contains("Collected :") }) else { return nil }
    return line.split(separator: " ").last.flatMap { Int($0) }
  }

  /// The peak memory of a process that runs the benchmark, without files mapped into it, in kB.
  private static func peakMemory(of benchmark: Benchmark, _ count: Int) -> Double? {
    Double(output(of: call(benchmark, "memory", count)).filter { $0 != "\n" })
  }

  /// The highest resident memory of this process, without what is mapped from files: `VmHWM` less `RssFile` of proc(5).
  static func printPeakMemory() {
    let status = output(of: "cat /proc/\(getpid())/status")
    func kilobytes(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
      return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    print(kilobytes("VmHWM") - kilobytes("RssFile"))
  }

  private static func call(_ benchmark: Benchmark, _ side: String, _ count: Int) -> String {
    "'\(CommandLine.arguments[0])' --one '\(benchmark.name)' \(side) \(count)"
  }

  static func output(of command: String) -> String {
    guard let pipe = popen(command, "r") else { return "" }
    defer { pclose(pipe) }
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text
  }
}
