import CycleCore

/// When a connection that has failed or ended is tried again.
///
/// Many clients lose a broker at one moment, so each waits for a time by chance: up to 2 s first, then up to 1 s, 2 s,
/// 4 s … 30 s, and never less than 50 ms. Waits are short again after a connection of 60 s. A client that the broker
/// refuses, or one whose connections were ended by the broker within 5 s three times in a row, waits 30 s, until one
/// lasts for 60 s.
struct Reconnecting {
  static let longest = Duration.seconds(30)
  static let shortest = Duration.milliseconds(50)
  /// After a connection of this length waits are short again.
  static let steady = Duration.seconds(60)
  /// A connection that ends earlier is a short one.
  static let short = Duration.seconds(5)
  /// This number of short connections in a row means that another client uses the identifier.
  static let takeoverCount = 3

  private var chance: any RandomNumberGenerator
  private var failures = 0
  private var shortConnections = 0
  private var acceptedAt: Moment?

  /// - Parameter chance: decides how long each wait is.
  init(by chance: any RandomNumberGenerator) { self.chance = chance }

  /// Whether another client seems to use the identifier.
  var isTakenOver: Bool { shortConnections >= Self.takeoverCount }

  /// The broker has accepted a connection.
  mutating func accept(at now: Moment) { acceptedAt = now }

  /// A connection, or the try to make one, has ended. Returns when to try again.
  ///
  /// - Parameter isRefused: whether the broker has refused the client, or its address is wrong: that will not change
  ///   soon.
  mutating func end(isRefused: Bool, at now: Moment) -> Moment {
    if let acceptedAt {
      let lasted = now - acceptedAt
      // Two clients that both wait 30 s end each other's connections after as long.
      shortConnections = lasted < (isTakenOver ? Self.steady : Self.short) ? shortConnections + 1 : 0
      if lasted >= Self.steady { failures = 0 }
    }
    acceptedAt = nil
    guard !isRefused, !isTakenOver else { return now + Self.longest }
    let most: Duration = failures == 0 ? .seconds(2) : min(.seconds(1 << min(failures - 1, 5)), Self.longest)
    failures += 1
    let wait = Duration.nanoseconds(
      Int64(chance.next().multipliedFullWidth(by: UInt64(most.wholeNanoseconds)).high))
    return now + max(wait, Self.shortest)
  }
}
