import Synchronization

/// A clock that stands still until somebody waits: time jumps to the deadline at once.
///
/// It has no descriptors: simulated devices wake their drivers with a ``Waker``.
public final class VirtualLoop: EventLoop {
  // Read from other modules by a call: they would check a stored property for overlapping accesses each time.
  @exclusivity(unchecked) private var moment: Moment
  public var now: Moment { moment }

  /// - Parameter beginning: where the clock stands at first.
  public init(beginning: Moment = .zero) {
    moment = beginning
  }

  /// Does what the world has planned until a moment, while the application pauses. Set by whoever plans.
  public var passTime: ((_ end: Moment) -> Void)?

  /// How long each pause takes at least, so that writes one after the other have moments of their own.
  public static let shortestPause = Duration.microseconds(1)

  public var isVirtual: Bool { true }

  public func pause(for span: Duration) {
    let end = now + max(span, Self.shortestPause)
    passTime?(end)
    moment = max(moment, end)
  }

  /// Sets the clock on to a moment that lies within a pause.
  public func advance(to moment: Moment) {
    self.moment = max(self.moment, moment)
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
  package func jump(to deadline: Moment?) {
    if let deadline { moment = max(moment, deadline) }
  }
}

/// In virtual time nobody sleeps, so there is nobody to wake.
private final class VirtualDoorbell: Doorbell {
  func ring() {}
}
