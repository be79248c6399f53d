import CycleCore
import Glibc

/// The terminal as a screen: drawn over in place, keys one by one, and as it was before when closed.
package final class Screen {
  private let writer = Output.standard
  /// Rung when a terminal that was late has taken everything.
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

  /// Sets the terminal again, whatever another program has made of it, and forgets what was drawn.
  package func reopen() {
    guard isOpen else { return }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    writer.write("\u{1B}[?1049h\u{1B}[?25l")
    clear()
  }

  /// Has the next drawing draw everything.
  package func clear() {
    drawn = []
  }

  /// A terminal that is stopped, by Ctrl-S or because nobody reads, is left after ``Output/patience`` as it is.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    writer.write("\u{1B}[?25h\u{1B}[?1049l")
    if !writer.flush(within: Output.patience / 10) {
      // What Ctrl-S has stopped can be started only by one that has stopped it: so stop it first.
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

  /// The keys pressed since the last time. Escape sequences of arrows and the like are left out.
  package func readKeys() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return [4] }
    let keys = bytes[..<count]
    return keys.first == 0x1B ? [] : Array(keys)
  }

  /// Draws the lines that are not there already. While the terminal is late nothing is drawn: the bell rings when it has caught
  /// up, and the next drawing is of how things are then.
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
