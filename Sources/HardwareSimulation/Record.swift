extension Array {
  /// Appends an entry to a record. Of a long record only the newest entries are kept, at least 4 096, because a
  /// simulation may run for a long time.
  ///
  /// - Returns: the number of the oldest entries that were dropped.
  @discardableResult
  mutating func record(_ entry: Element) -> Int {
    append(entry)
    guard count > 8192 else { return 0 }
    let dropped = count - 4096
    removeFirst(dropped)
    return dropped
  }
}
