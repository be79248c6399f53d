import Synchronization

/// A clock that stands still until somebody waits: time jumps to the deadline at once.
///
/// It has no descriptors: simulated devices wake their drivers with a ``Waker``.
public final class VirtualLoop: EventLoop {
  @exclusivity(unchecked) public private(set) var now: Moment

  /// - Parameter beginning: where the clock stands at first.
  public init(beginning: Moment = .zero) {
    now = beginning
  }

  /// Does what the world has planned until a moment, while the application pauses. Set by whoever plans.
  public var passTime: ((_ end: Moment) -> Void)?

  /// How long each pause takes at least, so that writes one after the other have moments of their own.
  public static let shortestPause = Duration.microseconds(1)

  public var isVirtual: Bool { true }

  public func pause(for span: Duration) {
    let end = now + max(span, Self.shortestPause)
    passTime?(end)
    now = max(now, end)
  }

  /// Sets the clock on to a moment that lies within a pause.
  public func advance(to moment: Moment) {
    now = max(now, moment)
  }

  public func watch(_ descriptor: Int32, for lens: Int) throws(DriverError) {
    throw DriverError(
      .unsupported, cannot: "watch descriptor \(descriptor) in virtual time",
      reason: "a real device does not follow a virtual clock",
      remedy: "Use a simulated device, or run the cycle on a real event loop.")
  }

  public func unwatch(_ descriptor: Int32) {}

  public func makeDoorbell() -> any Doorbell { VirtualDoorbell() }

  /// Jumps to the deadline. Without a deadline nothing will ever happen, so time stays where it is.
  public func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError) {
    jump(to: deadline)
  }

  /// As ``wait(until:ready:)``, which has nothing to say of descriptors here.
  func jump(to deadline: Moment?) {
    if let deadline { now = max(now, deadline) }
  }
}

/// In virtual time nobody sleeps, so there is nobody to wake.
private final class VirtualDoorbell: Doorbell {
  func ring() {}
}
