import CycleCore

/// Debounces keys that are scanned repeatedly: a change of a key is settled when three consecutive scans have seen it,
/// the first at least `period` before the last.
///
///     scans     . # . # # # # . # . . . .
///     result    . . . . . # # # # # # # .      # when the period is two scans long
///
/// Scans may be late: the time between two scans is measured from the end of the first to the beginning of the second,
/// which is the least that it can be.
struct ScanDebouncer: Equatable, Sendable {
  /// The number of scans that must agree, whatever the time between them: while keys bounce, a scan can report a key
  /// that isn't down.
  private static let fewestScans = 3

  /// The time for which a key must be stable.
  let period: Duration
  /// The keys that are settled as down.
  private(set) var down: KeySet
  /// The keys whose state in the last scan differs from their settled state.
  private(set) var changing = KeySet()
  /// For each changing key: the number of consecutive scans that have seen the change, and the end of the first of
  /// them.
  private var scans = [UInt8](repeating: 0, count: 64)
  private var first = [Moment](repeating: .zero, count: 64)

  /// - Parameters:
  ///   - period: the time for which a key must be stable.
  ///   - down: the keys that are settled as down before the first scan.
  init(period: Duration, down: KeySet = KeySet()) {
    self.period = period
    self.down = down
  }

  /// Applies a scan and returns the keys whose settled state it changed.
  ///
  /// - Parameters:
  ///   - seen: the keys that were seen down.
  ///   - unknown: keys whose state the scan can't determine: they keep their settled state.
  ///   - begin: a moment at or before the beginning of the scan.
  ///   - end: a moment at or after the end of the scan.
  mutating func scan(_ seen: KeySet, unknown: KeySet, begin: Moment, end: Moment) -> KeySet {
    let before = changing
    changing = KeySet(bits: seen.bits ^ down.bits).subtracting(unknown)
    var changed = KeySet()
    var left = changing.bits
    while left != 0 {
      let place = left.trailingZeroBitCount
      left &= left - 1
      if !before.contains(place) {
        scans[place] = 0
        first[place] = end
      }
      scans[place] = min(scans[place] + 1, UInt8(Self.fewestScans))
      if scans[place] >= Self.fewestScans, begin - first[place] >= period { changed.bits |= 1 << UInt64(place) }
    }
    down.bits ^= changed.bits
    changing = changing.subtracting(changed)
    return changed
  }

  /// Drops all changes that are not settled yet.
  mutating func forgetChanges() {
    changing = KeySet()
  }
}
