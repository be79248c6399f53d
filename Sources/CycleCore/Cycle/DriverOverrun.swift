/// A driver's call that took longer than allowed. During the call, no event was reduced and no model was rendered.
///
/// Move calls that wait for hardware, a bus or a file to a thread of the driver. On a busy machine a call can also be
/// late through no fault of the driver.
public struct DriverOverrun: Equatable, Sendable {
  public enum Call: String, Sendable {
    case start, render, wake, stop

    /// The time that the call may take.
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
