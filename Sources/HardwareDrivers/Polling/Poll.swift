import CycleCore

/// The part of a driver that polls slow hardware: it runs the readings on a ``CycleCore/Worker``, passes them on with
/// the moments at which they ended, and reports trouble.
///
/// Hardware is lost if a reading throws kind `absent`, `lost`, `busy` or `notPermitted`, and failed otherwise. A loss
/// is reported again only when its kind changes. A reading that doesn't end within 5 s of its due moment is reported as
/// a failure until it ends.
struct Poll<Source: PolledSource, Event: Sendable> {
  private let context: DriverContext<Event>
  private let worker: Worker<PolledWork<Source>>
  private let alarms: PollAlarms<Event>
  /// The trouble that was last reported to the application and is not restored yet.
  private var told: Trouble?
  /// The reading that was last passed on; nil before the first.
  private var last: Source.Reading?
  /// Whether a reading has been reported as not ending, and none has been passed on since.
  private var isStale = false

  /// The time after its due moment for which a reading may run.
  private static var patience: Duration { .seconds(5) }

  /// Starts the worker. If the application requires the hardware, waits for the first reading.
  ///
  /// - Parameter device: the hardware's name in errors, with its article.
  init(
    _ source: Source, at pace: Pace, for device: String, onThread: Bool, in context: DriverContext<Event>
  ) throws(DriverError) {
    self.context = context
    let alarms = PollAlarms(context, due: pace == .off ? nil : context.now, patience: Self.patience)
    self.alarms = alarms
    worker = try Worker(
      PolledWork(source, at: pace, from: context.now), for: device, onThread: onThread, in: context)
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
  mutating func wake(_ wake: Wake, _ take: (Source.Reading, Moment) -> Void) {
    worker.wake(wake) { reading, moment in
      last = reading
      isStale = false
      take(reading, moment)
    }
    let state = worker.state
    alarms.note(state.due)
    var trouble: Trouble?
    if let deadline = alarms.silence, deadline <= context.now {
      trouble = .failed(Source.silence(of: state.name, for: Self.patience))
      // The deadline is set again when the work schedules its next reading.
      alarms.endSilence()
      isStale = true
    } else if alarms.isOverdue {
      trouble = told
    } else if let error = state.error {
      trouble = Self.isAway(error.kind) ? .lost(error) : .failed(error)
    } else if let refusal = state.refusal {
      trouble = .failed(refusal)
    }
    if trouble == nil, isStale, let last {
      // The reading has ended, but the work has not reported it, because its value is not news. It is news after
      // trouble.
      isStale = false
      take(last, context.now)
    }
    tell(trouble)
  }

  private static func isAway(_ kind: DriverError.Kind) -> Bool {
    [.absent, .lost, .busy, .notPermitted].contains(kind)
  }

  private mutating func tell(_ trouble: Trouble?) {
    guard trouble != told else { return }
    switch (told, trouble) {
    // It is the same loss with a different text: the list of connected hardware may change at each reading.
    case (.lost(let old), .lost(let new)) where old.kind == new.kind: return
    // The hardware is back, so its loss is restored first, although it has another fault now.
    case (.lost, .failed): context.report(.restored)
    default: break
    }
    told = trouble
    context.report(trouble ?? .restored)
  }

  func stop() {
    alarms.end()
    worker.stop()
  }
}

/// Sets the driver's alarm to the earlier of two moments: the work's next step, if it has no thread, and the deadline
/// of a reading.
private final class PollAlarms<Event: Sendable> {
  private let context: DriverContext<Event>
  private let patience: Duration
  var work: Moment? { didSet { set() } }
  /// The deadline of the current or next reading; nil for none.
  private(set) var silence: Moment?
  /// Whether the deadline has passed and the reading still runs.
  private(set) var isOverdue = false
  private var due: Moment?

  init(_ context: DriverContext<Event>, due: Moment?, patience: Duration) {
    self.context = context
    self.patience = patience
    note(due)
  }

  /// Sets the deadline of the reading that is due at this moment; nil if none is.
  func note(_ due: Moment?) {
    guard due != self.due else { return }
    self.due = due
    isOverdue = false
    silence = due.map { $0 + patience }
    set()
  }

  func endSilence() {
    silence = nil
    isOverdue = true
    set()
  }

  func end() {
    silence = nil
    set()
  }

  private func set() {
    let earliest = min(work ?? .distantFuture, silence ?? .distantFuture)
    context.setAlarm(earliest == .distantFuture ? nil : earliest)
  }
}
