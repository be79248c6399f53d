import CycleCore

/// Debounces keys that are looked at from time to time: a key counts when three scans in a row have seen it the same, the first of them
/// a period before the last.
///
///     scans     . # . # # # # . # . . . .
///     result    . . . . . # # # # # # # .      # when the period is two scans long
///
/// A scan that comes late is as good as any: what counts is how far the scans are apart for sure, from the end of one to the
/// beginning of another.
struct ScanDebouncer: Equatable, Sendable {
  /// So many scans must agree, whatever time lies between them: a scan of keys that bounce meanwhile can see one that isn't down.
  private static let fewestScans = 3

  /// How long a key must be the same.
  let period: Duration
  /// The keys that count as down.
  private(set) var down = KeySet()
  /// The keys that were seen otherwise in the last scan.
  private(set) var changing = KeySet()
  /// Of each of those: how many scans have seen it so, and the end of the first.
  private var scans = [UInt8](repeating: 0, count: 64)
  private var first = [Moment](repeating: .zero, count: 64)

  init(period: Duration) {
    self.period = period
  }

  /// Takes a scan, and gives the keys that changed by it.
  ///
  /// - Parameters:
  ///   - seen: the keys that were seen down.
  ///   - unknown: keys of which the scan says nothing: they stay what they are.
  ///   - begin: a moment that is not after the scan began.
  ///   - end: a moment that is not before it ended.
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

  /// What the scans so far have not settled doesn't count.
  mutating func forgetChanges() {
    changing = KeySet()
  }
}
