/// Escape sequences for the style of text: ECMA-48, 8.3.117.
package enum Style {
  package static let bold = "\u{1B}[1m"
  package static let dim = "\u{1B}[2m"
  package static let yellow = "\u{1B}[33m"
  package static let plain = "\u{1B}[0m"

  /// The symbols of a lamp that is on, and of one that is off.
  package static let lit = "\(yellow)●\(plain)"
  package static let dark = "○"
}
