import CycleCore

/// Actions on a device's lines, done one after the other: a clocked protocol, a pulse, a scan.
///
///     steps.write(.first(1), hold: .microseconds(10))      // trigger high, for at least 10 µs
///     steps.write([])                                      // and low
///
/// No pause is shorter than requested, however late the cycle is: it is counted from the moment of the write. A pause
/// of up to 100 µs blocks the thread; a longer one is a wake-up, and other drivers run during it. In a simulation each
/// step has its own moment.
public struct LineSteps {
  enum Action: UInt8 {
    case write
    case read
    case turn
  }

  struct Step {
    var action: Action
    var values: LineValues
    var mask: LineValues
    var hold: Int64
    /// The index of a turn's configuration in `turns`.
    var turn = 0

    /// Whether the next step may follow immediately and the device isn't called after this one.
    @inline(__always) var isPlainWrite: Bool { action == .write && hold == 0 }
  }

  var steps: [Step] = []
  var turns: [[LineConfiguration]] = []

  /// No steps.
  public init() {}

  public var isEmpty: Bool { steps.isEmpty }

  /// Sets the output lines in `mask` to `values` and holds them for at least `hold`.
  ///
  /// - Parameters:
  ///   - values: bit n is the device's line n.
  ///   - mask: the lines to set; all output lines unless given.
  ///   - hold: the time until the next step; at least zero.
  public mutating func write(_ values: LineValues, mask: LineValues = LineValues(rawValue: .max), hold: Duration) {
    steps.append(Step(action: .write, values: values, mask: mask, hold: hold.wholeNanoseconds))
  }

  /// Sets the output lines in `mask` to `values`; the next step may follow immediately.
  // A separate function: converting a `Duration` for each of a row's hundred steps would double the time.
  public mutating func write(_ values: LineValues, mask: LineValues = LineValues(rawValue: .max)) {
    steps.append(Step(action: .write, values: values, mask: mask, hold: 0))
  }

  /// Reads all lines of the device at least `pause` after the previous step. ``StepReader/receive(_:at:emit:)`` gets
  /// the values.
  public mutating func read(after pause: Duration = .zero) {
    if pause > .zero, let last = steps.indices.last {
      steps[last].hold = max(steps[last].hold, pause.wholeNanoseconds)
    }
    steps.append(Step(action: .read, values: [], mask: [], hold: 0))
  }

  /// Changes the direction, bias or drive of lines, then waits for at least `hold`.
  ///
  /// - Parameter lines: all lines of the device, in the order of ``LineDevice/lines``.
  /// - Parameter hold: the time for which the values are held.
  public mutating func turn(_ lines: [LineConfiguration], hold: Duration = .zero) {
    turns.append(lines)
    steps.append(Step(action: .turn, values: [], mask: [], hold: hold.wholeNanoseconds, turn: turns.count - 1))
  }

  mutating func removeAll() {
    steps.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
  }
}

/// How long steps may take, in nanoseconds.
enum StepTiming {
  /// The longest time for which the steps of one call may block other drivers: half of the 1 ms that a driver may take.
  static var longestRun: Int64 { 500_000 }
  /// The longest pause that blocks the thread; a longer one is a wake-up.
  static var longestWait: Int64 { 100_000 }
  /// The time that a step without a pause is assumed to take.
  static var callTime: Int64 { 2_000 }
}

/// The steps of one device, and the number of steps that are done.
struct PendingSteps {
  var steps = LineSteps()
  private(set) var isActive = false
  var done = 0
  /// The moment at which the next step may be done, on the loop's clock.
  var due = Moment.zero

  var isDone: Bool { done == steps.steps.count }

  /// Returns the next step and counts it as done; nil if none is left.
  mutating func next() -> LineSteps.Step? {
    guard !isDone else { return nil }
    defer { done += 1 }
    return steps.steps[done]
  }

  mutating func begin(at clock: Moment) {
    isActive = true
    done = 0
    due = clock
  }

  mutating func end() {
    isActive = false
    steps.removeAll()
  }
}
