import CycleCore

/// Ends the run of a driver that never rests: its laws would take hours.
final class StepLimit {
  /// The number of steps that each run may take.
  private static let free = 100_000
  /// The number of steps that a run may take beside these in each second: twice as many as a driver takes that reads
  /// its hardware each millisecond.
  private static let eachSecond = 4_000

  /// The sentence of the law, if the run has ended early.
  private(set) var violations: [String] = []

  /// Stops an application that takes more steps on the bench.
  ///
  /// - Parameter exceed: called once when it does.
  init(of cycle: any Application, on bench: Bench, exceed: @escaping () -> Void = {}) {
    var steps = 0
    let begin = bench.now
    bench.betweenSteps = { [self, unowned bench, weak cycle] in
      steps += 1
      let seconds = (bench.now - begin) / .seconds(1)
      guard steps > Self.free, Double(steps - Self.free) > seconds * Double(Self.eachSecond) else { return }
      if violations.isEmpty {
        violations = ["14: in \(seconds) s it or its worker has taken \(steps) steps\(Self.ending)"]
        exceed()
      }
      cycle?.requestStop()
    }
  }

  private static let ending = "; the check ends"

  /// Whether a violation has ended a check early.
  static func isExceeded(_ violation: String) -> Bool { violation.hasSuffix(ending) }
}
