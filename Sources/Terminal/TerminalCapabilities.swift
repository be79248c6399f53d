import CycleCore
import Glibc

/// The abilities of a terminal, from its environment: colours, symbols beyond ASCII, and a movable cursor.
package struct TerminalCapabilities: Equatable, Sendable {
  /// Whether colours are used. False with `NO_COLOR` (https://no-color.org), without a movable cursor, and in a locale
  /// without UTF-8.
  package var hasColours: Bool
  /// Whether the locale's encoding is UTF-8.
  package var isUTF8: Bool
  /// Whether the cursor can be moved. False if `TERM` is `dumb` or not set: such a terminal only appends lines.
  package var movesCursor: Bool

  package init(hasColours: Bool = true, isUTF8: Bool = true, movesCursor: Bool = true) {
    self.hasColours = hasColours
    self.isUTF8 = isUTF8
    self.movesCursor = movesCursor
  }

  /// - Parameter variable: returns the value of an environment variable; nil if it isn't set.
  package init(environment variable: (String) -> String?) {
    let terminal = variable("TERM") ?? ""
    movesCursor = !terminal.isEmpty && terminal != "dumb"
    // The first of the three that is set and not empty, as in setlocale(3).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? "C"
    isUTF8 = locale.uppercased().contains(text: "UTF-8") || locale.uppercased().contains(text: "UTF8")
    hasColours = movesCursor && isUTF8 && (variable("NO_COLOR") ?? "").isEmpty
  }

  /// The abilities of this process's terminal. Calls `getenv`.
  package static var ofThisProcess: TerminalCapabilities {
    TerminalCapabilities { name in getenv(name).map { String(cString: $0) } }
  }

  /// Removes from the line what this terminal can't display, and keeps its width.
  package func adapt(_ line: String) -> String {
    if hasColours && isUTF8 { return line }
    var result = ""
    var sequence = ""
    for character in line {
      if character == "\u{1B}" || !sequence.isEmpty {
        sequence.append(character)
        guard character.isLetter else { continue }
        if hasColours || !Self.isColour(sequence) { result += sequence }
        sequence = ""
      } else {
        result.append(isUTF8 || character.isASCII ? character : Self.plain[character] ?? "?")
      }
    }
    return result
  }

  /// Whether an escape sequence sets a colour: ECMA-48, 8.3.117, parameters 30 to 49, and 90 to 107 of xterm.
  private static func isColour(_ sequence: String) -> Bool {
    guard sequence.last == "m" else { return false }
    let parameters = sequence.dropFirst(2).dropLast().split(separator: ";").compactMap { Int($0) }
    return parameters.contains { (30...49).contains($0) || (90...107).contains($0) }
  }

  /// An ASCII character for each symbol of the pictures.
  private static let plain: [Character: Character] = [
    "●": "*", "○": "o", "◐": "%", "◔": ".", "◕": "@", "▮": "#", "▯": "-", "■": "#", "□": "-", "♪": "~", "–": "-",
    "─": "-",
    "│": "|", "·": "|", "×": "x", "…": ">", "↑": "^", "↓": "v",
  ]
}
