import CycleCore

/// When changed values are saved: 1 s after the last change, at latest `within` after the first one that is not saved, and
/// never sooner than `within` after the save before.
///
///     changes   x x x          x   x   x   x   x   x
///     saves           S                    S
///
/// An urgent change is saved at once, but so often only as the disk bears: ``mostUrgent`` times in a minute.
struct KeptSchedule: Equatable {
  /// How long values must rest.
  static var rest: Duration { .seconds(1) }
  /// How many urgent saves a minute has at most.
  static let mostUrgent = 20
  static var minute: Duration { .seconds(60) }

  private var changed: Moment?
  private var latest = Moment.distantFuture
  private var shortest = Duration.seconds(Int64.max)
  private var saved: Moment?
  /// The first urgent change that is not saved.
  private(set) var urgent: Moment?
  /// When the last urgent saves were, at most ``mostUrgent``.
  private var urgentSaves: [Moment] = []

  /// When the next save is due; nil while all is saved.
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

  /// Something has changed that must be saved at once.
  mutating func changeUrgently(at now: Moment) { urgent = urgent ?? now }

  mutating func save(at now: Moment) {
    let saves = urgent == nil ? urgentSaves : (urgentSaves + [now]).suffix(Self.mostUrgent)
    self = KeptSchedule()
    urgentSaves = Array(saves)
    saved = now
  }

  /// The disk has saved, maybe long after it was asked to: the next save counts from here.
  mutating func end(at now: Moment) { saved = now }

  /// Nothing had to be saved, so the next save may come as if this one had not been due.
  mutating func skip() {
    let (saved, saves) = (saved, urgentSaves)
    self = KeptSchedule()
    (self.saved, urgentSaves) = (saved, saves)
  }
}
