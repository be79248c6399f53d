import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A simulated panel in a terminal: draws what is shown and takes keys for the inputs, in real time.
final class Console {
  private let session: PanelSession
  private let loop: LinuxLoop
  private let screen: Screen
  private let keys: KeyMap
  private var isReadable = false
  /// Buttons that a key has pressed, and when they go up: a terminal doesn't tell when a key does.
  private var clicks: [Int: Moment] = [:]
  /// Buttons that are held down and switches that are on.
  private var closed: Set<Int> = []
  private var message = ""

  private static let clickLength = Duration.milliseconds(150)

  init(_ session: PanelSession, on loop: LinuxLoop) {
    self.session = session
    self.loop = loop
    screen = Screen(bell: loop.makeDoorbell())
    keys = KeyMap(of: session.panel)
  }

  /// Runs until `q`, Ctrl-C or another signal of `StopSignals`.
  func run() throws {
    let signals = try StopSignals(on: loop) { [unowned self] _ in session.application.cycle.requestStop() }
    defer { signals.end() }
    // Signals that tell of the terminal: it has another size, Ctrl-Z was pressed, the program goes on in the foreground.
    let terminal = try SignalWatch(on: loop, signals: [SIGWINCH, SIGTSTP, SIGCONT]) { [unowned self] in hear($0) }
    defer { terminal.end() }
    // Nothing that is drawn or told may hold the panel up.
    Output.standard.detach()
    Output.errors.detach()
    try screen.open()
    defer { screen.close() }
    try loop.onReadable(STDIN_FILENO) { [unowned self] in isReadable = true }
    defer { loop.removeReadable(STDIN_FILENO) }
    try session.start()
    defer { session.stop() }
    draw()
    while !session.application.cycle.isStopRequested {
      try session.devices.bench.step(until: clicks.values.min())
      try takeKeys()
      try endClicks()
      draw()
    }
  }

  private func hear(_ signals: [Int32]) {
    if signals.contains(SIGTSTP) {
      screen.close()
      // SIGTSTP itself is blocked. This returns when the program is continued.
      raise(SIGSTOP)
      try? screen.open()
    } else if signals.contains(SIGCONT) {
      // Stopped by another signal, which can't be heard: the shell has had the terminal meanwhile.
      screen.reopen()
    } else {
      screen.clear()
    }
  }

  private func takeKeys() throws {
    guard isReadable else { return }
    isReadable = false
    for key in screen.readKeys() {
      if KeyMap.quitting.contains(key) { return session.application.cycle.requestStop() }
      if key == KeyMap.redrawing { screen.clear() }
      guard let action = keys.action(for: key) else { continue }
      message = session.obstacle(to: action.step) ?? ""
      if message.isEmpty { try take(action) }
    }
  }

  private func take(_ action: KeyMap.Action) throws {
    switch action {
    case .click(let input):
      clicks[input] = session.now + Self.clickLength
      _ = try session.perform(.press(input: input))
    case .hold(let input):
      if closed.remove(input) != nil {
        _ = try session.perform(.release(input: input))
      } else {
        closed.insert(input)
        clicks[input] = nil
        _ = try session.perform(.press(input: input))
      }
    case .toggle(let input):
      let isOn = closed.insert(input).inserted
      if !isOn { closed.remove(input) }
      _ = try session.perform(.switch(input: input, on: isOn))
    case .turn(let input, let detents):
      _ = try session.perform(.turn(input: input, detents: detents))
    }
  }

  private func endClicks() throws {
    for input in clicks.keys.sorted() where clicks[input]! <= session.now {
      clicks[input] = nil
      _ = try session.perform(.release(input: input))
    }
  }

  private func draw() {
    let picture = PanelPicture(of: session, keys: keys, closed: closed.union(clicks.keys), message: message)
    let size = screen.size
    screen.draw(picture.lines(columns: size.columns, rows: size.rows))
  }
}
