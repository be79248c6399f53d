import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelRun
import Terminal

/// Reads steps from standard input, one per line, performs them, and prints the changes.
///
/// If every device is simulated, time is virtual: a `wait` returns immediately. With a real device, time is real, and
/// the panel also runs while the console waits for the next line.
final class StepConsole {
  private let session: PanelSession
  private let diagnostics: Diagnostics
  private let isTyped: Bool
  private var input = LineReader(STDIN_FILENO)
  static let file = "<standard input>"

  /// - Parameter isTyped: whether a user types the lines. Then a hint is printed to standard error at the start.
  init(_ session: PanelSession, _ diagnostics: Diagnostics, isTyped: Bool = false) {
    self.session = session
    self.diagnostics = diagnostics
    self.isTyped = isTyped
  }

  /// Runs until the input ends. Returns false if an expectation failed.
  ///
  /// - Parameters:
  ///   - recording: the options for recording the panel.
  ///   - monitor: the options of the monitor.
  ///   - serve: starts the monitor in a loop.
  /// - Throws: `Problems` for a line that can't be read; later lines are not run. Typed lines don't throw.
  func run(
    recordedBy recording: RecordingSession, _ monitor: MonitorSession, serve: (LinuxLoop) throws -> Void
  ) throws -> Bool {
    let outside = try session.bench.loop as? LinuxLoop ?? LinuxLoop()
    let signals = try StopSignals(on: outside) { [session] _ in session.application.cycle.requestStop() }
    defer { signals.end() }
    let requests = try recording.watchRequests(on: outside)
    defer { requests?.end() }
    if session.bench.loop === outside {
      Output.standard.detach()
      Output.errors.detach()
    } else {
      // In virtual time, a write waits for a slow reader, so that no line is dropped. It handles signals while it
      // waits.
      let lookOutside = { [weak outside, session] in
        Self.isRunning(session.application.cycle, lookingAt: outside)
      }
      Output.standard.detach(waitingWhile: lookOutside)
      Output.errors.detach(waitingWhile: lookOutside)
      var steps = 0
      session.bench.betweenSteps = {
        steps += 1
        if steps.isMultiple(of: 256) { _ = lookOutside() }
      }
    }
    try session.start()
    defer { session.stop() }
    try serve(outside)
    defer { monitor.end() }
    if isTyped { Output.errors.write(hint) }
    Output.print(session.panel.name)
    Output.print(session.view.line(session.view.all))
    let names = Names(session.panel)
    var number = 0
    var isAsExpected = session.halt == nil
    if let halt = session.halt { diagnostics.write(.error, "\(session.panel.name): \(halt.line(of: session.panel))") }
    while let text = try nextLine(outside, monitor), !session.application.cycle.isStopRequested {
      number += 1
      if let request = StepHelp.Request(text) {
        guard request != .quit else { break }
        StepHelp.lines(for: request, names: names).forEach(Output.print)
        continue
      }
      do {
        if let placed = try StepLineReader.read(text, line: number, file: Self.file, names: names) {
          isAsExpected = try take(placed, number) && isAsExpected
        }
      } catch let problems as Problems where isTyped {
        // A user can type the line again.
        for line in problems.lines { diagnostics.write(.error, line) }
      }
    }
    return isAsExpected
  }

  private var hint: String {
    let time = session.bench.loop is LinuxLoop ? "" : " Time passes with `wait 1s`, and with nothing else."
    let isPoor = isatty(STDOUT_FILENO) == 1 && !TerminalCapabilities.ofThisProcess.movesCursor
    let reason = isPoor ? "no picture, because TERM is not set or dumb; " : ""
    return "panel: \(reason)type a step a line, as `press bell`; `help` lists the steps, `quit` ends.\(time)\n"
  }

  /// Handles pending signals without waiting. Returns false if the cycle has been asked to stop.
  private static func isRunning(_ cycle: any Application, lookingAt outside: LinuxLoop?) -> Bool {
    var ready = ReadyList()
    try? outside?.wait(until: .zero, ready: &ready)
    return !cycle.isStopRequested
  }

  private func take(_ placed: Scenario.PlacedStep, _ number: Int) throws -> Bool {
    if let obstacle = session.obstacle(to: placed.step) {
      throw Problems(file: Self.file, list: [Problem(line: number, column: placed.position.column, text: obstacle)])
    }
    let wasHalted = session.halt != nil
    var failures = try session.perform(placed.step)
    if !wasHalted, let halt = session.halt { failures.append(halt.line(of: session.panel)) }
    for failure in failures {
      diagnostics.write(.error, "\(Self.file):\(number):\(placed.position.column): \(failure)")
    }
    if !failures.isEmpty { for line in FailureContext(of: session).lines { diagnostics.write(.error, line) } }
    let changes = session.changes()
    if case .show = placed.step {
      Output.print(session.view.wholeLine)
    } else if !changes.isEmpty {
      Output.print(session.view.line(changes))
    }
    return failures.isEmpty
  }

  /// Waits for the next line; returns nil at the end of the input, or when the panel has been asked to stop. Handles
  /// signals while it waits. In real time the panel continues to run.
  private func nextLine(_ outside: LinuxLoop, _ monitor: MonitorSession) throws -> String? {
    if let line = input.takeLine() { return line }
    var isReadable = false
    // If the loop can't watch the descriptor, it is read without handling signals.
    guard (try? outside.onReadable(STDIN_FILENO, { isReadable = true })) != nil else {
      while !input.isAtEnd {
        input.fill()
        if let line = input.takeLine() { return line }
      }
      return input.takeRest()
    }
    defer { outside.removeReadable(STDIN_FILENO) }
    while !session.application.cycle.isStopRequested {
      if session.bench.loop === outside {
        try session.bench.step(until: nil)
      } else {
        var ready = ReadyList()
        try outside.wait(until: nil, ready: &ready)
      }
      monitor.turn()
      guard isReadable else { continue }
      isReadable = false
      input.fill()
      if let line = input.takeLine() { return line }
      if input.isAtEnd { return input.takeRest() }
    }
    return nil
  }
}

/// A buffer of the lines that are read from a descriptor.
struct LineReader {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private(set) var isAtEnd = false

  /// A longer line is returned in pieces; no step is that long.
  private static let longestLine = 1 << 16

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Returns the next complete line without its end; nil if there is none yet.
  mutating func takeLine() -> String? {
    guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else {
      return buffer.count > Self.longestLine ? takeRest() : nil
    }
    defer { buffer.removeSubrange(...end) }
    return String(decoding: buffer[..<end], as: UTF8.self)
  }

  /// Returns the incomplete last line; nil if it is empty.
  mutating func takeRest() -> String? {
    guard !buffer.isEmpty else { return nil }
    defer { buffer = [] }
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Reads once.
  mutating func fill() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &chunk, chunk.count)
    if count > 0 {
      buffer += chunk[..<count]
    } else if count == 0 || errno != EINTR {
      isAtEnd = true
    }
  }
}
