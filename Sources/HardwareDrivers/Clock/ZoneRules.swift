import CycleCore

/// The rules of a time zone: its offsets from UTC in the past and in the future.
///
/// The rules come from a file of the time zone database (``init(tzif:name:)``), or from a text like
/// `CET-1CEST,M3.5.0,M10.5.0/3` (``init(posix:name:)``).
public struct ZoneRules: Hashable, Sendable {
  /// A moment at which the offset changes.
  public struct Transition: Hashable, Sendable {
    /// The number of seconds since 1 January 1970 UTC.
    public var seconds: Int
    /// The offset from then on, in seconds.
    public var offset: Int
  }

  /// The name: `Europe/Berlin`.
  public let name: String
  /// The offset before the first transition, in seconds.
  let firstOffset: Int
  /// In order; each changes the offset.
  let transitions: [Transition]
  /// The rule after the last transition; nil if the last offset stays.
  let rule: SummerTimeRule?

  /// Coordinated universal time.
  public static let utc = ZoneRules(name: "UTC", firstOffset: 0, transitions: [], rule: nil)

  init(name: String, firstOffset: Int, transitions: [Transition], rule: SummerTimeRule?) {
    self.name = name
    self.firstOffset = firstOffset
    var changes: [Transition] = []
    for transition in transitions where transition.offset != (changes.last?.offset ?? firstOffset) {
      changes.append(transition)
    }
    self.transitions = changes
    self.rule = rule
  }

  /// The offset from UTC at a time, in seconds.
  ///
  /// - Parameter seconds: the number of seconds since 1 January 1970 UTC.
  public func offset(at seconds: Int) -> Int {
    if let rule, seconds >= transitions.last?.seconds ?? .min { return rule.offset(at: seconds) }
    return count(until: seconds) == 0 ? firstOffset : transitions[count(until: seconds) - 1].offset
  }

  /// The number of transitions at or before a time.
  private func count(until seconds: Int) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].seconds <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first change of the offset after a time; nil if there is none.
  public func change(after seconds: Int) -> Transition? {
    let place = count(until: seconds)
    if place < transitions.count { return transitions[place] }
    return rule?.change(after: seconds)
  }

  /// A reading of a clock in this zone.
  ///
  /// - Parameter microseconds: the number of microseconds since 1 January 1970 UTC.
  public func reading(at microseconds: Int) -> ClockReading {
    let seconds = CalendarDate.floor(microseconds, 1_000_000)
    let offset = offset(at: seconds)
    let before = seconds - 2 * TimeOfDay.secondsOfDay
    var change: ClockReading.Change?
    if let last = self.change(after: before), last.seconds <= seconds {
      change = ClockReading.Change(seconds: last.seconds, offsetBefore: self.offset(at: last.seconds - 1))
    }
    return ClockReading(microseconds: microseconds, offset: offset, change: change)
  }

  /// The moment at which a clock shows a local time first. A local time that the begin of summer time skips occurs at
  /// that change.
  ///
  /// - Parameters:
  ///   - date: the local date.
  ///   - secondsOfDay: the seconds since midnight as the clock shows them; from 86400 on, a time of the next date.
  /// - Returns: the number of seconds since 1 January 1970 UTC.
  public func seconds(on date: CalendarDate, at secondsOfDay: Int) -> Int {
    let local = date.day * TimeOfDay.secondsOfDay + secondsOfDay
    // An offset has at most 26 hours, so these are the offsets before and after the time.
    let before = offset(at: local - 2 * TimeOfDay.secondsOfDay)
    let after = offset(at: local + 2 * TimeOfDay.secondsOfDay)
    if offset(at: local - before) == before { return local - before }
    if offset(at: local - after) == after { return local - after }
    return change(after: min(local - before, local - after) - 1)?.seconds ?? local - after
  }
}
