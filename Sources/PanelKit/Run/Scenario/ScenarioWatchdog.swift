import CycleCore
import HardwareDrivers
import PanelLanguage

/// Watches a running case of a scenario: stops it at its time limit, and reports its progress.
///
/// Virtual time alone sets no limit: a step may wait for two years, with an event of the panel every millisecond.
package final class ScenarioWatchdog {
  /// The progress of a case.
  package struct Progress: Equatable {
    /// The number of the current step, from 1, and the number of steps in the case.
    var step: Int
    var stepCount: Int
    /// The part of the current step's time that has passed, in percent; nil if its length is unknown.
    var percent: Int?
    /// The virtual time and the real time that have passed.
    var span: Duration
    var elapsed: Duration
  }

  /// The default time limit of a case.
  package static let standard = Duration.seconds(60)
  /// The time until the first progress report, and between two reports.
  private static let firstNews = Duration.seconds(2)
  private static let pause = Duration.seconds(1)
  /// The number of turns of the panel between two readings of the clock: some milliseconds.
  private static let turns = 256

  let limit: Duration
  private let elapsed: () -> Duration
  private let report: ((Progress) -> Void)?
  private let isStopped: () -> Bool
  private var count = 0
  private var next = firstNews
  /// Whether the case was stopped.
  private(set) var isOver = false
  /// Whether `isStopped`, not the time limit, stopped the case.
  private(set) var isInterrupted = false

  /// - Parameters:
  ///   - limit: the time limit of the case.
  ///   - elapsed: returns the time since the start; by default from this machine's clock.
  ///   - report: called with the progress; nil for no reports.
  ///   - isStopped: whether the case must end now; called at intervals.
  package init(
    limit: Duration = standard, elapsed: (() -> Duration)? = nil, report: ((Progress) -> Void)? = nil,
    isStopped: @escaping () -> Bool = { false }
  ) {
    self.isStopped = isStopped
    let beginning = ContinuousClock.now
    (self.limit, self.elapsed, self.report) = (limit, elapsed ?? { ContinuousClock.now - beginning }, report)
  }

  /// Watches a session from now on, and stops its cycle at the time limit.
  ///
  /// - Parameter progress: returns the progress without the real time.
  func look(at session: PanelSession, _ progress: @escaping () -> Progress) {
    session.bench.betweenSteps = { [unowned self, unowned session] in
      count += 1
      guard count.isMultiple(of: Self.turns) else { return }
      let elapsed = elapsed()
      if elapsed >= limit || isStopped() {
        (isOver, isInterrupted) = (true, elapsed < limit)
        session.application.cycle.requestStop()
      } else if let report, elapsed >= next {
        next = elapsed + Self.pause
        var progress = progress()
        progress.elapsed = elapsed
        report(progress)
      }
    }
  }
}

extension Step {
  /// The longest time that the step can take; nil if that is unknown.
  var longestSpan: Duration? {
    switch self {
    case .wait(.span(let span)), .wait(.until(_, _, let span)), .wait(.during(let span, _)), .nothing(let span),
      .hold(_, let span), .stutter(let span), .powerCut(let span):
      span
    default: nil
    }
  }
}

extension ScenarioWatchdog.Progress {
  /// The progress as text: `step 1 of 1, 3% of it after 10 s; 30m of simulated time`.
  package var text: String {
    let seconds = elapsed.components.seconds
    let part = percent.map { ", \($0)% of it" } ?? ""
    return
      "step \(step) of \(stepCount)\(part) after \(seconds) s; \(Quantity.text(.seconds(span.components.seconds))) of simulated time"
  }
}
