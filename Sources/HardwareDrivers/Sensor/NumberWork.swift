import CycleCore

/// Reads a source repeatedly. After a failure it retries as ``CycleCore/Recovery`` schedules it, but at the latest
/// after the interval, or after 1 s if the interval is shorter.
struct NumberWork: Work {
  typealias Command = PollCommand
  typealias Report = Double

  private(set) var state: PolledState
  private var reader: NumberChangeFilter
  private var pace: Pace
  /// The beginning and the end of the last reading; nil before the first, and while the pace is off.
  private var last: (began: Moment, ended: Moment)?
  private var recovery = Recovery(in: .opening)

  /// - Parameter start: the moment at which the first reading is due.
  init(_ reader: NumberChangeFilter, at pace: Pace, from start: Moment) {
    self.reader = reader
    self.pace = pace
    state = PolledState(name: reader.name, due: pace == .off ? nil : start)
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    // The driver must know when a reading is due before the reading begins, because the reading may never end.
    if receive(context) { return WorkWait(until: state.due) }
    // Woken before its time.
    guard let due = state.due, due <= context.now else { return WorkWait(until: state.due) }
    let began = context.now
    do throws(DriverError) {
      let reading = try reader.read(on: context.clock)
      if reader.isNews(reading), context.report(reading) { reader.noteReport(of: reading) }
      state.error = nil
      recovery.note(.succeed, at: context.now)
    } catch {
      reader.noteFailure()
      if error.kind != .unread {
        state.error = error
        recovery.note(Self.isLoss(error.kind) ? .lose : .fail, at: context.now)
        state.isLost = recovery.phase == .lost
      }
    }
    last = (began, context.now)
    state.name = reader.name
    state.refusal = reader.refusal
    state.due = nextDue
    return WorkWait(until: state.due)
  }

  mutating func close(in context: WorkContext<Self>) { reader.close() }

  private static func isLoss(_ kind: DriverError.Kind) -> Bool {
    [.absent, .lost, .busy, .notPermitted].contains(kind)
  }

  /// Handles the waiting commands. Returns whether there were any.
  private mutating func receive(_ context: WorkContext<Self>) -> Bool {
    var hasCommand = false
    while let command = context.receive() {
      hasCommand = true
      switch command {
      case .pace(let pace):
        // After a pause the last reading is old, so the next is due immediately.
        if self.pace == .off { last = nil }
        self.pace = pace
      case .readNow:
        last = nil
        recovery.note(.announce, at: context.now)
      }
    }
    if hasCommand { state.due = pace == .off ? nil : nextDue ?? context.now }
    return hasCommand
  }

  private var nextDue: Moment? {
    guard case .every(let interval) = pace, let last else { return nil }
    let regular = last.began + interval
    guard recovery.isWaiting(at: last.ended), let retried = recovery.due else { return max(regular, last.ended) }
    let latest = max(regular, last.ended + .seconds(1))
    // A pause that is longer than the interval adds no reading between two regular ones.
    return recovery.pause < interval ? min(retried, latest) : latest
  }
}

/// The pace at which a source is read.
enum Pace: Equatable, Sendable {
  /// Never.
  case off
  /// Immediately, and then in this interval, from the start of one reading to the start of the next.
  case every(Duration)
}

/// A command of the driver to the work that reads its source.
enum PollCommand: Equatable, Sendable {
  case pace(Pace)
  /// Read immediately, because the number has changed, and then at the interval from that moment.
  case readNow
}

/// The state of a source, for the driver.
struct PolledState: Equatable, Sendable {
  /// The source's name in errors. The driver reads it here, because the source belongs to the work's thread.
  var name: String
  /// Why the last reading failed.
  var error: DriverError?
  /// Whether it failed because the hardware is not there or can't be used.
  var isLost = false
  /// The fault that remains although the last reading succeeded.
  var refusal: DriverError?
  /// The moment at which the next reading is due; nil for never.
  var due: Moment?
}
