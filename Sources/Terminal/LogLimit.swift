import CycleCore

/// Accepts a limited number of lines of one kind per time span, and counts the others. For lines that others can cause
/// without limit.
package struct LogLimit {
  private let most: Int
  private let span: Duration
  /// The moment at which the first line of the current span was written.
  private var beginning: Moment?
  private var written = 0
  private var omitted = 0

  /// - Parameters:
  ///   - most: the number of lines written per span.
  ///   - span: the length of a span, which begins with its first line.
  package init(_ most: Int = 1, each span: Duration = .seconds(10)) {
    (self.most, self.span) = (most, span)
  }

  /// Returns the line with the number of lines omitted before it; nil to omit it.
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
