import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux

/// Keeps the last events of an application in memory, and writes them to a file at trouble and on request.
///
///     let flight = try FlightRecorder(path: "bell.recording") { result in ... }
///     try cycle.record(with: Recorder(app: "bell", to: flight))
///     ...
///     flight.flush(.request)
///
/// The files are `bell.1.recording`, `bell.2.recording` and so on; existing files are not changed. A separate thread
/// writes them. At trouble it waits for one second, so that the effects of the trouble are in the recording, too. The
/// recording of the next trouble is written 10 s later at the earliest.
public final class FlightRecorder: RecordingSink, @unchecked Sendable {
  /// The result of writing a recording: its path, or the error.
  public typealias Outcome = Result<String, DriverError>

  /// The maximum number of recordings; further ones are refused, so that the first ones stay.
  public static let mostRecordings = 20
  /// The maximum number of events in a recording.
  public static let mostEvents = 100_000
  private static let bytesOfEvent = 128
  private static let spanAfterTrouble = Duration.seconds(1)
  private static let pauseOfTroubles = Duration.seconds(10)
  private static let longestWait = Duration.seconds(5)

  /// The records in memory.
  public let ring: RecordingRing
  private let path: String
  private let events: Int
  private let onRecording: @Sendable (Outcome) -> Void
  private let changed = ConditionVariable()
  // All properties below are used with the condition locked.
  /// The recordings that were not written yet.
  private var wishes: [Wish] = []
  /// The earliest moment at which a recording of a trouble is written.
  private var earliestOfTrouble = Moment.zero
  private var isEnding = false
  private var hasEnded = false

  private struct Wish {
    /// The moment at which the recording is written.
    var due: Moment
    /// The number of the last cause before the request.
    var cause: Int
    var isOfTrouble: Bool
  }

  /// - Parameters:
  ///   - path: the path of the recordings, without their number.
  ///   - events: the number of events in a recording before the trouble or the request, 1 to ``mostEvents``. A
  ///     recording begins with a complete frame. If the frame is not a ``Recordings/RowFrame``, the recording may begin
  ///     some events earlier.
  ///   - onRecording: called on the recorder's thread with the outcome of each recording.
  /// - Throws: kind `failed` if the system can't create a thread.
  public init(
    path: String, events: Int = 10_000, onRecording: @escaping @Sendable (Outcome) -> Void
  ) throws(DriverError) {
    precondition((1...Self.mostEvents).contains(events), "a flight recorder keeps 1 to \(Self.mostEvents) events")
    self.path = path
    self.events = events
    self.onRecording = onRecording
    ring = RecordingRing(
      capacity: max(1 << 20, events * Self.bytesOfEvent), causesOfKeyframe: min(4_096, max(16, events / 4)))
    do throws(SystemThread.Refusal) {
      // Not joined: it may be blocked in a write when the program ends.
      try SystemThread { [self] in run() }.detach()
    } catch {
      throw WritableFile.cannotWrite(path, SystemFailure(function: "pthread_create", number: error.code))
    }
  }

  public var form: RecordingForm { ring.form }
  public var account: RecordingAccount { ring.account }
  public func take(_ lines: UnsafeRawBufferPointer, as part: RecordingPart) -> Bool { ring.take(lines, as: part) }

  /// Requests a recording: soon after trouble, immediately at a request. Can be called on any thread.
  public func flush(_ occasion: RecordingFlush) {
    guard occasion != .end else { return }
    let isOfTrouble = occasion == .trouble
    let cause = ring.newestCause
    changed.locked {
      // The recording of a trouble that is not written yet will contain this trouble, too.
      guard !isEnding, !wishes.contains(where: { $0.isOfTrouble == isOfTrouble }) else { return }
      var due = ConditionVariable.now
      if isOfTrouble {
        due = max(due + Self.spanAfterTrouble, earliestOfTrouble)
        earliestOfTrouble = due + Self.pauseOfTroubles
      }
      wishes.append(Wish(due: due, cause: cause, isOfTrouble: isOfTrouble))
      changed.signal()
    }
  }

  /// Writes all requested recordings, and waits for that, for 5 s at most.
  ///
  /// - Returns: whether all are written.
  @discardableResult
  public func finish() -> Bool {
    changed.locked {
      isEnding = true
      changed.broadcast()
      let end = ConditionVariable.now + Self.longestWait
      while !hasEnded, changed.wait(until: end) {}
      return hasEnded
    }
  }

  // MARK: - The thread

  private func run() {
    changed.lock()
    while let wish = nextWish() {
      changed.unlock()
      let outcome = Outcome { () throws(DriverError) in try write(since: wish.cause - events + 1) }
      onRecording(outcome)
      changed.lock()
    }
    hasEnded = true
    changed.broadcast()
    changed.unlock()
  }

  /// Waits for a recording that is due; returns nil at the end. Called with the condition locked.
  private func nextWish() -> Wish? {
    while true {
      if isEnding { return wishes.isEmpty ? nil : wishes.removeFirst() }
      guard let next = wishes.indices.min(by: { wishes[$0].due < wishes[$1].due }) else {
        changed.wait()
        continue
      }
      guard changed.wait(until: wishes[next].due) else { return wishes.remove(at: next) }
    }
  }

  /// Writes the recording from a cause on. Returns its path.
  private func write(since cause: Int) throws(DriverError) -> String {
    let copy = try makeFile()
    do {
      let kept = ring.recording(since: cause) ?? []
      let cut = RecordingCut(RecordingRange(causes: cause ... .max))
      _ = try cut.copy(to: copy) { try RecordingReader(RecordingBytes(kept), name: copy.path) }
    } catch {
      throw DriverError(
        .failed, of: copy.path, cannot: "write the recording \(copy.path)", reason: "\(error)",
        remedy: "This is a fault of the recorder: report it with the panel file.")
    }
    try copy.finish()
    return copy.path
  }

  /// Creates the first of the recordings' files that does not exist.
  private func makeFile() throws(DriverError) -> RecordingExcerptFile {
    for number in 1...Self.mostRecordings {
      do throws(DriverError) {
        return try RecordingExcerptFile(path: name(of: number), isReplacing: false)
      } catch {
        guard error.kind == .busy else { throw error }
      }
    }
    throw DriverError(
      .busy, of: path, cannot: "write another recording",
      reason: "\(name(of: 1)) to \(name(of: Self.mostRecordings)) are there",
      remedy: "Remove some of them, or move them elsewhere.")
  }

  private func name(of number: Int) -> String {
    let suffix = ".recording"
    return path.hasSuffix(suffix) ? "\(path.dropLast(suffix.count)).\(number)\(suffix)" : "\(path).\(number)"
  }
}
