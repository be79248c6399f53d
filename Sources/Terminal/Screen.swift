import CycleCore
import Glibc

/// The terminal as a screen: draws lines in place, reads single keys, and restores the terminal when closed.
package final class Screen {
  private let writer = Output.standard
  /// Rung when a slow terminal has accepted all output.
  private let bell: any Doorbell
  private let abilities: TerminalAbilities
  private var reader = KeyReader()
  private var original = termios()
  private var isOpen = false
  private var drawn: [String] = []

  package init(bell: any Doorbell, abilities: TerminalAbilities = .ofThisProcess) {
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

  /// Applies the terminal's settings again, because another program may have changed them, and has all lines drawn
  /// anew.
  package func reopen() {
    guard isOpen else { return }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    // A line that turns out wider than it was counted to be must not go on in the row below it: no wrapping.
    writer.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
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
    writer.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
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

  /// The keys pressed since the last call. Ctrl-D (4) at the end of input.
  package func readKeys() -> [TerminalKey] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return [.byte(4)] }
    return reader.keys(in: bytes[..<count])
  }

  /// Draws the lines that differ from those drawn before. While the terminal has not accepted earlier output, nothing
  /// is drawn: the bell is rung when it has, and the caller draws again.
  package func draw(_ lines: [String]) {
    guard writer.isIdle(orRing: bell) else { return }
    let lines = lines.map(abilities.adapt)
    var text = drawn.isEmpty ? "\u{1B}[2J" : ""
    for (row, line) in lines.enumerated() where row >= drawn.count || drawn[row] != line {
      // Cleared before, not after: after a line as wide as the terminal the cursor is on its last character.
      text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)"
    }
    if lines.count < drawn.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    drawn = lines
    writer.write(text)
  }
}
