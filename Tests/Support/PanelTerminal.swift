import Glibc

/// The command `panel` in a terminal of its own, with a test in front of it.
package final class PanelTerminal {
  private let process: pid_t
  /// The side of whoever looks at the terminal and presses keys.
  private let screen: Int32
  /// Holds the terminal open, so that its settings can be read when the command has ended.
  private let side: Int32
  /// All that the command has written and the test has read.
  package private(set) var output: [UInt8] = []

  /// Starts the command in the checkout's root; the terminal has 80 columns and 30 rows.
  package init(_ arguments: [String]) {
    // What posix_openpt, unlockpt and ptsname do; Swift does not see them.
    screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: Int32 = 0
    let unlockTerminal: UInt = 0x4004_5431
    let getTerminalNumber: UInt = 0x8004_5430
    let isThere = ioctl(screen, unlockTerminal, &number) == 0 && ioctl(screen, getTerminalNumber, &number) == 0
    precondition(isThere, "there is no terminal: errno \(errno)")
    let path = "/dev/pts/\(number)"
    side = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    process = PanelProcess.spawn(arguments, &actions, inSessionOfItsOwn: true, environment: ["TERM=xterm"])
    resize(columns: 80, rows: 30)
  }

  deinit {
    close(side)
    if !isHungUp { close(screen) }
  }

  package func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
  }

  /// Presses keys: `\u{13}` is Ctrl-S, `\u{1A}` Ctrl-Z.
  package func press(_ keys: String) {
    var keys = keys
    keys.withUTF8 { _ = write(screen, $0.baseAddress, $0.count) }
  }

  package func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// Whether keys come one by one and without echo.
  package var isRaw: Bool {
    var settings = termios()
    tcgetattr(side, &settings)
    return settings.c_lflag & tcflag_t(ECHO | ICANON) == 0
  }

  /// What a shell does while the command is stopped.
  package func makeCooked() {
    var settings = termios()
    tcgetattr(side, &settings)
    settings.c_lflag |= tcflag_t(ECHO | ICANON)
    tcsetattr(side, TCSANOW, &settings)
  }

  /// Reads until the text has come, from where the test has read; false if it has not after so many seconds.
  package func waits(for text: String, seconds: Int = 20) -> Bool {
    let from = output.count
    for _ in 0..<seconds * 100 {
      if String(decoding: output[from...], as: UTF8.self).contains(text) { return true }
      read(milliseconds: 10)
    }
    return false
  }

  /// Reads until nothing has come for so long.
  package func readAll(quietFor milliseconds: Int32 = 200) {
    while read(milliseconds: milliseconds) {}
  }

  /// Reads what is there, or comes within the time.
  @discardableResult
  private func read(milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(screen, &chunk, chunk.count)
    guard count > 0 else { return false }
    output += chunk[..<count]
    return true
  }

  /// Waits until the command has been stopped by a signal; false if it has not within so many seconds.
  package func waitsForStop(seconds: Int = 20) -> Bool {
    var status: Int32 = 0
    for _ in 0..<seconds * 100 {
      if waitpid(process, &status, WNOHANG | WUNTRACED) == process { return status & 0xFF == 0x7F }
      usleep(10_000)
    }
    return false
  }

  private var isHungUp = false

  /// The terminal goes away, as with an ssh connection.
  package func hangUp() {
    close(screen)
    isHungUp = true
  }

  /// As ``PanelProcess/end(within:)``, reading what is written meanwhile unless nobody reads.
  package func end(within seconds: Int, reading: Bool = true) -> Int32? {
    if reading, !isHungUp { readAll(quietFor: 500) }
    return PanelProcess.end(of: process, within: seconds)
  }
}
