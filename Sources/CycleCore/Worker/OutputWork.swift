/// The hardware side of an output whose calls are slow: it brings the hardware, one call at a time, to the state of the
/// newest model. An ``OutputWorker`` runs it.
///
/// The output's model is a state, so only the newest one matters: models that are replaced before they are shown are
/// never seen here.
///
///     struct DimmerWork: OutputWork {
///       let dimmer: I2CDevice
///       var wanted: UInt8 = 0
///       var written: UInt8?
///
///       mutating func show(_ model: UInt8) { wanted = model }
///
///       mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress {
///         if written != wanted { try dimmer.write([0x00, wanted], on: clock) }
///         written = wanted
///         return .shown(check: nil)
///       }
///
///       mutating func forget() { written = nil }
///       mutating func close() { dimmer.close() }
///     }
///
/// A struct or a final class can be a work. One thread at a time uses it.
public protocol OutputWork<Model> {
  associatedtype Model: Equatable, Sendable

  /// Takes the model that the hardware shows from now on. Makes no call to the hardware. Called before the first step,
  /// and then between two steps.
  mutating func show(_ model: Model)

  /// Makes the next call to the hardware towards the model; if the hardware shows the model already, checks that it
  /// still does so. The call may block. A newer model waits for its end, so make one call of a few milliseconds.
  ///
  /// - Throws: an error if the hardware can't be reached or refuses the call. The worker then calls ``forget()`` and
  ///   tries again as ``Recovery`` schedules it.
  mutating func step(on clock: WorkClock) throws(DriverError) -> OutputProgress

  /// Forgets the state of the hardware after an error: the hardware may have lost its power or received a part of the
  /// call. The next step sets it up from the beginning.
  mutating func forget()

  /// Releases the hardware: the last call.
  mutating func close()
}

/// The result of a step of an ``OutputWork``.
public struct OutputProgress: Equatable, Sendable {
  /// Whether the hardware shows the model.
  public var isShown: Bool
  /// The moment until which the hardware needs its time, and accepts no further call.
  public var busyUntil: Moment
  /// The moment of the next check, if the model is shown and no newer one comes; nil for no check.
  public var check: Moment?

  public init(isShown: Bool, busyUntil: Moment = .zero, check: Moment? = nil) {
    self.isShown = isShown
    self.busyUntil = busyUntil
    self.check = check
  }

  /// The hardware shows the model, and is checked at this moment; nil for no check.
  public static func shown(check: Moment?) -> OutputProgress { OutputProgress(isShown: true, check: check) }

  /// The default time between two checks of an output whose model rests: 10 minutes. A check is due at a multiple of this
  /// time (`Moment.next(multipleOf:)`), so that all outputs of an application are checked in one wake-up.
  public static var checkInterval: Duration { .seconds(600) }

  /// The hardware needs another call.
  public static var unfinished: OutputProgress { OutputProgress(isShown: false) }
}

/// A command of the driver to the work of its output.
enum OutputCommand<Model: Sendable>: Sendable {
  /// Show this model. Models are numbered from 1; the model of the driver's start is number 0.
  case show(Model, number: Int)
  /// Try again immediately: the hardware may be back.
  case retry
}

/// The state of an output, for its driver.
struct OutputState: Equatable, Sendable {
  /// The number of the newest model that the work has received.
  var received = 0
  /// The number of the last model that was shown completely; nil for none.
  var shown: Int?
  /// Why the newest model can't be shown; nil if it is shown or on its way.
  var error: DriverError?
  /// Whether the hardware can't be reached and the work waits for the next try.
  var isAway = false
}

/// Runs an ``OutputWork`` as the ``Work`` of a worker: the newest model, retries, the rest at the end.
struct OutputSteps<Model: Equatable & Sendable>: Work {
  typealias Command = OutputCommand<Model>

  private(set) var state = OutputState()
  private var work: any OutputWork<Model>
  private var progress = OutputProgress.unfinished
  private var recovery = Recovery(in: .opening)
  /// The moment since which the hardware answers; nil if its last call failed.
  private var answersSince: Moment?

  /// Hardware whose models change too fast to be shown completely counts as back when it has answered for this time.
  private static var timeToReturn: Duration { .seconds(1) }

  init(_ work: any OutputWork<Model>, showing model: Model) {
    self.work = work
    self.work.show(model)
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    receive(from: context)
    if recovery.isWaiting(at: context.now) { return WorkWait(until: recovery.due) }
    if progress.busyUntil > context.now { return .until(progress.busyUntil) }
    state.isAway = false
    do throws(DriverError) {
      progress = try work.step(on: context.clock)
    } catch {
      lose(error, at: context.now)
      return WorkWait(until: recovery.due)
    }
    let since = answersSince ?? context.now
    answersSince = since
    if progress.isShown || context.now - since >= Self.timeToReturn {
      state.error = nil
      recovery.note(.succeed, at: context.now)
    }
    guard progress.isShown else { return .until(max(progress.busyUntil, context.now)) }
    state.shown = state.received
    return WorkWait(until: progress.check)
  }

  /// Continues until the last model is shown.
  mutating func finish(in context: WorkContext<Self>) -> Moment? {
    let next = step(in: context).deadline
    if state.isAway { return nil }
    guard progress.isShown else { return next }
    return progress.busyUntil > context.now ? progress.busyUntil : nil
  }

  mutating func close(in context: WorkContext<Self>) { work.close() }

  private mutating func receive(from context: WorkContext<Self>) {
    while let command = context.receive() {
      switch command {
      case .show(let model, let number):
        work.show(model)
        progress.isShown = false
        state.received = number
      case .retry: recovery.note(.announce, at: context.now)
      }
    }
  }

  private mutating func lose(_ error: DriverError, at moment: Moment) {
    work.forget()
    progress = .unfinished
    answersSince = nil
    state.error = error
    state.isAway = true
    recovery.note(.lose, at: moment)
  }
}
