import CycleCore

/// A rate limit: several actions immediately, and then one more after each pause.
struct RateLimiter {
  private let pause: Duration
  private let most: Int
  private var left: Int
  /// The moment at which the next action is earned.
  private var earned = Moment.zero

  /// - Parameters:
  ///   - pause: the time after which one more action is allowed.
  ///   - most: the maximum number of actions without a pause, at least one.
  init(each pause: Duration, most: Int) {
    (self.pause, self.most, left) = (pause, most, most)
  }

  /// Whether an action is allowed now. If it is, it counts as done.
  mutating func take(at now: Moment) -> Bool {
    earn(until: now)
    guard left > 0 else { return false }
    if left == most { earned = now + pause }
    left -= 1
    return true
  }

  /// The next moment at which an action is allowed.
  func nextMoment(after now: Moment) -> Moment { left > 0 ? now : max(now, earned) }

  private mutating func earn(until now: Moment) {
    guard left < most, earned <= now else { return }
    let count = 1 + Int((now - earned).wholeNanoseconds / pause.wholeNanoseconds)
    left = min(most, left + count)
    earned = earned + pause * min(count, most)
  }
}
