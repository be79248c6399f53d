/// Work that is repeated and measured, and the alternative that it is compared with.
struct Benchmark: Sendable {
  /// Repeats the work `count` times.
  typealias Work = (_ count: Int) throws -> Void

  let name: String
  /// The name of the alternative; nil if there is none.
  let yardstick: String?
  /// The number of repetitions in one timed round; 0 if nothing is timed.
  let timed: Int
  /// The number of repetitions while instructions are counted or memory is measured.
  let counted: Int
  /// Makes both sides, before measuring.
  let prepare: @Sendable () throws -> (ours: Work, theirs: Work)
  /// Whether the peak memory of a process with `counted` repetitions is measured, and nothing else.
  let isMemory: Bool

  init(
    _ name: String, against yardstick: String, timed: Int, counted: Int = 1_000,
    prepare: @escaping @Sendable () throws -> (ours: Work, theirs: Work)
  ) {
    (self.name, self.yardstick, self.timed, self.counted) = (name, yardstick, timed, counted)
    self.prepare = prepare
    isMemory = false
  }

  /// A benchmark without an alternative.
  init(_ name: String, timed: Int, counted: Int = 1_000, prepare: @escaping @Sendable () throws -> Work) {
    (self.name, self.timed, self.counted) = (name, timed, counted)
    yardstick = nil
    self.prepare = { (try prepare(), { _ in }) }
    isMemory = false
  }

  /// A benchmark of the peak memory of a process with `count` repetitions.
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
  + takeBenchmarks + soundBenchmarks + panelBenchmarks
