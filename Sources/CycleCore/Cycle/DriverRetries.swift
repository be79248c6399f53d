/// The failures of a driver, and the times of its retries. A class, because most drivers never need one.
final class DriverRetries<Model: Equatable> {
  /// The number of wakes of one kind that may fail in a row before the hardware counts as lost; retries are not
  /// counted.
  static var failedWakeLimit: Int { 8 }
  /// The number of failures at one moment after which the next render waits for the retry, whatever its model.
  private static var triesAtOneMoment: Int { 8 }

  /// The model that could not be rendered; nil if rendering works.
  var rendering: Model?
  /// The last model that was rendered without an error before the failure.
  var lastRendered: Model?
  /// The wakes that threw and have not succeeded since, each with the number of failures in a row; empty if waking
  /// works.
  private var failedWakes: [(wake: Wake, count: Int)] = []
  /// The retries: of a failed render or wake while it is failing, of the driver's start while it is lost.
  var recovery = Recovery(in: .open)
  var watch: (any ReturnWatch)?
  private var tries: (moment: Moment, count: Int) = (.zero, 0)

  /// Whether a kind of wake has failed and has not succeeded since.
  var isWaking: Bool { !failedWakes.isEmpty }

  /// Counts a failed wake.
  ///
  /// - Returns: whether the hardware counts as lost now. A descriptor that can't be read stays ready, and would wake
  ///   the driver endlessly.
  func fail(in wake: Wake) -> Bool {
    guard wake != .retry else { return false }
    guard let place = failedWakes.firstIndex(where: { $0.wake == wake }) else {
      failedWakes.append((wake, 1))
      return false
    }
    failedWakes[place].count += 1
    return failedWakes[place].count >= Self.failedWakeLimit
  }

  /// Notes that a wake succeeded. A successful retry counts for all wakes that have failed.
  ///
  /// - Returns: whether all wakes work again, after one had failed.
  func succeed(in wake: Wake) -> Bool {
    guard isWaking else { return false }
    if wake == .retry { failedWakes = [] } else { failedWakes.removeAll { $0.wake == wake } }
    return !isWaking
  }

  /// Whether `model` must not be rendered now: it failed and its retry is not due, or there were too many failures at
  /// this moment.
  func mustWait(with model: Model, at now: Moment) -> Bool {
    guard let rendering, recovery.isWaiting(at: now) else { return false }
    return rendering == model || (tries.moment == now && tries.count >= Self.triesAtOneMoment)
  }

  func fail(at now: Moment) {
    if tries.moment != now { tries = (now, 0) }
    tries.count += 1
    recovery.note(.fail, at: now)
  }

  /// Clears failed renders and wakes: the driver is stopped, so only the absence of its hardware counts.
  func forget() {
    rendering = nil
    lastRendered = nil
    failedWakes = []
  }
}

extension DriverError {
  /// Whether the error means that the hardware is not there.
  @usableFromInline
  var isLoss: Bool { kind == .lost || kind == .absent }
}
