/// The counts of an application's messages to send: always `offered == delivered + superseded + lost + pending`.
public struct OutboxAccount: Equatable, Sendable {
  /// Messages that were to be sent.
  public internal(set) var offered = 0
  /// Those that the broker has acknowledged.
  public internal(set) var delivered = 0
  /// Values that were replaced by newer ones of their topic before the broker had acknowledged them.
  public internal(set) var superseded = 0
  /// Events that were dropped because more waited than fit.
  public internal(set) var lost = 0
  /// Those that wait, or for whose acknowledgement the client waits.
  public internal(set) var pending = 0

  public init() {}

  /// Whether nothing is unaccounted for.
  public var isBalanced: Bool { offered == delivered + superseded + lost + pending }
}
