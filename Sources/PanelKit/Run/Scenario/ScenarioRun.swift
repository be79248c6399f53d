import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import Terminal

/// Runs one case of a scenario on a simulated panel of its own, in virtual time.
package struct ScenarioRun {
  /// A step with a wrong result.
  package struct Failure: Equatable {
    /// The messages, each with its place in the file: `doorbell.scenario.yaml:6:5: expected lamp off; it is on`. At
    /// least one.
    package var texts: [String]
    /// The events of the last second.
    package var log: [String]
  }

  package struct Result: Equatable {
    package var failures: [Failure] = []
    /// The number of prescribed random results that the panel did not use.
    package var undrawn = 0
    /// The virtual time that has passed.
    package var span = Duration.zero
    /// The place and the reason of a stop before the last step; nil if there was none.
    package var cut: String?
    /// Whether Ctrl-C, not the time limit, is the reason.
    package var isInterrupted = false

    package init(
      failures: [Failure] = [], undrawn: Int = 0, span: Duration = Duration.zero, cut: String? = nil,
      isInterrupted: Bool = false
    ) {
      (self.failures, self.undrawn, self.span, self.cut, self.isInterrupted) = (
        failures, undrawn, span, cut, isInterrupted
      )
    }

    package enum Outcome: String {
      case passed, failed
      case givenUp = "given-up"
      case notRun = "not-run"
    }

    /// The outcome. A failure counts even if the case was stopped after it.
    package var outcome: Outcome {
      if !failures.isEmpty { return .failed }
      guard cut != nil else { return .passed }
      return isInterrupted ? .notRun : .givenUp
    }
  }

  let scenario: Scenario
  let panel: PanelDefinition
  /// Whether the remaining steps run after a step has failed.
  package var keepsGoing = false
  package var coverage: Coverage?
  /// Called with each line that a `show` prints.
  package var print: (String) -> Void = { _ in }
  /// Called with each event and each change of the outputs; nil for no trace.
  package var trace: ((String) -> Void)?
  /// Makes the watch that stops a case at its time limit.
  package var watch: () -> ScenarioWatchdog = { ScenarioWatchdog() }
  /// Receives a recording of each case, with the panel file in it; nil for no recording.
  var recording: (sink: any RecordingSink, source: RecordingHeader.Source)?

  package init(_ scenario: Scenario, of panel: PanelDefinition) {
    self.scenario = scenario
    self.panel = panel
  }

  /// Runs the steps of a case up to the first failure, or to the end if `keepsGoing` is set.
  package func run(_ one: Scenario.Case) throws(DriverError) -> Result {
    let waits = one.start.isIncomplete
    let session = try PanelSession(
      panel, on: Platform(.simulated), waitsForLines: waits, keeping: .simulated(one.start.kept), coverage: coverage,
      isReloadable: one.steps.contains { if case .reload = $0.step { true } else { false } })
    session.trace = trace
    if let recording { try session.record(to: [recording.sink], source: recording.source) }
    try session.world.prepare(one.start)
    try session.start()
    defer { session.stop() }
    var result = Result()
    let watch = watch()
    var (number, stepStart) = (0, session.now)
    watch.look(at: session) { [unowned session] in
      let span = one.steps[number].step.longestSpan
      let part = span.map { $0 > .zero ? Int(((session.now - stepStart) / $0 * 100).rounded(.down)) : 100 }
      return ScenarioWatchdog.Progress(
        step: number + 1, stepCount: one.steps.count, percent: part.map { min($0, 100) }, span: session.elapsed,
        elapsed: .zero)
    }
    // A panel that stopped at its start fails the first step.
    var isHaltTold = one.expectsEnd
    for (place, placed) in one.steps.enumerated() {
      (number, stepStart) = (place, session.now)
      var (found, isOver) = ([String](), false)
      do throws(DriverError) {
        found = try session.perform(placed.step)
      } catch {
        // A panel that never settles fails its own scenario. Input that can't be simulated is not a fault of the panel.
        guard error.kind == .failed else { throw error }
        (found, isOver) = (["\(error)"], true)
      }
      if watch.isOver {
        let place = "\(scenario.file):\(placed.position.line):\(placed.position.column)"
        let moment = "\(Quantity.text(.seconds(session.elapsed.components.seconds))) of simulated time"
        let reason = watch.isInterrupted ? "by Ctrl-C" : "after \(watch.limit.components.seconds) s"
        let advice = watch.isInterrupted ? "" : "; wait for less time, or allow more with --seconds"
        result.cut = "\(place): stopped \(reason), at \(moment)\(advice)"
        result.isInterrupted = watch.isInterrupted
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
          texts: found.map { place + (which.isEmpty ? "" : "\(which): ") + $0 }, log: FailureContext(of: session).lines)
      )
      if isOver || !keepsGoing { break }
    }
    result.undrawn = session.frame.prescribedDraws.count
    result.span = session.elapsed
    return result
  }
}
