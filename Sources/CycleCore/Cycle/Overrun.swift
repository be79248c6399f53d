/// A driver's call that exceeded its time limit. Meanwhile no event was reduced and no model was rendered.
///
/// A call that waits for hardware, a bus or a file belongs on a thread of the driver's own. A machine that is busy makes calls long
/// as well.
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

  /// The lens's number, from 0 in the order of wiring.
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
