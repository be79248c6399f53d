import Synchronization

/// A loop in virtual time: its clock stops until the cycle waits, and then jumps to the deadline.
///
/// It has no descriptors: simulated devices wake their drivers with a ``DriverWaker``.
public final class VirtualLoop: EventLoop {
  // A computed property reads this, because other modules would check each access to a stored one for overlaps.
  @exclusivity(unchecked) private var moment: Moment
  public var now: Moment { moment }

  /// - Parameter beginning: the first moment of the clock.
  public init(beginning: Moment = .zero) {
    moment = beginning
  }

  /// Called with the end of each pause, to run the simulated actions planned until then. Set by the simulation.
  public var onPause: ((_ end: Moment) -> Void)?

  /// The minimum length of a pause, so that successive writes have different moments.
  public static let shortestPause = Duration.microseconds(1)

  public var isVirtual: Bool { true }

  public func pause(for span: Duration) {
    let end = now + max(span, Self.shortestPause)
    onPause?(end)
    moment = max(moment, end)
  }

  /// Advances the clock to a moment within a pause. Never moves it back.
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

  /// Jumps to the deadline. Without a deadline nothing can happen any more, so the clock does not advance.
  public func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError) {
    jump(to: deadline)
  }

  /// Jumps to the deadline, without a list of ready descriptors, which this loop does not have.
  package func jump(to deadline: Moment?) {
    if let deadline { moment = max(moment, deadline) }
  }
}

/// A doorbell without effect: in virtual time no thread sleeps.
private final class VirtualDoorbell: Doorbell {
  func ring() {}
}
