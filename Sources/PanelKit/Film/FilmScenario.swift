import CycleCore
import Terminal

/// Makes a scenario file of a take: the steps of its world, and between them what the panel shows.
struct FilmScenario {
  let take: PanelTake
  /// The scenario's name.
  let name: String
  /// From when on, since the start, it is expected what is shown; the steps before lead there.
  var from = Duration.zero
  /// When the scenario ends, since the start; nil for the film's end.
  var to: Duration?

  /// How many steps a scenario gets at most, expectations and waits included.
  static let mostSteps = 5_000

  /// The text of the scenario file. Whoever tests the take's panel with it finds it as expected.
  ///
  /// Each moment at which a state, an output, a sound or hardware has changed has an expectation of all that has changed since the last
  /// one.
  ///
  /// - Throws: ``CycleCore/FilmFault`` where the film has no steps, or where the scenario would be too long.
  func text() throws -> String {
    let end = min(take.take.end, to?.wholeNanoseconds ?? .max)
    let all = try take.worldSteps(readsEdges: false)
    let steps = all.filter { $0.time ?? 0 <= end }
    let rehearsal = try take.rehearsal(of: steps)
    let writer = ScenarioWriter(rehearsal.session, from: from)
    rehearsal.watcher = writer
    try rehearsal.run(steps, until: end)
    return try writer.text(named: name)
  }
}
