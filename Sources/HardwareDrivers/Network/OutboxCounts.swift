/// The counts of an application's messages to send: always `offered == delivered + superseded + lost + pending`.
public struct OutboxCounts: Equatable, Sendable {
  /// The number of messages that the application wanted to send.
  public internal(set) var offered = 0
  /// The number of messages that the broker has acknowledged.
  public internal(set) var delivered = 0
  /// The number of values that newer ones of their topic replaced before the broker had acknowledged them.
  public internal(set) var superseded = 0
  /// The number of events that were dropped because more waited than fit.
  public internal(set) var lost = 0
  /// The number of messages that wait to be sent or acknowledged.
  public internal(set) var pending = 0

  public init() {}

  /// Whether each message is counted exactly once.
  public var isBalanced: Bool { offered == delivered + superseded + lost + pending }
}
