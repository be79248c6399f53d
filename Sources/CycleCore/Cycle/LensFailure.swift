/// What failed in a driver, and when to retry it. A class, because most drivers never need one.
final class LensFailure<Model: Equatable> {
  /// How many wakes of one kind may fail in a row before the hardware counts as lost; retries are not among them.
  static var failedWakeLimit: Int { 8 }
  /// After how many failures at one moment the next render waits for the retry, whatever its model.
  private static var triesAtOneMoment: Int { 8 }
  /// Hardware that is lost within this span after its return is unstable: the pauses between restarts keep growing.
  private static var lasting: Duration { .seconds(60) }
  /// As `lasting`, for hardware that is present all the time, where a pause would only keep it from working.
  private static var lastingThere: Duration { .seconds(1) }

  /// The model that could not be rendered; nil if rendering works.
  var rendering: Model?
  /// The last model that was rendered without an error before the failure.
  var lastRendered: Model?
  /// The wakes that threw and have not worked since, each with how often it has failed in a row; empty if waking works.
  private var failedWakes: [(wake: Wake, count: Int)] = []
  /// When a render or a wake that failed is tried again.
  var retry = Retry()
  /// When to retry the start of a lost driver. Separate from `retry`: a failed write must not get the pauses of an
  /// absence.
  var absence = Retry()
  var watch: (any ReturnWatch)?
  private var restored: Moment?
  private var tries: (moment: Moment, count: Int) = (.zero, 0)

  /// Whether a kind of wake has failed and has not succeeded since.
  var isWaking: Bool { !failedWakes.isEmpty }

  /// Counts a wake that has failed.
  ///
  /// - Returns: whether the hardware counts as lost now: a descriptor that can't be read stays ready, and would wake the driver endlessly.
  func fail(in wake: Wake) -> Bool {
    guard wake != .retry else { return false }
    guard let place = failedWakes.firstIndex(where: { $0.wake == wake }) else {
      failedWakes.append((wake, 1))
      return false
    }
    failedWakes[place].count += 1
    return failedWakes[place].count >= Self.failedWakeLimit
  }

  /// A wake has worked. A retry stands for all that have failed.
  ///
  /// - Returns: whether waking works again, and did not before.
  func succeed(in wake: Wake) -> Bool {
    guard isWaking else { return false }
    if wake == .retry { failedWakes = [] } else { failedWakes.removeAll { $0.wake == wake } }
    return !isWaking
  }

  /// Whether `model` must not be rendered now: it failed and its retry is not due, or too much failed at this moment.
  func mustWait(with model: Model, at now: Moment) -> Bool {
    guard let rendering, let due = retry.moment, now < due else { return false }
    return rendering == model || (tries.moment == now && tries.count >= Self.triesAtOneMoment)
  }

  func fail(at now: Moment) {
    if tries.moment != now { tries = (now, 0) }
    tries.count += 1
    // Another model that fails before the retry is due doesn't put the retry off.
    if (retry.moment ?? .zero) <= now { retry.fail(at: now) }
  }

  /// Forgets failed renders and wakes: the driver is stopped, so only the absence of its hardware counts.
  func forget() {
    rendering = nil
    lastRendered = nil
    failedWakes = []
    retry.end()
  }

  /// The hardware is back. The next loss resets the pauses only if the hardware had stayed long enough.
  func returned(at now: Moment) {
    restored = now
    absence.suspend()
  }

  func hasReturnedLately(at now: Moment, isHardwarePresent: Bool) -> Bool {
    guard let restored else { return false }
    return now - restored < (isHardwarePresent ? Self.lastingThere : Self.lasting)
  }
}

extension DriverError {
  /// Whether the error means that the hardware is not there.
  @usableFromInline
  var isLoss: Bool { kind == .lost || kind == .absent }
}
