/// A call of a driver that took longer than allowed. While it lasted the cycle stood still: no event was reduced, no model rendered.
///
/// Move calls that wait for hardware, a bus or a file to a thread of the driver. On a busy machine a call can be late without the
/// driver's fault too.
public struct Overrun: Equatable, Sendable {
  public enum Call: String, Sendable {
    case start, render, wake, stop

    /// How long the call may take.
    public var allowed: Duration { .nanoseconds(allowedNanoseconds) }

    var allowedNanoseconds: Int64 {
      switch self {
      case .start: 5_000_000_000
      case .render, .wake: 1_000_000
      case .stop: 1_000_000_000
      }
    }
  }

  /// The index of the lens, from 0, in the order in which the lenses were added.
  public var lens: Int
  public var name: String
  public var call: Call
  public var took: Duration

  public init(lens: Int, name: String, call: Call, took: Duration) {
    self.lens = lens
    self.name = name
    self.call = call
    self.took = took
  }
}
