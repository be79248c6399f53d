/// The content of a character display: rows of text with numbers of the panel in it, such as `Level {level}`.
public struct DisplayText: Equatable, Sendable {
  package enum Part: Equatable, Sendable {
    case text(String)
    /// A number, multiplied by 10 ^ `decimals`. It is shown while all of these sensors, by their inputs, can be read:
    /// an old number would look like a new one.
    case number(Number, decimals: Int, sensors: [Int])
    /// A number in milliseconds.
    case duration(Number)
    /// The elements of a list, with blanks between them.
    case elements(ListSlots)
  }

  package var rows: [[Part]]

  package init(rows: [[Part]]) {
    self.rows = rows
  }

  var dependsOnValues: Bool {
    rows.contains { $0.contains { if case .text = $0 { false } else { true } } }
  }
}
