/// The state machine of hardware that comes and goes, and the moment at which the hardware is tried next.
///
/// It makes no calls. Its owner tries the hardware when ``due`` is reached, and notes the result. The hardware may also
/// be tried earlier, for example when a ``ReturnWatch`` announces it: note ``Event/announce`` then. A retry is
/// scheduled in either case, because not every return is announced.
///
///     var recovery = Recovery(in: .opening)
///
///     if recovery.isDue(at: now) {
///       do throws(DriverError) {
///         try open()
///         recovery.note(.succeed, at: now)
///       } catch {
///         recovery.note(.lose, at: now)
///       }
///     }
///
/// **Pauses.** The first retry follows after 1 s. The pause doubles with each failure, up to 60 s. Hardware that is
/// lost within 60 s after its return is unstable: its pauses continue where they ended. Hardware that users miss
/// immediately may have shorter ``Pauses``.
public struct Recovery: Equatable, Sendable {
  /// The state of the hardware.
  public enum Phase: String, CaseIterable, Sendable {
    /// Not in use.
    case closed
    /// To be opened for the first time.
    case opening
    /// Open and working.
    case open
    /// Open, but a call has failed and is repeated.
    case failing
    /// Not there: absent, removed, or used by another program. It is opened again when it returns.
    case lost
  }

  /// Something that has happened to the hardware.
  public enum Event: String, CaseIterable, Sendable {
    /// The hardware is needed.
    case begin
    /// It was opened, or the call that had failed works again.
    case succeed
    /// A call has failed, although the hardware is there.
    case fail
    /// It can't be opened, or is gone.
    case lose
    /// It can't be used, and that will not change soon: a password is wrong.
    case refuse
    /// It may be back.
    case announce
    /// It is not needed any more. The next use begins with the shortest pause, unless `keepsPauses` is true.
    case end
  }

  /// The moment of the next try.
  enum Retry: String {
    case none
    case now
    /// After the pause, which doubles. A try before its time that fails doesn't postpone the retry.
    case pause
    /// After the longest pause.
    case longestPause = "longest pause"
  }

  /// The pauses between tries.
  public struct Pauses: Equatable, Sendable {
    /// The pause before the first retry; default: 1 s.
    public var first: Duration
    /// The longest pause; default: 60 s.
    public var longest: Duration
    /// Hardware that is lost within this time after its return is unstable; default: 60 s.
    public var stableTime: Duration

    public init(
      first: Duration = .seconds(1), longest: Duration = .seconds(60), stableTime: Duration = .seconds(60)
    ) {
      (self.first, self.longest, self.stableTime) = (first, longest, stableTime)
    }
  }

  /// One row of the table.
  struct Transition {
    var phase: Phase
    var event: Event
    var next: Phase
    var retry: Retry

    init(_ phase: Phase, _ event: Event, _ next: Phase, _ retry: Retry) {
      (self.phase, self.event, self.next, self.retry) = (phase, event, next, retry)
    }
  }

  /// The machine. An event without a row changes nothing.
  static let transitions: [Transition] = [
    Transition(.closed, .begin, .opening, .now),

    Transition(.opening, .succeed, .open, .none),
    Transition(.opening, .fail, .failing, .pause),
    Transition(.opening, .lose, .lost, .pause),
    Transition(.opening, .refuse, .lost, .longestPause),
    Transition(.opening, .announce, .opening, .now),
    Transition(.opening, .end, .closed, .none),

    Transition(.open, .fail, .failing, .pause),
    Transition(.open, .lose, .lost, .pause),
    Transition(.open, .refuse, .lost, .longestPause),
    Transition(.open, .end, .closed, .none),

    Transition(.failing, .succeed, .open, .none),
    Transition(.failing, .fail, .failing, .pause),
    Transition(.failing, .lose, .lost, .pause),
    Transition(.failing, .refuse, .lost, .longestPause),
    Transition(.failing, .announce, .failing, .now),
    Transition(.failing, .end, .closed, .none),

    Transition(.lost, .succeed, .open, .none),
    Transition(.lost, .fail, .failing, .pause),
    Transition(.lost, .lose, .lost, .pause),
    Transition(.lost, .refuse, .lost, .longestPause),
    Transition(.lost, .announce, .lost, .now),
    Transition(.lost, .end, .closed, .none),
  ]

  /// The shortest pause that ``spread(from:by:)`` gives.
  private static var shortestSpread: Duration { .milliseconds(50) }

  public private(set) var phase: Phase
  /// The moment of the next try; nil if none is scheduled.
  public private(set) var due: Moment?
  /// The pause before the scheduled try; zero if it is due immediately, or if none is scheduled.
  public private(set) var pause = Duration.zero
  private let pauses: Pauses
  private var failurePause: Duration
  private var lossPause: Duration
  /// The moment of the last return; nil if the hardware was never lost.
  private var returned: Moment?

  /// - Parameters:
  ///   - phase: the first phase; hardware that is ``Phase/opening`` is due immediately.
  ///   - moment: the moment at which it is due.
  ///   - pauses: the pauses between tries.
  public init(in phase: Phase, at moment: Moment = .zero, pauses: Pauses = Pauses()) {
    self.phase = phase
    self.pauses = pauses
    (failurePause, lossPause) = (pauses.first, pauses.first)
    due = phase == .opening ? moment : nil
  }

  /// Whether a try is scheduled and its moment is reached.
  public func isDue(at now: Moment) -> Bool { due.map { $0 <= now } ?? false }

  /// Whether a try is scheduled for a later moment.
  public func isWaiting(at now: Moment) -> Bool { due.map { $0 > now } ?? false }

  /// Whether the hardware has returned within the stable time before this moment.
  ///
  /// - Parameters:
  ///   - now: the moment.
  ///   - stableTime: nil for that of the pauses.
  public func isUnstable(at now: Moment, stableTime: Duration? = nil) -> Bool {
    returned.map { now - $0 < stableTime ?? pauses.stableTime } ?? false
  }

  /// Changes the phase by the table, and schedules the next try.
  ///
  /// - Parameters:
  ///   - event: what has happened.
  ///   - now: the moment of the event.
  ///   - keepsPauses: whether ``Event/end`` keeps the pauses, because the hardware has not shown that it works.
  ///   - stableTime: a shorter time for hardware that is always present: a pause would only prevent it from working;
  ///     nil for that of the pauses.
  public mutating func note(
    _ event: Event, at now: Moment, keepsPauses: Bool = false, stableTime: Duration? = nil
  ) {
    guard let row = Self.transitions.first(where: { $0.phase == phase && $0.event == event }) else { return }
    guard event != .end else {
      let kept = keepsPauses ? (lossPause, returned) : (pauses.first, nil)
      self = Recovery(in: .closed, pauses: pauses)
      (lossPause, returned) = kept
      return
    }
    let previous = phase
    phase = row.next
    let isReset = !isUnstable(at: now, stableTime: stableTime)
    switch row.retry {
    case .none: (due, pause) = (nil, .zero)
    case .now:
      (due, pause) = (now, .zero)
      if phase == .lost, isReset { lossPause = pauses.first }
      if phase == .failing { failurePause = pauses.first }
    case .pause where phase == .lost:
      if previous == .lost, isWaiting(at: now) { return }
      if previous != .lost, isReset { lossPause = pauses.first }
      (due, pause) = (now + lossPause, lossPause)
      lossPause = min(lossPause * 2, pauses.longest)
    case .pause:
      if previous == .failing, isWaiting(at: now) { return }
      if previous != .failing { failurePause = previous == .lost ? lossPause : pauses.first }
      // A try before its time doesn't postpone the retry.
      if previous == .lost, let due, due > now, due < now + failurePause {
        returned = now
        return
      }
      (due, pause) = (now + failurePause, failurePause)
      failurePause = min(failurePause * 2, pauses.longest)
    case .longestPause: (due, pause) = (now + pauses.longest, pauses.longest)
    }
    if previous == .lost, phase == .open || phase == .failing { returned = now }
  }

  /// Moves the retry to a random moment: between now and twice the pause, at least 50 ms from now, and no later than
  /// the longest pause. Many clients that lose one server at the same moment then don't all return at the same moment.
  public mutating func spread(from now: Moment, by chance: inout any RandomNumberGenerator) {
    guard let due, due > now else { return }
    let most = min((due - now) * 2, pauses.longest)
    let pause = Int64(chance.next().multipliedFullWidth(by: UInt64(most.wholeNanoseconds)).high)
    self.due = now + max(.nanoseconds(pause), Self.shortestSpread)
  }
}
