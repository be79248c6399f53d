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
  /// The number of repetitions of the alternative where memory is measured.
  let fewer: Int?
  /// Measures something else than time and memory, and nothing but that.
  let amount: Amount?
  /// Whether counting its instructions takes longer than 15 s.
  private var isSlow = false
  /// What has to be kept; nil if the row is only compared with what is recorded.
  var demand: Demand?

  /// Something that is counted or measured once, and its unit.
  struct Amount: Sendable {
    let unit: String
    let measure: @Sendable () throws -> (ours: Double, theirs: Double?)
  }

  /// The most that one of a row's figures may be.
  struct Demand: Sendable {
    enum Figure: Sendable {
      case amount
      case ratioOfAmounts
      /// By how much ours is more than theirs.
      case excess
      case ratioOfInstructions
      case ratioOfTimes
      case milliseconds
    }

    let figure: Figure
    let most: Double
  }

  /// Whether its instructions are counted, within 15 s.
  var isCountedSoon: Bool { amount == nil && !isMemory && !isSlow }

  /// The benchmark as one whose instructions take longer than 15 s to count.
  var slow: Benchmark {
    var benchmark = self
    benchmark.isSlow = true
    return benchmark
  }

  /// The benchmark with a demand.
  func demanding(_ figure: Demand.Figure, atMost most: Double) -> Benchmark {
    var benchmark = self
    benchmark.demand = Demand(figure: figure, most: most)
    return benchmark
  }

  init(
    _ name: String, against yardstick: String, timed: Int, counted: Int = 1_000,
    prepare: @escaping @Sendable () throws -> (ours: Work, theirs: Work)
  ) {
    (self.name, self.yardstick, self.timed, self.counted) = (name, yardstick, timed, counted)
    self.prepare = prepare
    (isMemory, fewer, amount) = (false, nil, nil)
  }

  /// A benchmark without an alternative.
  init(_ name: String, timed: Int, counted: Int = 1_000, prepare: @escaping @Sendable () throws -> Work) {
    (self.name, self.timed, self.counted) = (name, timed, counted)
    yardstick = nil
    self.prepare = { (try prepare(), { _ in }) }
    (isMemory, fewer, amount) = (false, nil, nil)
  }

  /// A benchmark of the peak memory of a process with `count` repetitions.
  ///
  /// - Parameter yardstick: the name of the alternative: as many repetitions as `fewer`.
  init(
    memoryOf name: String, count: Int, against yardstick: String? = nil, fewer: Int? = nil,
    prepare: @escaping @Sendable () throws -> Work
  ) {
    (self.name, self.yardstick) = (name, yardstick)
    (timed, counted, self.fewer) = (0, count, fewer)
    self.prepare = { (try prepare(), { _ in }) }
    (isMemory, amount) = (true, nil)
  }

  /// A benchmark that measures something by itself.
  init(
    _ name: String, in unit: String, against yardstick: String? = nil,
    measure: @escaping @Sendable () throws -> (ours: Double, theirs: Double?)
  ) {
    (self.name, self.yardstick) = (name, yardstick)
    (timed, counted, fewer) = (0, 0, nil)
    prepare = { ({ _ in }, { _ in }) }
    (isMemory, amount) = (false, Amount(unit: unit, measure: measure))
  }
}

/// Every benchmark, in the order of the table.
let benchmarks =
  cycleBenchmarks + sizeBenchmarks + simulationBenchmarks + signalBenchmarks + stateBenchmarks + rowBenchmarks
  + deviceBenchmarks
  + takeBenchmarks + recordingBenchmarks + monitorBenchmarks + soundBenchmarks + panelBenchmarks + networkBenchmarks
