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
    moment = now + pause
    pause = min(Self.longest, pause * 2)
  }

  /// No further try is wanted; the next row of tries begins anew.
  public mutating func end() {
    moment = nil
    pause = Self.first
  }
}
