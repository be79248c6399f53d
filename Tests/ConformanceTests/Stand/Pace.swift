import CycleCore
import Glibc

@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// How late the waits of the tests ended in real time: where a case fails it shows whether the machine was held up.
struct Pace {
  private static let current = Locked(Pace())
  /// What a wait may be late on a machine that has nothing else to do.
  private static let usual = Duration.milliseconds(5)

  private var waits = 0
  private var late = 0
  private var worst = Duration.zero

  /// Forgets the waits so far.
  static func begin() { current.withLock { $0 = Pace() } }

  /// A wait that should have ended at `deadline` has ended.
  static func note(_ deadline: Moment, endedAt end: Moment) {
    current.withLock {
      $0.waits += 1
      if end - deadline > usual { $0.late += 1 }
      $0.worst = max($0.worst, end - deadline)
    }
  }

  /// For the text of a failure; nil if nothing waited in real time.
  static var words: String? {
    let pace = current.withLock { $0 }
    guard pace.waits > 0 else { return nil }
    let milliseconds = Double(pace.worst.wholeNanoseconds / 1000) / 1000
    return pace.late > 0
      ? "the host was late by up to \(milliseconds) ms, at \(pace.late) of \(pace.waits) waits of the test"
      : "the host was not late: each of \(pace.waits) waits of the test ended within \(milliseconds) ms"
  }
}

/// The loop of a real device, which measures how late its waits end.
final class MeasuredLoop: EventLoop {
  private let loop: LinuxLoop

  init() throws(DriverError) { loop = try LinuxLoop() }

  var now: Moment { loop.now }
  func watch(_ descriptor: Int32, for lens: Int) throws(DriverError) { try loop.watch(descriptor, for: lens) }
  func unwatch(_ descriptor: Int32) { loop.unwatch(descriptor) }
  func pause(for span: Duration) { loop.pause(for: span) }
  func makeDoorbell() -> any Doorbell { loop.makeDoorbell() }

  func wait(until deadline: Moment?, ready: inout ReadyList) throws(DriverError) {
    let beginning = loop.now
    try loop.wait(until: deadline, ready: &ready)
    let end = loop.now
    // One whose time has come already is late because of the application.
    if let deadline, deadline > beginning, end >= deadline { Pace.note(deadline, endedAt: end) }
  }
}
