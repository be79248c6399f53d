/// When to try again what nothing announces: after a second, then after twice as long each time, at most once a minute.
public struct Retry: Equatable, Sendable {
  private static let first = Duration.seconds(1)
  private static let longest = Duration.seconds(60)

  /// When the next try is due; nil if none is wanted.
  public private(set) var moment: Moment?
  private var pause = first

  public init() {}

  /// A try at `now` has failed.
  public mutating func fail(at now: Moment) {
    fail(at: now, after: pause)
    pause = min(Self.longest, pause * 2)
  }

  /// A try is wanted `span` after `now`; the row of pauses stays as it is.
  public mutating func fail(at now: Moment, after span: Duration) {
    moment = now + span
  }

  /// No try is wanted until the next failure, whose pause goes on where the row stands.
  public mutating func suspend() {
    moment = nil
  }

  /// No further try is wanted; the next row of tries begins anew.
  public mutating func end() {
    moment = nil
    pause = Self.first
  }
}
