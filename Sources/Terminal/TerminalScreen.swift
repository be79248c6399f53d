import CycleCore
import Glibc

/// The terminal as a screen: draws lines in place, reads single keys, and restores the terminal when closed.
package final class TerminalScreen {
  private let writer = Output.standard
  /// Rung after a slow terminal has accepted all output.
  private let bell: any Doorbell
  private let abilities: TerminalCapabilities
  private var reader = KeyDecoder()
  private var original = termios()
  private var isOpen = false
  private var drawn: [String] = []

  package init(bell: any Doorbell, abilities: TerminalCapabilities = .ofThisProcess) {
    self.bell = bell
    self.abilities = abilities
  }

  /// Switches to the alternate screen and to keys without echo.
  package func open() throws(DriverError) {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else {
      throw DriverError(
        .failed, cannot: "read the terminal's settings", reason: "not a terminal",
        remedy: "Give steps on standard input instead.")
    }
    isOpen = true
    reopen()
  }

  /// Applies the terminal's settings again, because another program may have changed them. The next drawing draws all
  /// lines again.
  package func reopen() {
    guard isOpen else { return }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    // Wrapping is off: a line that is wider than computed must not continue in the next row.
    writer.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    clear()
  }

  /// Makes the next ``draw(_:)`` draw all lines.
  package func clear() {
    drawn = []
  }

  /// Restores the terminal. If the terminal accepts no output, after Ctrl-S or without a reader, waits a little longer
  /// than ``Output/patience``.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    writer.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    if !writer.flush(within: Output.patience / 10) {
      // TCOON restarts output only after TCOOFF, even if Ctrl-S has stopped it. So call TCOOFF first.
      tcflow(STDOUT_FILENO, TCOOFF)
      tcflow(STDOUT_FILENO, TCOON)
      writer.flush(within: Output.patience)
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &original)
  }

  deinit { close() }

  /// The numbers of columns and rows; 80 and 24 if the terminal doesn't report them.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Returns the keys pressed since the last call; Ctrl-D (4) at the end of input.
  package func readKeys() -> [TerminalKey] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return [.byte(4)] }
    return reader.keys(in: bytes[..<count])
  }

  /// Draws the lines that differ from those drawn before. If the terminal has not accepted earlier output, draws
  /// nothing: the bell is rung when it has, and the caller draws again.
  package func draw(_ lines: [String]) {
    guard writer.isIdle(orRing: bell) else { return }
    let lines = lines.map(abilities.adapt)
    var text = drawn.isEmpty ? "\u{1B}[2J" : ""
    for (row, line) in lines.enumerated() where row >= drawn.count || drawn[row] != line {
      // Cleared before the text: after a line as wide as the terminal, the cursor is on its last character.
      text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)"
    }
    if lines.count < drawn.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    drawn = lines
    writer.write(text)
  }
}
