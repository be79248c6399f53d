import CycleCore
import Glibc

/// The terminal as a screen: drawn over in place, keys one by one, and as it was before when closed.
final class Screen {
  private var original = termios()
  private var isOpen = false
  private var drawn: [String] = []

  /// Switches to the alternate screen and to keys without echo.
  func open() throws(DriverError) {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else {
      throw DriverError(
        .failed, cannot: "read the terminal's settings", reason: "it is no terminal",
        remedy: "Give steps on standard input instead.")
    }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    isOpen = true
    Output.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    Output.write("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSANOW, &original)
  }

  deinit { close() }

  /// Columns and rows; 80 and 24 where the terminal doesn't say.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The keys pressed since the last time. Escape sequences of arrows and the like are left out.
  func readKeys() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return [4] }
    let keys = bytes[..<count]
    return keys.first == 0x1B ? [] : Array(keys)
  }

  /// Draws the lines that are not there already.
  func draw(_ lines: [String]) {
    var text = ""
    for (row, line) in lines.enumerated() where row >= drawn.count || drawn[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    if lines.count < drawn.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    drawn = lines
    if !text.isEmpty { Output.write(text) }
  }
}
