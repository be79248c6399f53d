import CycleCore

/// How often something may be done: so often at once, and again after a pause for each time.
struct Allowance {
  private let pause: Duration
  private let most: Int
  private var left: Int
  /// When the next unit is earned.
  private var earned = Moment.zero

  /// - Parameters:
  ///   - pause: how long it takes until it may be done once more.
  ///   - most: how often at once, at least once.
  init(each pause: Duration, most: Int) {
    (self.pause, self.most, left) = (pause, most, most)
  }

  /// Whether it may be done now; then it counts as done.
  mutating func take(at now: Moment) -> Bool {
    earn(until: now)
    guard left > 0 else { return false }
    if left == most { earned = now + pause }
    left -= 1
    return true
  }

  /// When it may be done.
  func nextMoment(after now: Moment) -> Moment { left > 0 ? now : max(now, earned) }

  private mutating func earn(until now: Moment) {
    guard left < most, earned <= now else { return }
    let count = 1 + Int((now - earned).wholeNanoseconds / pause.wholeNanoseconds)
    left = min(most, left + count)
    earned = earned + pause * min(count, most)
  }
}
