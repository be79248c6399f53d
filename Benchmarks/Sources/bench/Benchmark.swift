/// Something that is done again and again, and what it is measured against.
struct Benchmark: Sendable {
  /// Does it so many times.
  typealias Work = (_ count: Int) throws -> Void

  let name: String
  /// What it is measured against; nil where it is measured alone.
  let yardstick: String?
  /// How many times in one round of the clock; 0 where only instructions are counted.
  let timed: Int
  /// How many times while instructions are counted.
  let counted: Int
  /// Makes what is measured, which is not measured itself.
  let prepare: @Sendable () throws -> (ours: Work, theirs: Work)
  /// Whether it is the memory of a process that is measured, which does it so many times.
  let isMemory: Bool

  init(
    _ name: String, against yardstick: String, timed: Int, counted: Int = 1_000,
    prepare: @escaping @Sendable () throws -> (ours: Work, theirs: Work)
  ) {
    (self.name, self.yardstick, self.timed, self.counted) = (name, yardstick, timed, counted)
    self.prepare = prepare
    isMemory = false
  }

  /// Measured alone.
  init(_ name: String, timed: Int, counted: Int = 1_000, prepare: @escaping @Sendable () throws -> Work) {
    (self.name, self.timed, self.counted) = (name, timed, counted)
    yardstick = nil
    self.prepare = { (try prepare(), { _ in }) }
    isMemory = false
  }

  /// The most memory that a process takes which does it so many times.
  init(memoryOf name: String, count: Int, prepare: @escaping @Sendable () throws -> Work) {
    self.name = name
    (timed, counted) = (0, count)
    yardstick = nil
    self.prepare = { (try prepare(), { _ in }) }
    isMemory = true
  }
}

/// Every benchmark, in the order of the table.
let benchmarks =
  cycleBenchmarks + sizeBenchmarks + simulationBenchmarks + signalBenchmarks + stateBenchmarks + rowBenchmarks
  + soundBenchmarks + panelBenchmarks
