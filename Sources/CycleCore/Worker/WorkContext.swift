import Synchronization

/// A work's access to its worker: the time, the driver's commands, and a postbox for reports. Only the work's thread
/// uses it.
public final class WorkContext<W: Work> {
  /// The clock for ports whose calls can take long.
  public let clock: WorkClock
  let commands: SPSCQueue<W.Command>
  private let deliver: (W.Report, Moment) -> Bool
  private let ending = Atomic<Bool>(false)

  /// Makes a context without a worker, for the test of a work.
  ///
  /// - Parameters:
  ///   - commandCapacity: the number of commands that can wait, at least 1; rounded up to a power of two.
  ///   - deliver: receives each report with its moment; returns false if it drops the report.
  ///   - clock: the clock of the worker.
  public init(
    clock: WorkClock, commandCapacity: Int = Worker<W>.defaultCapacity, deliver: @escaping (W.Report, Moment) -> Bool
  ) {
    self.clock = clock
    commands = SPSCQueue(minimumCapacity: commandCapacity)
    self.deliver = deliver
  }

  /// The current time of ``clock``.
  public var now: Moment { clock.now }

  /// Removes and returns the oldest command; nil if there is none.
  public func receive() -> W.Command? { commands.pop() }

  /// Sends the driver a report, with the current time as its moment. Wait-free.
  ///
  /// - Returns: false if the postbox is full: the report is dropped, and the application receives
  ///   ``Trouble/eventsLost(_:)``.
  @discardableResult
  public func report(_ report: W.Report) -> Bool { deliver(report, clock.now) }

  /// Whether the driver has stopped the worker. A step of many slow calls checks this between two of them, and returns.
  public var mustEnd: Bool { ending.load(ordering: .acquiring) }

  /// Requests the end of the work, from any thread.
  func end() {
    ending.store(true, ordering: .releasing)
  }
}
