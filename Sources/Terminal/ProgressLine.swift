import Glibc

/// A line on the terminal behind standard error that says how far a command is, and goes again.
package final class ProgressLine {
  /// Whether standard error is a terminal that can take the line away again.
  package let isSeen: Bool
  private let write: (String) -> Void
  private var isShown = false

  package convenience init() {
    self.init(isSeen: isatty(STDERR_FILENO) == 1 && TerminalAbilities.ofThisProcess.movesCursor) {
      Output.errors.write($0)
    }
  }

  /// - Parameters:
  ///   - isSeen: whether there is somebody who sees it.
  ///   - write: writes to the terminal.
  package init(isSeen: Bool, write: @escaping (String) -> Void) {
    (self.isSeen, self.write) = (isSeen, write)
  }

  /// Shows a line in place of the one before.
  package func show(_ text: String) {
    guard isSeen else { return }
    isShown = true
    write("\r\u{1B}[K\(visible(text))")
  }

  /// Takes the line away, before something else is written.
  package func clear() {
    guard isShown else { return }
    isShown = false
    write("\r\u{1B}[K")
  }
}
