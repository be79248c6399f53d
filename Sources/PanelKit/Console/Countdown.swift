import CycleCore

/// When the deadlines of a panel's current states come. It counts as the panel's ``CycleCore/Timer`` does: from the first
/// frame that has the deadline.
struct Countdown {
  private var ends: [(deadline: Timer<PanelDeadline>.Deadline, end: Moment)] = []

  /// Notes the deadlines of a new frame.
  mutating func note(_ deadlines: [Timer<PanelDeadline>.Deadline], at moment: Moment) {
    ends = deadlines.map { deadline in
      if let known = ends.first(where: { $0.deadline == deadline }) { return known }
      switch deadline.time {
      case .at(let end): return (deadline, end)
      case .after(let span, _): return (deadline, moment + span)
      }
    }
  }

  /// The deadlines that are still to come, in the order of the model.
  func waiting(at now: Moment) -> [(deadline: PanelDeadline, left: Duration)] {
    ends.compactMap { $0.end > now ? ($0.deadline.id, $0.end - now) : nil }
  }

  /// When the number of seconds of the next deadline changes, before the deadline itself; nil if it doesn't. So there is
  /// at most one tick a second, however many deadlines there are.
  func nextTick(after now: Moment) -> Moment? {
    guard let end = ends.lazy.map(\.end).filter({ $0 > now }).min() else { return nil }
    let seconds = ((end - now).wholeNanoseconds - 1) / 1_000_000_000
    return seconds > 0 ? end + .seconds(-seconds) : nil
  }

  /// The time left in words, rounded up: `4 s`, `2 min 05 s`.
  static func text(of left: Duration) -> String {
    let seconds = (left.wholeNanoseconds + 999_999_999) / 1_000_000_000
    guard seconds >= 120 else { return "\(seconds) s" }
    let rest = seconds % 60
    return "\(seconds / 60) min \(rest < 10 ? "0" : "")\(rest) s"
  }
}
