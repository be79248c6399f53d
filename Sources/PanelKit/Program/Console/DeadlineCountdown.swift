import CycleCore
import PanelEngine

/// The remaining times of the deadlines in a panel's current states. A deadline counts from the first frame that has
/// it, as in the panel's ``CycleCore/Timer``.
struct DeadlineCountdown {
  private var ends: [(deadline: Timer<PanelDeadline>.Deadline, end: Moment)] = []

  /// Updates the deadlines for a new frame.
  mutating func note(_ deadlines: [Timer<PanelDeadline>.Deadline], at moment: Moment) {
    ends = deadlines.map { deadline in
      if let known = ends.first(where: { $0.deadline == deadline }) { return known }
      switch deadline.time {
      case .at(let end): return (deadline, end)
      case .after(let span, _): return (deadline, moment + span)
      }
    }
  }

  /// Returns the deadlines that are not due yet, in the order of the model.
  func waiting(at now: Moment) -> [(deadline: PanelDeadline, left: Duration)] {
    ends.compactMap { $0.end > now ? ($0.deadline.id, $0.end - now) : nil }
  }

  /// Returns the next moment before the next deadline at which its number of seconds changes; nil if there is none. So
  /// there is at most one tick per second, for any number of deadlines.
  func nextTick(after now: Moment) -> Moment? {
    guard let end = ends.lazy.map(\.end).filter({ $0 > now }).min() else { return nil }
    let seconds = ((end - now).wholeNanoseconds - 1) / 1_000_000_000
    return seconds > 0 ? end + .seconds(-seconds) : nil
  }

  /// Formats the remaining time, rounded up: `4 s`, `2 min 05 s`.
  static func text(of left: Duration) -> String {
    let seconds = (left.wholeNanoseconds + 999_999_999) / 1_000_000_000
    guard seconds >= 120 else { return "\(seconds) s" }
    let rest = seconds % 60
    return "\(seconds / 60) min \(rest < 10 ? "0" : "")\(rest) s"
  }
}
