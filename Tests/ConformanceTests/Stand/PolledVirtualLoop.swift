import CycleCore
import Glibc

/// Virtual time with descriptors of this process's own: one that is ready is told before time goes on.
final class PolledVirtualLoop: EventLoop {
  private let clock = VirtualLoop()
  private var watched: [(lens: Int, descriptor: Int32)] = []

  var now: Moment { clock.now }

  func watch(_ descriptor: Int32, for lens: Int) {
    unwatch(descriptor)
    watched.append((lens, descriptor))
  }

  func unwatch(_ descriptor: Int32) { watched.removeAll { $0.descriptor == descriptor } }
  func makeDoorbell() -> any Doorbell { clock.makeDoorbell() }
  func pause(for span: Duration) { clock.pause(for: span) }

  func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError) {
    for (lens, descriptor) in watched.sorted(by: { $0 < $1 }) {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, 0) > 0 { ready.append(lens: lens, descriptor: descriptor) }
    }
    if ready.isEmpty { try clock.wait(until: deadline, ready: &ready) }
  }
}
