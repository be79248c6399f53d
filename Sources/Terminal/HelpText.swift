import Glibc

/// The text of a help, wrapped at the width of the terminal.
package struct HelpText: Sendable {
  let columns: Int

  /// - Parameter columns: the maximum width of a line.
  package init(columns: Int = Self.columns) { self.columns = columns }

  /// The width of standard output's terminal, limited to 60 to 100; 80 if it is not a terminal. Calls `ioctl` with
  /// `TIOCGWINSZ`.
  package static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(100, max(60, Int(size.ws_col)))
  }

  /// Wraps each paragraph. A line that begins with two spaces is not changed.
  package func paragraphs(_ text: String) -> String {
    var lines: [String] = []
    var paragraph = ""
    func end() {
      if !paragraph.isEmpty { lines += DisplayWidth.wrap(paragraph, to: columns) }
      paragraph = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix("  ") {
        end()
        lines.append(String(line))
      } else {
        paragraph += " \(line)"
      }
    }
    end()
    return lines.joined(separator: "\n")
  }

  /// Makes two columns, and wraps the second.
  package func table(_ rows: [(String, String)]) -> String {
    let width = min(26, rows.map(\.0.count).max() ?? 0)
    let indentation = String(repeating: " ", count: width + 4)
    return rows.map { name, help in
      let text = DisplayWidth.wrap(help, to: columns - width - 4).joined(separator: "\n\(indentation)")
      return name.count > width
        ? "  \(name)\n\(indentation)\(text)"
        : "  \(name)\(String(repeating: " ", count: width - name.count))  \(text)"
    }.joined(separator: "\n")
  }

  /// Returns the lines with two spaces before each.
  static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
      .joined(separator: "\n")
  }
}
