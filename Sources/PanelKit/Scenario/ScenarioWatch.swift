import CycleCore
import HardwareDrivers

/// Looks on while the case of a scenario is performed: gives it up when it has taken too long, and tells how far it is.
///
/// Virtual time has no bound of its own: a step may wait for two years, in which a panel has an event each millisecond.
final class ScenarioWatch {
  /// How far a case is.
  struct Progress: Equatable {
    /// The number of the step that is performed, from 1, and how many the case has.
    var step: Int
    var stepCount: Int
    /// How much of the time of that step has passed, in percent; nil where it isn't known how long it takes.
    var percent: Int?
    /// How much virtual time has passed, and how much real time.
    var span: Duration
    var elapsed: Duration
  }

  /// How long a case may take unless a command says otherwise.
  static let standard = Duration.seconds(60)
  /// When the progress is told first, and after which time again.
  private static let firstNews = Duration.seconds(2)
  private static let pause = Duration.seconds(1)
  /// How many turns of a panel there are from one look at the clock to the next: some milliseconds.
  private static let turns = 256

  let limit: Duration
  private let elapsed: () -> Duration
  private let tell: ((Progress) -> Void)?
  private let isStopped: () -> Bool
  private var count = 0
  private var next = firstNews
  private(set) var isOver = false

  /// - Parameters:
  ///   - limit: how long the case may take.
  ///   - elapsed: how long it has taken so far; by the clock of this machine unless given.
  ///   - tell: is called with how far it is; nil for nobody.
  ///   - isStopped: whether the case ends now; asked from time to time.
  init(
    limit: Duration = standard, elapsed: (() -> Duration)? = nil, tell: ((Progress) -> Void)? = nil,
    isStopped: @escaping () -> Bool = { false }
  ) {
    self.isStopped = isStopped
    let beginning = ContinuousClock.now
    (self.limit, self.elapsed, self.tell) = (limit, elapsed ?? { ContinuousClock.now - beginning }, tell)
  }

  /// Has a session looked at from now on: it ends early when the time is over.
  ///
  /// - Parameter progress: how far the case is, but for the real time.
  func look(at session: PanelSession, _ progress: @escaping () -> Progress) {
    session.bench.betweenSteps = { [unowned self, unowned session] in
      count += 1
      guard count.isMultiple(of: Self.turns) else { return }
      let elapsed = elapsed()
      if elapsed >= limit || isStopped() {
        isOver = true
        session.application.cycle.requestStop()
      } else if let tell, elapsed >= next {
        next = elapsed + Self.pause
        var progress = progress()
        progress.elapsed = elapsed
        tell(progress)
      }
    }
  }
}

extension Step {
  /// How long it takes at most, where that is known.
  var longestSpan: Duration? {
    switch self {
    case .wait(.span(let span)), .wait(.until(_, _, let span)), .wait(.during(let span, _)), .nothing(let span),
      .hold(_, let span), .stutter(let span), .powerCut(let span):
      span
    default: nil
    }
  }
}

extension ScenarioWatch.Progress {
  /// `step 1 of 1, 3% of it after 10 s; 30m of simulated time`.
  var text: String {
    let seconds = elapsed.components.seconds
    let part = percent.map { ", \($0)% of it" } ?? ""
    return
      "step \(step) of \(stepCount)\(part) after \(seconds) s; \(Quantity.text(.seconds(span.components.seconds))) of simulated time"
  }
}
