import CycleCore

/// Formats a span for the console and the journal.
package enum SecondsText {
  /// Returns seconds with three decimals, truncated towards zero: `1.005s`, `-0.500s`.
  package static func text(of span: Duration) -> String {
    let milliseconds = (span.wholeNanoseconds / 1_000_000).magnitude
    let sign = span < .zero && milliseconds > 0 ? "-" : ""
    let fraction = String(milliseconds % 1000)
    return "\(sign)\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)s"
  }

  /// Returns seconds with two decimals, truncated: `0.02s`.
  package static func short(_ span: Duration) -> String { "\(text(of: span).dropLast(2))s" }
}
