import Glibc

/// Runs the command `panel` in a pseudo-terminal, whose keys a test presses and whose screen it reads.
package final class PanelTerminal {
  private let process: pid_t
  /// The pseudo-terminal's master, from which the screen is read and to which keys are written.
  private let screen: Int32
  /// Holds the terminal open, so that its settings can be read when the command has ended.
  private let side: Int32
  /// All that the command has written and the test has read.
  package private(set) var output: [UInt8] = []

  /// Starts the command in the checkout's root; the terminal has 80 columns and 30 rows.
  ///
  /// - Parameters:
  ///   - environment: besides the path.
  ///   - prefix: shell commands that are run before, in the terminal.
  package init(
    _ arguments: [String], environment: [String] = ["TERM=xterm", "LANG=C.UTF-8"], prefix: String = ""
  ) {
    // As posix_openpt, unlockpt and ptsname do, which Glibc's Swift module doesn't have.
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
    process = PanelProcess.spawn(arguments, &actions, inSessionOfItsOwn: true, environment: environment, prefix: prefix)
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

  /// Turns echo and line mode on, as a shell does while the command is stopped.
  package func makeCooked() {
    var settings = termios()
    tcgetattr(side, &settings)
    settings.c_lflag |= tcflag_t(ECHO | ICANON)
    tcsetattr(side, TCSANOW, &settings)
  }

  /// Reads until the text is in the output that hadn't been read before this call; false if the time is over first.
  package func waits(for text: String, seconds: Int = 20) -> Bool {
    let from = output.count
    for _ in 0..<seconds * 100 {
      if String(decoding: output[from...], as: UTF8.self).contains(text) { return true }
      read(milliseconds: 10)
    }
    return false
  }

  /// Reads until there has been no output for this time, or for a minute where there always is some.
  package func readAll(quietFor milliseconds: Int32 = 200) {
    let end = ContinuousClock.now + .seconds(60)
    while read(milliseconds: milliseconds), ContinuousClock.now < end {}
  }

  /// Reads once, waiting at most this time for output; false if there is none.
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

  /// Closes the terminal's master, as when an ssh connection ends.
  package func hangUp() {
    close(screen)
    isHungUp = true
  }

  /// As ``PanelProcess/end(within:)``, but reads the output first, unless `reading` is false.
  package func end(within seconds: Int, reading: Bool = true) -> Int32? {
    if reading, !isHungUp { readAll(quietFor: 500) }
    return PanelProcess.end(of: process, within: seconds)
  }
}
