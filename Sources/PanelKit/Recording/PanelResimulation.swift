import CycleCore
import HardwareDrivers
import HardwareSimulation
import PanelLanguage
import PanelRun
import Terminal

/// Observes the resimulation of a recording's world.
protocol ResimulationWatcher: AnyObject {
  /// Called before each step, including the steps before the start.
  func willPerform(_ step: Step)
  /// - Parameter failures: the error messages of the step; empty if it succeeded.
  func didPerform(_ failures: [String])
  func didStart()
  /// Called after time has moved and all due work is done.
  func didStep()
  /// Called at the end of the time, before the panel is stopped.
  func didEnd()
}

/// Performs the steps of a recording's world on a panel.
final class PanelResimulation {
  let session: PanelSession
  private(set) var notes: [String]
  private let names: Names
  weak var watcher: (any ResimulationWatcher)?
  /// Ends the resimulation with an error when it returns true. Called every 1024 steps.
  var isCancelled: () -> Bool = { false }
  private var steps = 0
  /// The error that ended the resimulation early.
  private var fault: RecordingTextFault?

  /// The maximum number of times that the clock may move. A recording of a year would never end on a panel with a
  /// clock.
  static let mostSteps = 20_000_000

  /// - Parameters:
  ///   - session: a session that has not started.
  ///   - notes: the notes about the session.
  init(_ session: PanelSession, notes: [String] = []) {
    (self.session, self.notes) = (session, notes)
    names = Names(session.panel)
  }

  /// Whether a panel with these steps before its start must wait for lines that it can't request yet.
  static func waitsForLines(_ steps: [WorldAction]) -> Bool {
    steps.prefix { $0.time == nil }.contains { $0.words.hasPrefix("unplug ") || $0.words.hasPrefix("busy ") }
  }

  /// Runs the panel from its start, and stops it at the end.
  ///
  /// - Parameters:
  ///   - steps: the steps of the world.
  ///   - end: the end, in nanoseconds since the start.
  func run(_ steps: [WorldAction], until end: Int64) throws {
    let bench = session.bench
    bench.betweenSteps = { [unowned self] in didStep() }
    defer {
      bench.betweenSteps = nil
      session.stop()
    }
    try bench.resimulate(
      steps, until: end,
      start: {
        try session.start()
        watcher?.didStart()
        return session.beginning
      },
      perform: { words in
        if let edge = CausalTimeline.edge(words) { return try drive(edge.line, edge.level) }
        guard let placed = try StepLineReader.read(words, line: 0, file: "resimulation", names: names) else { return }
        watcher?.willPerform(placed.step)
        let failures = try session.perform(placed.step)
        watcher?.didPerform(failures)
        notes += failures
      })
    if let fault { throw fault }
    watcher?.didEnd()
  }

  private func didStep() {
    steps += 1
    if steps > Self.mostSteps {
      end(
        "the re-simulation reached \(SecondsText.text(of: session.elapsed)) in \(Self.mostSteps) steps, and not the end; "
          + "cut the recording with panel recording cut")
    } else if steps.isMultiple(of: 1024), isCancelled() {
      end("the re-simulation was stopped before its end")
    }
    watcher?.didStep()
  }

  private func end(_ reason: String) {
    if fault == nil { fault = RecordingTextFault(reason) }
    session.application.cycle.requestStop()
  }

  /// Sets the level of a line of the panel's own chip, to repeat an edge of real hardware.
  private func drive(_ name: String, _ level: Level) throws {
    guard let chip = session.chip, session.panel.lines(on: nil).contains(name) else {
      throw RecordingTextFault(
        "the recording has an edge of \(name), which is not a line of the panel; use the panel that made the recording")
    }
    chip.line(LineName(name)).drive(level)
    try session.bench.settle()
  }
}
