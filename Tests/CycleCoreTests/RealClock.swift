import CycleCore

/// A virtual clock that a cycle takes for a real one.
final class RealClock: EventLoop {
  private let loop = VirtualLoop()
  var now: Moment { loop.now }
  func pause(for span: Duration) { loop.pause(for: span) }
  func watch(_ descriptor: Int32, for lens: Int) throws(DriverError) { try loop.watch(descriptor, for: lens) }
  func unwatch(_ descriptor: Int32) { loop.unwatch(descriptor) }
  func makeDoorbell() -> any Doorbell { loop.makeDoorbell() }
  func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError) {
    try loop.wait(until: deadline, ready: &ready)
  }
}
