import CycleCore
import Glibc
import HardwareLinux
import HardwareSimulation
import Terminal

/// Runs an application on simulated devices in a terminal, in real time. It draws the outputs and operates the controls
/// by keys.
package final class Console {
  private let stage: any OperatedApplication
  private let loop: LinuxLoop
  private let screen: TerminalScreen
  private let monitor: MonitorSession?
  /// Starts the monitor.
  private let serve: () throws(DriverError) -> Void
  private var keys = KeyMap(of: [])
  private var isReadable = false
  /// The buttons that a key has clicked, and the moments of their release: a terminal sends nothing when a key is
  /// released.
  private var clicks: [Int: Moment] = [:]
  /// Buttons that are held down and switches that are on.
  private var closed: Set<Int> = []
  private var message = ""
  /// The addresses of the monitor, each with its use.
  private var addresses: [String] = []
  private var showsKeys = false
  private var scroll = 0
  private var page = 1

  private static let clickLength = Duration.milliseconds(150)

  /// - Parameters:
  ///   - monitor: the monitor that shows the application, too; nil for none.
  ///   - serve: starts that monitor; called when the application has started.
  package init(
    _ stage: any OperatedApplication, on loop: LinuxLoop, monitored monitor: MonitorSession? = nil,
    serve: @escaping () throws(DriverError) -> Void = {}
  ) {
    self.stage = stage
    (self.monitor, self.serve) = (monitor, serve)
    self.loop = loop
    screen = TerminalScreen(bell: loop.makeDoorbell())
  }

  /// Runs until `q`, Ctrl-C or another signal of `StopSignals`.
  package func run() throws(DriverError) {
    let signals = try StopSignals(on: loop) { [unowned self] _ in stage.requestStop() }
    defer { signals.end() }
    // Signals of the terminal: its size has changed, Ctrl-Z was pressed, or the program continues in the foreground.
    let terminal = try SignalWatch(on: loop, signals: [SIGWINCH, SIGTSTP, SIGCONT]) { [unowned self] in hear($0) }
    defer { terminal.end() }
    // From here on threads write to the terminal, so that a slow terminal doesn't block the panel.
    Output.standard.detach()
    Output.errors.detach()
    try screen.open()
    defer {
      screen.close()
      // The screen has covered the addresses. A log of the terminal gets them here.
      if isatty(STDERR_FILENO) == 1 { for line in addresses { Output.errors.write("monitor: \(line)\n") } }
    }
    try loop.onReadable(STDIN_FILENO) { [unowned self] in isReadable = true }
    defer { loop.removeReadable(STDIN_FILENO) }
    try stage.start()
    defer { stage.stop() }
    monitor?.hasScreen = true
    try serve()
    addresses = (monitor?.addresses ?? []).map { "\($0.use)  \($0.url)" }
    defer { monitor?.end() }
    keys = KeyMap(of: stage.controls)
    draw()
    while !stage.isStopRequested {
      try stage.bench.step(until: [clicks.values.min(), stage.nextTick].compactMap { $0 }.min())
      monitor?.turn()
      try handleKeys()
      try releaseClickedButtons()
      draw()
    }
  }

  private func hear(_ signals: [Int32]) {
    if signals.contains(SIGTSTP) {
      screen.close()
      stop()
      try? screen.open()
    } else if signals.contains(SIGCONT) {
      // It was stopped by a signal that can't be received, such as SIGSTOP: the shell has used the terminal since.
      screen.reopen()
    } else {
      screen.clear()
    }
  }

  /// Stops the process like an unhandled SIGTSTP, and returns when the process continues. The kernel ignores the signal
  /// if no shell could continue the process, as under `ssh -t` or in a container. Then this returns immediately.
  private func stop() {
    var signal = sigset_t()
    sigemptyset(&signal)
    sigaddset(&signal, SIGTSTP)
    raise(SIGTSTP)
    // Delivered as soon as it is unblocked.
    pthread_sigmask(SIG_UNBLOCK, &signal, nil)
    pthread_sigmask(SIG_BLOCK, &signal, nil)
  }

  private func handleKeys() throws(DriverError) {
    guard isReadable else { return }
    isReadable = false
    for key in screen.readKeys() {
      switch key {
      case .byte(let byte):
        if KeyMap.quitting.contains(byte) { return stage.requestStop() }
        try handle(byte)
      case .up: scroll -= 1
      case .down: scroll += 1
      case .pageUp: scroll -= page
      case .pageDown: scroll += page
      case .home: scroll = 0
      // More rows than there can be: the picture clamps the number.
      case .end: scroll = 1 << 20
      case .escape: (showsKeys, scroll) = (false, 0)
      }
    }
  }

  private func handle(_ key: UInt8) throws(DriverError) {
    if key == KeyMap.redrawing { return screen.clear() }
    let isHelp = keys.isHelp(key)
    if showsKeys || isHelp { scroll = 0 }
    showsKeys = isHelp && !showsKeys
    guard let action = keys.action(for: key) else { return }
    message = stage.obstacle(to: action.control) ?? ""
    if message.isEmpty { try take(action) }
  }

  private func take(_ action: KeyMap.Action) throws(DriverError) {
    switch action {
    case .click(let control):
      clicks[control] = stage.bench.now + Self.clickLength
      try stage.press(control)
    case .hold(let control):
      if closed.remove(control) != nil {
        try stage.release(control)
      } else {
        closed.insert(control)
        clicks[control] = nil
        try stage.press(control)
      }
    case .toggle(let control):
      if closed.insert(control).inserted {
        try stage.press(control)
      } else {
        closed.remove(control)
        try stage.release(control)
      }
    case .turn(let control, let detents): try stage.turn(control, by: detents)
    }
  }

  private func releaseClickedButtons() throws(DriverError) {
    for control in clicks.keys.sorted() where clicks[control]! <= stage.bench.now {
      clicks[control] = nil
      try stage.release(control)
    }
  }

  private func draw() {
    let picture = ConsolePicture(
      of: stage, keys: keys, closed: closed.union(clicks.keys), message: message, addresses: addresses,
      showsKeys: showsKeys, scroll: scroll)
    let size = screen.size
    let drawing = picture.drawing(columns: size.columns, rows: size.rows)
    (scroll, page) = (drawing.scroll, drawing.page)
    screen.draw(drawing.lines)
  }
}
