import CycleCore

/// The part of a ``Sensor`` or a ``TagReader`` that polls its source: it runs the readings on a ``CycleCore/Worker``, passes them on with
/// the moments at which they ended, and reports trouble.
///
/// Hardware is lost if a reading throws kind `absent`, `lost`, `busy` or `notPermitted`, and failed otherwise. A loss
/// is reported again only when its kind changes. A reading that doesn't end within 5 s of its due moment is reported as
/// a failure until it ends.
struct SensorPoller<Event: Sendable> {
  private let context: DriverContext<Event>
  private let worker: Worker<NumberWork>
  private var reporter = TroubleReporter()
  /// The reading that was last passed on; nil before the first.
  private var last: Double?
  /// Whether a reading has been reported as not ending, and none has been passed on since.
  private var isStale = false
  /// The moment at which the current or next reading is due; nil if none is.
  private var due: Moment?
  /// The deadline of that reading; nil for none.
  private var deadline: Moment? { didSet { context.setAlarm(deadline) } }

  /// The time after its due moment for which a reading may run.
  private static var patience: Duration { .seconds(5) }

  /// Starts the worker. If the application requires the hardware, waits for the first reading.
  ///
  /// - Parameter device: the hardware's name in errors, with its article.
  init(
    _ reader: NumberChangeFilter, at pace: Pace, for device: String, onThread: Bool,
    in context: DriverContext<Event>
  ) throws(DriverError) {
    self.context = context
    worker = try Worker(
      NumberWork(reader, at: pace, from: context.now), for: device, onThread: onThread, in: context)
    setDeadline(pace == .off ? nil : context.now)
    do throws(DriverError) {
      try worker.waitForRequiredStart(\.error)
    } catch {
      stop()
      throw error
    }
  }

  /// Changes the pace at which the hardware is read.
  ///
  /// - Throws: kind `busy` if a reading hangs and no more commands fit.
  func setPace(_ pace: Pace) throws(DriverError) { try worker.send(.pace(pace)) }

  /// Requests an immediate reading. While a reading hangs and no more commands fit, the next one follows on schedule.
  func readNow() { try? worker.send(.readNow) }

  /// Call this from the driver's wake, for each wake.
  ///
  /// - Parameter take: called with each reading that is news and the moment at which it ended.
  mutating func wake(_ wake: Wake, _ take: (Double, Moment) -> Void) {
    worker.wake(wake) { reading, moment in
      last = reading
      isStale = false
      take(reading, moment)
    }
    let state = worker.state
    if state.due != due { setDeadline(state.due) }
    var trouble: Trouble?
    if let deadline, deadline <= context.now {
      trouble = .failed(NumberErrorFactory(state.name).silent(for: Self.patience))
      // The deadline is set again when the work schedules its next reading.
      self.deadline = nil
      isStale = true
    } else if due != nil, deadline == nil {
      // The reading still runs.
      trouble = reporter.reported
    } else if let error = state.error {
      trouble = state.isLost ? .lost(error) : .failed(error)
    } else if let refusal = state.refusal {
      trouble = .failed(refusal)
    }
    if trouble == nil, isStale, let last {
      // The reading has ended, but the work has not reported it, because its value is not news. It is news after
      // trouble.
      isStale = false
      take(last, context.now)
    }
    // A method as a value would be allocated at each call.
    let context = context
    reporter.note(trouble) { context.report($0) }
  }

  private mutating func setDeadline(_ due: Moment?) {
    self.due = due
    deadline = due.map { $0 + Self.patience }
  }

  mutating func stop() {
    deadline = nil
    worker.stop()
  }
}
