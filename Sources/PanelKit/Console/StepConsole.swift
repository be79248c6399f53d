import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// Takes steps from standard input, a line each, and prints what each one changed.
///
/// Time is virtual where every device is simulated: a `wait` is over at once. With a real device time is real, and goes on while
/// the next line is awaited.
final class StepConsole {
  private let session: PanelSession
  private let diagnostics: Diagnostics
  private var input = LineReader(STDIN_FILENO)
  static let file = "<standard input>"

  init(_ session: PanelSession, _ diagnostics: Diagnostics) {
    self.session = session
    self.diagnostics = diagnostics
  }

  /// Runs until the input ends. False if something that was expected was not there.
  ///
  /// - Throws: `Problems` for a line that can't be read; nothing after it runs.
  func run() throws -> Bool {
    let cycle = session.application.cycle
    let outside = try session.bench.loop as? LinuxLoop ?? LinuxLoop()
    let signals = try StopSignals(on: outside) { _ in cycle.requestStop() }
    defer { signals.end() }
    if session.bench.loop === outside {
      Output.standard.detach()
      Output.errors.detach()
    } else {
      // Virtual time waits for a slow reader: nothing is dropped, and signals are heard meanwhile.
      let lookOutside = { [weak outside] in Self.isRunning(cycle, lookingAt: outside) }
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
    Output.print(session.panel.name)
    Output.print(line(session.view))
    let names = Names(session.panel)
    var number = 0
    var isAsExpected = true
    while let text = try nextLine(outside), !cycle.isStopRequested {
      number += 1
      if let placed = try StepLine.read(text, line: number, file: Self.file, names: names) {
        isAsExpected = try take(placed, number) && isAsExpected
      }
    }
    return isAsExpected
  }

  /// Looks for signals without waiting; whether the cycle has not been asked to stop.
  private static func isRunning(_ cycle: any Application, lookingAt outside: LinuxLoop?) -> Bool {
    var ready = ReadyList()
    try? outside?.wait(until: .zero, ready: &ready)
    return !cycle.isStopRequested
  }

  private func take(_ placed: Scenario.PlacedStep, _ number: Int) throws -> Bool {
    if let obstacle = session.obstacle(to: placed.step) {
      throw Problems(file: Self.file, list: [Problem(line: number, column: placed.position.column, text: obstacle)])
    }
    let failures = try session.perform(placed.step)
    for failure in failures {
      diagnostics.write(.error, "\(Self.file):\(number):\(placed.position.column): \(failure)")
    }
    if !failures.isEmpty { for line in session.lastSecond { diagnostics.write(.error, line) } }
    let changes = session.changes()
    if case .show = placed.step {
      Output.print(line(session.view))
    } else if !changes.isEmpty {
      Output.print(line(changes))
    }
    return failures.isEmpty
  }

  /// The next line; nil at the end of the input, or when the panel is to stop. Signals are heard while it is awaited, and
  /// where time is real the panel goes on meanwhile.
  private func nextLine(_ outside: LinuxLoop) throws -> String? {
    if let line = input.takeLine() { return line }
    var isReadable = false
    // A file can't be waited for: it is always there to be read.
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
      guard isReadable else { continue }
      isReadable = false
      input.fill()
      if let line = input.takeLine() { return line }
      if input.isAtEnd { return input.takeRest() }
    }
    return nil
  }

  /// The time and what is seen, in the words of an `expect`.
  private func line(_ view: [(subject: PanelSession.Subject, text: String)]) -> String {
    let words = view.map { "\(session.name(of: $0.subject))=\($0.text)" }
    return "\(session.seconds(at: session.now))  " + words.joined(separator: "  ")
  }
}

/// Lines from a descriptor, as far as it has been read.
struct LineReader {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private(set) var isAtEnd = false

  /// A longer line is given in pieces: no step is that long.
  private static let longestLine = 1 << 16

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next whole line, without its end; nil if none has been read.
  mutating func takeLine() -> String? {
    guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else {
      return buffer.count > Self.longestLine ? takeRest() : nil
    }
    defer { buffer.removeSubrange(...end) }
    return String(decoding: buffer[..<end], as: UTF8.self)
  }

  /// What has been read and is no whole line; nil if there is nothing.
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
