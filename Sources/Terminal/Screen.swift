import CycleCore
import Glibc

/// The terminal as a screen: draws lines in place, reads single keys, and restores the terminal when closed.
package final class Screen {
  private let writer = Output.standard
  /// Rung when a slow terminal has accepted all output.
  private let bell: any Doorbell
  private var original = termios()
  private var isOpen = false
  private var drawn: [String] = []

  package init(bell: any Doorbell) {
    self.bell = bell
  }

  /// Switches to the alternate screen and to keys without echo.
  package func open() throws(DriverError) {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else {
      throw DriverError(
        .failed, cannot: "read the terminal's settings", reason: "it is no terminal",
        remedy: "Give steps on standard input instead.")
    }
    isOpen = true
    reopen()
  }

  /// Applies the terminal's settings again, because another program may have changed them, and has all lines drawn
  /// anew.
  package func reopen() {
    guard isOpen else { return }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    writer.write("\u{1B}[?1049h\u{1B}[?25l")
    clear()
  }

  /// Makes the next ``draw(_:)`` draw all lines.
  package func clear() {
    drawn = []
  }

  /// Restores the terminal. If it accepts no output, after Ctrl-S or without a reader, waits a little longer than
  /// ``Output/patience``.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    writer.write("\u{1B}[?25h\u{1B}[?1049l")
    if !writer.flush(within: Output.patience / 10) {
      // TCOON starts only output that TCOOFF has stopped, even if Ctrl-S has stopped it: so stop it with TCOOFF first.
      tcflow(STDOUT_FILENO, TCOOFF)
      tcflow(STDOUT_FILENO, TCOON)
      writer.flush(within: Output.patience)
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &original)
  }

  deinit { close() }

  /// Columns and rows; 80 and 24 where the terminal doesn't say.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The keys pressed since the last call. Escape sequences, such as those of arrows, are ignored. Ctrl-D (4) at the
  /// end of input.
  package func readKeys() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return [4] }
    let keys = bytes[..<count]
    return keys.first == 0x1B ? [] : Array(keys)
  }

  /// Draws the lines that differ from those drawn before. While the terminal has not accepted earlier output, nothing
  /// is drawn: the bell is rung when it has, and the caller draws again.
  package func draw(_ lines: [String]) {
    guard writer.isIdle(orRing: bell) else { return }
    var text = drawn.isEmpty ? "\u{1B}[2J" : ""
    for (row, line) in lines.enumerated() where row >= drawn.count || drawn[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    if lines.count < drawn.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    drawn = lines
    writer.write(text)
  }
}
