import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// One case of a scenario on a simulated panel of its own, in virtual time.
struct ScenarioRun {
  /// A step that was not as expected.
  struct Failure: Equatable {
    /// With its place in the file: `doorbell.scenario.yaml:6:5: expected lamp off; it is on`. At least one.
    var texts: [String]
    /// The events of the last second.
    var log: [String]
  }

  struct Result: Equatable {
    var failures: [Failure] = []
    /// How many prescribed results of chance nothing has drawn.
    var undrawn = 0
    /// How much virtual time has passed.
    var span = Duration.zero
    /// Where and after which time the case was given up; nil if it was performed to its end.
    var cut: String?
  }

  let scenario: Scenario
  let panel: PanelDefinition
  /// Whether the steps after a failed one are performed, too.
  var keepsGoing = false
  var coverage: Coverage?
  /// Is called with each line that a `show` prints.
  var print: (String) -> Void = { _ in }
  /// Is called with each event and each change of what is shown; nil for no trace.
  var trace: ((String) -> Void)?
  /// Makes what gives a case up that takes too long.
  var watch: () -> ScenarioWatch = { ScenarioWatch() }
  /// Gets a film of each case, with the panel file in it; nil for no film.
  var film: (sink: any FilmSink, source: FilmHeader.Source)?

  init(_ scenario: Scenario, of panel: PanelDefinition) {
    self.scenario = scenario
    self.panel = panel
  }

  /// Performs the steps of a case, until the first that is not as expected.
  func run(_ one: Scenario.Case) throws(DriverError) -> Result {
    let waits = one.start.isIncomplete
    let session = try PanelSession(
      panel, on: Platform(.simulated), waitsForLines: waits, keeping: .simulated(one.start.kept), coverage: coverage,
      isReloadable: one.steps.contains { if case .reload = $0.step { true } else { false } })
    session.trace = trace
    if let film { try session.film(to: [film.sink], source: film.source) }
    try session.world.prepare(one.start)
    try session.start()
    defer { session.stop() }
    var result = Result()
    let watch = watch()
    var (number, stepStart) = (0, session.now)
    watch.look(at: session) { [unowned session] in
      let span = one.steps[number].step.longestSpan
      let part = span.map { $0 > .zero ? Int(((session.now - stepStart) / $0 * 100).rounded(.down)) : 100 }
      return ScenarioWatch.Progress(
        step: number + 1, stepCount: one.steps.count, percent: part.map { min($0, 100) }, span: session.elapsed,
        elapsed: .zero)
    }
    // A panel that has stopped at its start fails the first step.
    var isHaltTold = one.expectsEnd
    for (place, placed) in one.steps.enumerated() {
      (number, stepStart) = (place, session.now)
      var (found, isOver) = ([String](), false)
      do throws(DriverError) {
        found = try session.perform(placed.step)
      } catch {
        // A panel that doesn't come to rest fails its own scenario; what can't be simulated is no fault of the panel.
        guard error.kind == .failed else { throw error }
        (found, isOver) = (["\(error)"], true)
      }
      if watch.isOver {
        result.cut =
          "\(scenario.file):\(placed.position.line):\(placed.position.column): stopped after \(watch.limit.components.seconds) s, at "
          + "\(Quantity.text(.seconds(session.elapsed.components.seconds))) of simulated time; wait for less time, or allow "
          + "more with --seconds"
        break
      }
      session.tellEntry()
      if !isHaltTold, let halt = session.halt {
        found.append(halt.text(in: session.panel))
        isHaltTold = true
      }
      if case .show = placed.step { print(session.view.wholeLine) }
      guard !found.isEmpty else { continue }
      let place = "\(scenario.file):\(placed.position.line):\(placed.position.column): "
      let which = [one.title, placed.round].compactMap { $0 }.joined(separator: ", ")
      result.failures.append(
        Failure(
          texts: found.map { place + (which.isEmpty ? "" : "\(which): ") + $0 }, log: FailureLog(of: session).lines))
      if isOver || !keepsGoing { break }
    }
    result.undrawn = session.frame.prescribedDraws.count
    result.span = session.elapsed
    return result
  }
}
