import CycleCore

/// The moments at which changed values are saved: 1 s after the last change, at the latest `within` after the first
/// unsaved change, and at the earliest `within` after the previous save.
///
///     changes   x x x          x   x   x   x   x   x
///     saves           S                    S
///
/// An urgent change is saved immediately, but at most ``mostUrgent`` times per minute, to protect the disk.
struct KeptSchedule: Equatable {
  /// The time for which values must not change before they are saved.
  static var rest: Duration { .seconds(1) }
  /// The maximum number of urgent saves per minute.
  static let mostUrgent = 20
  static var minute: Duration { .seconds(60) }

  private var changed: Moment?
  private var latest = Moment.distantFuture
  private var shortest = Duration.seconds(Int64.max)
  private var saved: Moment?
  /// The first urgent change that is not saved.
  private(set) var urgent: Moment?
  /// The moments of the last urgent saves, at most ``mostUrgent``.
  private var urgentSaves: [Moment] = []

  /// The moment at which the next save is due; nil while everything is saved.
  var due: Moment? {
    guard let urgent = urgentDue else { return restedDue }
    return restedDue.map { min($0, urgent) } ?? urgent
  }

  private var urgentDue: Moment? {
    guard let urgent else { return nil }
    return urgentSaves.count < Self.mostUrgent ? urgent : max(urgent, urgentSaves[0] + Self.minute)
  }

  private var restedDue: Moment? {
    guard let changed else { return nil }
    let due = min(changed + Self.rest, latest)
    return saved.map { max($0 + shortest, due) } ?? due
  }

  mutating func change(at now: Moment, within span: Duration) {
    changed = now
    latest = min(latest, now + span)
    shortest = min(shortest, span)
  }

  /// Records a change that must be saved immediately.
  mutating func changeUrgently(at now: Moment) { urgent = urgent ?? now }

  mutating func save(at now: Moment) {
    let saves = urgent == nil ? urgentSaves : (urgentSaves + [now]).suffix(Self.mostUrgent)
    self = KeptSchedule()
    urgentSaves = Array(saves)
    saved = now
  }

  /// Records that the disk has saved, maybe long after the request: the time until the next save begins here.
  mutating func end(at now: Moment) { saved = now }

  /// Records that nothing had to be saved: the next save may follow as if this one had not been due.
  mutating func skip() {
    let (saved, saves) = (saved, urgentSaves)
    self = KeptSchedule()
    (self.saved, urgentSaves) = (saved, saves)
  }
}
