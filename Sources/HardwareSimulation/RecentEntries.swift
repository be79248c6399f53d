/// The log of a simulated device, the newest entry last. Of a long log only the newest entries are kept, at least
/// 4,096, because a simulation may run for a long time.
struct RecentEntries<Entry> {
  private(set) var entries: [Entry]
  /// The number of the oldest entries that were dropped.
  private(set) var forgottenCount = 0

  init(_ entries: [Entry] = []) { self.entries = entries }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
    guard entries.count > 8192 else { return }
    let dropped = entries.count - 4096
    entries.removeFirst(dropped)
    forgottenCount += dropped
  }
}
