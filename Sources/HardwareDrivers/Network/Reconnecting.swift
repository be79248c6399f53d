import CycleCore

/// Decides when a connection that has failed or ended is tried again.
///
/// Many clients lose a broker at the same moment, so each waits for a random time: up to 2 s first, then up to 1 s, 2
/// s, 4 s … 30 s, and at least 50 ms. Waits are short again after a connection of 60 s. A client waits 30 s if the
/// broker refuses it, or if the broker has ended its connections within 5 s three times in a row. That lasts until a
/// connection has lasted for 60 s.
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

  /// - Parameter chance: the random numbers that decide the length of each wait.
  init(by chance: any RandomNumberGenerator) { self.chance = chance }

  /// Whether another client seems to use the identifier.
  var isTakenOver: Bool { shortConnections >= Self.takeoverCount }

  /// Records that the broker has accepted a connection.
  mutating func accept(at now: Moment) { acceptedAt = now }

  /// Records the end of a connection, or of the try to make one. Returns the moment of the next try.
  ///
  /// - Parameter isRefused: whether the broker has refused the client, or its address is wrong, which will not change
  ///   soon.
  mutating func end(isRefused: Bool, at now: Moment) -> Moment {
    if let acceptedAt {
      let lasted = now - acceptedAt
      // Two clients that both wait 30 s end each other's connections after the same time.
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
