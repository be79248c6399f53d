/// The schedule of retries: 1 s after the first failure, then each time after twice the last pause, at most 60 s.
public struct Retry: Equatable, Sendable {
  private static let first = Duration.seconds(1)
  private static let longest = Duration.seconds(60)

  /// The moment of the next try; nil if no retry is scheduled.
  public private(set) var moment: Moment?
  private var pause = first

  public init() {}

  /// Schedules a retry after a failure at `now`, and doubles the pause for the next one.
  public mutating func fail(at now: Moment) {
    fail(at: now, after: pause)
    pause = min(Self.longest, pause * 2)
  }

  /// Schedules a retry `span` after `now`, without changing the pause for the next one.
  public mutating func fail(at now: Moment, after span: Duration) {
    moment = now + span
  }

  /// Cancels the retry; the next failure continues with the pause reached so far.
  public mutating func suspend() {
    moment = nil
  }

  /// Cancels the retry; the next failure starts again with the shortest pause.
  public mutating func end() {
    moment = nil
    pause = Self.first
  }
}
