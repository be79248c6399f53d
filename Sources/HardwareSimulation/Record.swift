extension Array {
  /// Adds what has just happened to a record, the newest last, of which at least the newest 4 096 entries are kept: a simulation may run for
  /// as long as somebody looks at it.
  ///
  /// - Returns: how many of the oldest entries have been dropped.
  @discardableResult
  mutating func record(_ entry: Element) -> Int {
    append(entry)
    guard count > 8192 else { return 0 }
    let dropped = count - 4096
    removeFirst(dropped)
    return dropped
  }
}
