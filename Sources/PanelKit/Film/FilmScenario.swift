import CycleCore
import Terminal

/// Makes a scenario file of a take: the steps of its world, and between them what the panel shows.
struct FilmScenario {
  private let take: PanelTake
  /// The scenario's name.
  private let name: String
  /// From when on, since the start, it is expected what is shown; the steps before lead there.
  private let from: Duration
  /// When the scenario ends, since the start; nil for the film's end.
  private let to: Duration?

  /// - Parameters:
  ///   - take: whose world it is.
  ///   - name: the scenario's.
  ///   - from: from when on it is expected what is shown, since the start.
  ///   - to: when the scenario ends, since the start; nil for the film's end.
  init(of take: PanelTake, named name: String, from: Duration = .zero, to: Duration? = nil) {
    (self.take, self.name, self.from, self.to) = (take, name, from, to)
  }

  /// From an event of the film to another one.
  init(of take: PanelTake, named name: String, events: ClosedRange<Int>) throws(FilmFault) {
    self.init(
      of: take, named: name, from: try take.take.moment(of: events.lowerBound),
      to: try take.take.moment(of: events.upperBound))
  }

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
