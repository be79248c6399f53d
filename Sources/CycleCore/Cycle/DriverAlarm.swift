/// The name of one of a driver's alarms. Each is set on its own (``DriverContext/setAlarm(_:named:)``). The driver is
/// woken with ``Wake/alarm`` for each of them, and once for those of one moment.
public enum DriverAlarm: Sendable {
  /// The driver's own deadline: ``DriverContext/setAlarm(_:)``.
  case driver
  /// The next step of the driver's ``Worker``, if it has no thread.
  case worker
  /// The next step of its second worker.
  case secondWorker
}

/// The alarms of one lens, each `distantFuture` if it isn't set.
@usableFromInline
struct AlarmTable {
  @usableFromInline var driver = Moment.distantFuture
  private var worker = Moment.distantFuture { didSet { updateEarliestOfWorkers() } }
  private var secondWorker = Moment.distantFuture { didSet { updateEarliestOfWorkers() } }
  /// Stored, so that the driver's own alarm is compared with one moment.
  @usableFromInline private(set) var earliestOfWorkers = Moment.distantFuture

  init() {}

  var earliest: Moment { min(driver, earliestOfWorkers) }

  subscript(name: DriverAlarm) -> Moment {
    get {
      switch name {
      case .driver: driver
      case .worker: worker
      case .secondWorker: secondWorker
      }
    }
    set {
      switch name {
      case .driver: driver = newValue
      case .worker: worker = newValue
      case .secondWorker: secondWorker = newValue
      }
    }
  }

  /// Cancels the alarms that are due at the moment.
  mutating func cancel(until moment: Moment) {
    if driver <= moment { driver = .distantFuture }
    guard earliestOfWorkers <= moment else { return }
    if worker <= moment { worker = .distantFuture }
    if secondWorker <= moment { secondWorker = .distantFuture }
  }

  private mutating func updateEarliestOfWorkers() { earliestOfWorkers = min(worker, secondWorker) }
}
