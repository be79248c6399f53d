import Synchronization

/// A cycle without its types: what a bench needs in order to run any application.
public protocol Steppable: AnyObject {
  /// Starts every driver and renders the seed.
  func start(on loop: any EventLoop) throws(DriverError)
  /// Waits for the next thing to happen, until `deadline` at the latest, and handles it.
  func step(until deadline: Moment?) throws(DriverError)
  /// Shows the safe models. Drivers go on being woken until ``isAtRest``; events are not reduced any more.
  func beginStop()
  /// Whether the hardware of every driver has come to where its model wants it.
  var isAtRest: Bool { get }
  /// Stops every driver, after ``beginStop()`` and after all are at rest or so much time has passed.
  func stop(within restingTime: Duration)
  /// Calls `observer` with each event and each ``Trouble`` before it is reduced: for journals, not for applications. Before the start
  /// only; one observer.
  func observeEvents(_ observer: @escaping (_ lens: Int, _ event: Any, _ moment: Moment) -> Void)
  /// Calls `observer` whenever a driver has taken longer than it may; one observer.
  func onOverrun(_ observer: @escaping (Overrun) -> Void)
  /// The name of a lens, by its number; "lens 3" for one that isn't known, as none is before the start.
  func name(of lens: Int) -> String
  /// Asks the cycle to end, from any thread.
  func requestStop()
  var isStopRequested: Bool { get }
  /// The earliest alarm that a driver has set; nil if there is none.
  var nextAlarm: Moment? { get }
  /// Whether no simulated device has anything for its driver.
  var isIdle: Bool { get }
}

extension Steppable {
  /// Shows the safe models, lets the hardware come to rest, for a second at most, and stops every driver, in reverse order.
  public func stop() { stop(within: .seconds(1)) }
}

/// "Please stop", from any thread.
final class StopRequest: Sendable {
  private let raised = Atomic<Bool>(false)
  private let bell = Mutex<(any Doorbell)?>(nil)

  var doorbell: (any Doorbell)? {
    get { bell.withLock { $0 } }
    set { bell.withLock { $0 = newValue } }
  }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  func raise() {
    raised.store(true, ordering: .releasing)
    doorbell?.ring()
  }
}
