import CycleCore

/// When changed values are saved: 1 s after the last change, at latest `within` after the first one that is not saved, and
/// never sooner than `within` after the save before.
///
///     changes   x x x          x   x   x   x   x   x
///     saves           S                    S
struct KeptSchedule: Equatable {
  /// How long values must rest.
  static var rest: Duration { .seconds(1) }

  private var changed: Moment?
  private var latest = Moment.distantFuture
  private var shortest = Duration.seconds(Int64.max)
  private var saved: Moment?

  /// When the next save is due; nil while all is saved.
  var due: Moment? {
    guard let changed else { return nil }
    let due = min(changed + Self.rest, latest)
    return saved.map { max($0 + shortest, due) } ?? due
  }

  mutating func change(at now: Moment, within span: Duration) {
    changed = now
    latest = min(latest, now + span)
    shortest = min(shortest, span)
  }

  mutating func save(at now: Moment) {
    self = KeptSchedule()
    saved = now
  }

  /// The disk has saved, maybe long after it was asked to: the next save counts from here.
  mutating func end(at now: Moment) { saved = now }

  /// Nothing had to be saved, so the next save may come as if this one had not been due.
  mutating func skip() {
    let saved = saved
    self = KeptSchedule()
    self.saved = saved
  }
}
