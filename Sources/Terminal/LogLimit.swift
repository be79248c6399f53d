import CycleCore

/// Lets so many lines of a kind into a log in a span of time, and counts the others: for lines that others can cause without end.
package struct LogLimit {
  private let most: Int
  private let span: Duration
  /// When the first line of the current span was written.
  private var beginning: Moment?
  private var written = 0
  private var omitted = 0

  /// - Parameters:
  ///   - most: how many lines of a span are written.
  ///   - span: how long it is, from its first line.
  package init(_ most: Int = 1, each span: Duration = .seconds(10)) {
    (self.most, self.span) = (most, span)
  }

  /// Returns the line with how many were omitted before it, or nil to omit it.
  package mutating func admit(_ line: @autoclosure () -> String, at now: Moment) -> String? {
    if beginning.map({ now - $0 >= span }) ?? true { (beginning, written) = (now, 0) }
    guard written < most else {
      omitted += 1
      return nil
    }
    written += 1
    defer { omitted = 0 }
    return line() + (omitted > 0 ? "; \(omitted) more before that" : "")
  }
}
