import CycleCore

/// What is to be done on a device's lines, one step after the other: a protocol that is clocked, a pulse, a scan.
///
///     steps.write(.first(1), hold: .microseconds(10))      // trigger high, for at least 10 µs
///     steps.write([])                                      // and low
///
/// However late the cycle is, no pause is shorter than asked for: it counts from the moment of the write. Pauses of up to 100 µs are waited
/// for, longer ones are wake-ups; between two of those, other drivers have their turn. In a simulation each step has a moment of its
/// own.
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
    /// Of a turn: its place in `turns`.
    var turn = 0

    /// Whether the next step may follow at once, and nobody has to be told of this one.
    @inline(__always) var isPlainWrite: Bool { action == .write && hold == 0 }
  }

  var steps: [Step] = []
  var turns: [[LineConfiguration]] = []

  /// No steps.
  public init() {}

  public var isEmpty: Bool { steps.isEmpty }

  /// Sets the output lines in `mask` to `values`, and holds that for so long at least.
  ///
  /// - Parameters:
  ///   - values: bit n is the device's line n.
  ///   - mask: all output lines unless given.
  ///   - hold: at least zero; how long until the next step.
  public mutating func write(_ values: LineValues, mask: LineValues = LineValues(rawValue: .max), hold: Duration) {
    steps.append(Step(action: .write, values: values, mask: mask, hold: hold.wholeNanoseconds))
  }

  /// Sets the output lines in `mask` to `values`; the next step may follow at once.
  // A function of its own: to convert a span for each of a row's hundred steps would take as long as all the rest of them.
  public mutating func write(_ values: LineValues, mask: LineValues = LineValues(rawValue: .max)) {
    steps.append(Step(action: .write, values: values, mask: mask, hold: 0))
  }

  /// Reads all lines of the device, and tells it by ``LineDevice/receive(_:at:emit:)``, `pause` after the step before.
  public mutating func read(after pause: Duration = .zero) {
    if pause > .zero, let last = steps.indices.last {
      steps[last].hold = max(steps[last].hold, pause.wholeNanoseconds)
    }
    steps.append(Step(action: .read, values: [], mask: [], hold: 0))
  }

  /// Turns lines around, or gives them another bias or drive, and holds that for so long at least.
  ///
  /// - Parameter lines: all lines of the device, in the order of ``LineDevice/lines``.
  public mutating func turn(_ lines: [LineConfiguration], hold: Duration = .zero) {
    turns.append(lines)
    steps.append(Step(action: .turn, values: [], mask: [], hold: hold.wholeNanoseconds, turn: turns.count - 1))
  }

  mutating func removeAll() {
    steps.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
  }
}

/// The steps of one device, and how far they are done.
struct PendingSteps {
  var steps = LineSteps()
  private(set) var isActive = false
  var done = 0
  /// When the next step may be done, on the loop's clock.
  var due = Moment.zero

  var isDone: Bool { done == steps.steps.count }

  /// The next step, which counts as done; nil when there is none left.
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
