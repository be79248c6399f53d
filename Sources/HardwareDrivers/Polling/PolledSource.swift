import CycleCore

/// Slow hardware that a ``Poll`` reads repeatedly. Used by the worker's thread only.
protocol PolledSource {
  associatedtype Reading: Sendable

  /// The hardware's name in errors. It may be known only after the first reading.
  var name: String { get }
  /// The fault of hardware that can be read nevertheless; nil if there is none.
  var refusal: DriverError? { get }

  /// Reads the hardware, which may take long.
  mutating func read(on clock: WorkClock) throws(DriverError) -> Reading

  /// Whether the driver emits an event for this reading.
  func isNews(_ reading: Reading) -> Bool
  /// Called when the reading has been reported to the driver.
  mutating func noteReport(of reading: Reading)
  /// Called when the last reading threw.
  mutating func noteFailure()

  /// The error for a reading that has not ended within this time.
  static func silence(of name: String, for span: Duration) -> DriverError
}

/// The pace at which hardware is read.
enum Pace: Equatable, Sendable {
  /// Never.
  case off
  /// Immediately, and then in this interval, from the start of one reading to the start of the next.
  case every(Duration)
}

/// A command of the driver to the work that reads its hardware.
enum PollCommand: Equatable, Sendable {
  case pace(Pace)
  /// Read immediately, because the number has changed, and then at the interval from that moment.
  case readNow
}

/// The state of polled hardware, for the driver.
struct PolledState: Equatable, Sendable {
  /// The hardware's name in errors. The driver reads it here, because the hardware belongs to the work's thread.
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
