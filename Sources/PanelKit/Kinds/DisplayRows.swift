import PanelEngine
import PanelLanguage
import Terminal

/// The rows of text that a display shows, as a person reads them.
enum DisplayRows {
  /// The look of a text in an expectation: rows with ` / ` or line ends between them.
  static func look(named text: String) -> ObservedOutput? {
    if text == "off" { return .off }
    return look(
      text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
        line.parts(between: " / ").map(String.init)
      })
  }

  /// Drops blanks at the end of a row, and empty rows after the last text, because they are not visible.
  static func look(_ rows: [String]) -> ObservedOutput {
    var rows = rows.map { String($0.reversed().drop { $0 == " " }.reversed()) }
    while rows.last == "" { rows.removeLast() }
    return rows.isEmpty ? .off : .rows(rows)
  }

  /// The rows at their full width, in a terminal.
  static func picture(of look: ObservedOutput, columns: Int, rows count: Int) -> String {
    let rows = if case .rows(let rows) = look { rows } else { [String]() }
    return (0..<count).map { row in
      let text = row < rows.count ? rows[row] : ""
      return "│" + visible(text) + String(repeating: " ", count: max(0, columns - text.count))
    }.joined() + "│"
  }
}
