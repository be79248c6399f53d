import Synchronization

/// A cycle without its types: what a bench needs in order to run any application.
public protocol Steppable: AnyObject {
  /// Starts every driver and renders the seed.
  func start(on loop: any EventLoop) throws(DriverError)
  /// Waits for the next thing to happen, until `deadline` at the latest, and handles it.
  func step(until deadline: Moment?) throws(DriverError)
  /// Shows the safe models and stops every driver.
  func stop()
  /// Calls `observer` with each event before it is reduced: for journals, not for applications. Before the start only; one
  /// observer.
  func observeEvents(_ observer: @escaping (_ lens: Int, _ event: Any, _ moment: Moment) -> Void)
  /// Asks the cycle to end, from any thread.
  func requestStop()
  var isStopRequested: Bool { get }
  /// The earliest alarm that a driver has set; nil if there is none.
  var nextAlarm: Moment? { get }
  /// Whether no simulated device has anything for its driver.
  var isIdle: Bool { get }
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
