import Synchronization

/// What a ``Work`` has of its worker: the time, the driver's commands, and a box for reports. Used by the work's thread only.
public final class WorkContext<W: Work> {
  /// For ports whose calls may take long.
  public let clock: WorkClock
  let commands: Ring<W.Command>
  private let deliver: (W.Report, Moment) -> Bool
  private let ending = Atomic<Bool>(false)

  /// A context without a worker, for the test of a work.
  ///
  /// - Parameters:
  ///   - commandCapacity: how many commands may wait, at least 1; rounded up to a power of two.
  ///   - deliver: gets each report with its moment; false drops it.
  public init(
    clock: WorkClock, commandCapacity: Int = Worker<W>.defaultCapacity, deliver: @escaping (W.Report, Moment) -> Bool
  ) {
    self.clock = clock
    commands = Ring(minimumCapacity: commandCapacity)
    self.deliver = deliver
  }

  /// What time it is, on ``clock``.
  public var now: Moment { clock.now }

  /// The oldest command that waits, taken out; nil when there is none.
  public func receive() -> W.Command? { commands.pop() }

  /// Reports to the driver what happened now. Wait-free.
  ///
  /// - Returns: false when the box is full; the report is dropped, and the driver's application hears of it as
  ///   ``Trouble/eventsLost(_:)``.
  @discardableResult
  public func report(_ report: W.Report) -> Bool { deliver(report, clock.now) }

  /// Whether the driver has stopped the worker: a step of many slow calls looks here between two of them, and returns.
  public var mustEnd: Bool { ending.load(ordering: .acquiring) }

  /// Asks the work to end, from any thread.
  func end() {
    ending.store(true, ordering: .releasing)
  }
}
