import CycleCore

/// Formats a span for the console and the journal.
package enum SecondsText {
  /// Seconds with three decimals, cut: `1.005s`.
  package static func text(of span: Duration) -> String {
    let milliseconds = span.wholeNanoseconds / 1_000_000
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)s"
  }
}
