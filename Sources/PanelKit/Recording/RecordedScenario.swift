import CycleCore
import Terminal

/// Creates a scenario file from an edited recording: the steps of its world, and between them the expectations.
package struct RecordedScenario {
  private let take: EditedRecordingReplay
  /// The scenario's name.
  private let name: String
  /// The start of the expectations, as time since the start. Earlier steps only lead to it.
  private let from: Duration
  /// The end of the scenario, as time since the start; nil for the recording's end.
  private let to: Duration?

  /// - Parameters:
  ///   - take: the edited recording whose world the scenario repeats.
  ///   - name: the scenario's name.
  ///   - from: the start of the expectations, as time since the start.
  ///   - to: the end of the scenario, as time since the start; nil for the recording's end.
  package init(of take: EditedRecordingReplay, named name: String, from: Duration = .zero, to: Duration? = nil) {
    (self.take, self.name, self.from, self.to) = (take, name, from, to)
  }

  /// Creates the scenario of a range of events of the recording.
  init(of take: EditedRecordingReplay, named name: String, events: ClosedRange<Int>) throws(RecordingTextFault) {
    self.init(
      of: take, named: name, from: try take.take.moment(of: events.lowerBound),
      to: try take.take.moment(of: events.upperBound))
  }

  /// The maximum number of steps of a scenario, including expectations and waits.
  static let mostSteps = 5_000

  /// The text of the scenario file. The panel of the edited recording passes this scenario.
  ///
  /// There is an expectation at each moment at which a state, an output, a sound or hardware has changed. It contains
  /// all changes since the one before.
  ///
  /// - Throws: ``Recordings/RecordingTextFault`` if the recording has no steps, or if the scenario would be too long.
  package func text() throws -> String {
    let end = min(take.take.end, to?.wholeNanoseconds ?? .max)
    let all = try take.worldSteps(readsEdges: false)
    let steps = all.filter { $0.time ?? 0 <= end }
    let resimulation = try take.resimulation(of: steps)
    let writer = ScenarioWriter(resimulation.session, from: from)
    resimulation.watcher = writer
    try resimulation.run(steps, until: end)
    return try writer.text(named: name)
  }
}
