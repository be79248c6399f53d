import CycleCore
import PanelEngine
import PanelRun
import Terminal

/// An edited recording of a panel's recording. It is played as recorded, by the rules alone, or resimulated, by the
/// panel on simulated devices.
///
/// It can be used on any thread, and keeps no panel between two calls.
package struct EditedRecordingReplay {
  let panel: ReplayableRecording
  /// The recording with its edits.
  package var take: EditedRecording
  /// The rows of the recording without edits.
  private let originals: [EditedRecordingEvent]
  /// The first frame of the recording.
  private let first: PanelFrame?

  /// Reads the recording.
  ///
  /// - Parameters:
  ///   - panel: the recording and its panel.
  ///   - edits: the edits, which are applied in this order.
  /// - Throws: ``Recordings/RecordingError`` for a recording that can't be read; ``Recordings/RecordingTextFault`` for
  ///   an edit that can't be applied.
  package init(of panel: ReplayableRecording, edits: [RecordingEdit] = []) throws {
    self.panel = panel
    let recording = try EditedRecording(of: panel.recording())
    let reading = try EditedRecordingReader(panel.application())
    originals = try reading.rows(of: recording).rows
    first = reading.first
    take = recording
    for edit in edits { try take.apply(edit) }
  }

  /// The result of the edits, with all that a viewer shows of it.
  package struct Result {
    /// The resulting recording.
    package var recording: [UInt8]
    /// Its events and troubles.
    package var rows: [EditedRecordingEvent]
    package var report: ReplayReport
    /// The indexes in ``rows`` of answers that would not have occurred.
    package var impossible: Set<Int> = []
    /// The first event that differs from the recording, or leads to a different frame; nil if there is none.
    package var firstDifference: Int?
    /// The messages of steps that failed.
    package var notes: [String] = []
  }

  /// The maximum size of an edited recording, in bytes.
  static let largestRecording = 1 << 30

  /// Plays the edited recording, and compares it to its recording.
  ///
  /// - Parameters:
  ///   - isResimulated: whether only the steps of the world are taken from the recording, and performed on simulated
  ///     devices.
  ///   - isCancelled: called regularly; ends a resimulation with an error when it returns true.
  package func result(isResimulated: Bool, isCancelled: @escaping () -> Bool = { false }) throws -> Result {
    let memory = RecordingBuffer(limit: Self.largestRecording)
    let outcome: Outcome
    var notes: [String] = []
    if isResimulated {
      notes = try resimulate(to: memory, isCancelled: isCancelled).notes
      outcome = try EditedRecordingReplay(of: panel.another(memory.bytes)).playAsRecorded()
    } else {
      outcome = try playAsRecorded(to: memory)
    }
    let made = try RecordingReader(RecordingBytes(memory.bytes), name: panel.name)
    return Result(
      recording: memory.bytes, rows: outcome.rows, report: outcome.report, impossible: outcome.impossible,
      firstDifference: try RecordingReader.firstDifference(of: panel.recording(), made), notes: notes)
  }

  // MARK: - As recorded

  /// The outcome of an edited recording that is played as recorded.
  struct Outcome {
    /// The causes that occur.
    var rows: [EditedRecordingEvent]
    var report: ReplayReport
    /// The indexes in ``rows`` of answers that would not have occurred. Each answers something that the panel showed in
    /// the recording, and doesn't show in the edited recording.
    var impossible: Set<Int> = []
  }

  /// Plays the causes of the edited recording as they were recorded, with the recorded answers.
  ///
  /// - Parameter sink: receives the edited recording as a recording.
  func playAsRecorded(to sink: (any RecordingSink)? = nil) throws -> Outcome {
    let (rows, report) = try EditedRecordingReader(panel.application()).rows(of: take, to: sink, isWhole: sink != nil)
    let stale = Set(originals.filter(\.isStale).compactMap(\.number))
    let impossible = rows.indices.filter { rows[$0].isStale && !(rows[$0].number.map(stale.contains) ?? true) }
    return Outcome(rows: rows, report: report, impossible: Set(impossible))
  }

  /// The recording of one event: the frame before it, and its effect.
  ///
  /// - Parameter number: the number of the event in the recording.
  /// - Returns: the recording, and a name for it, by the event: `12-bell-pressed.recording`.
  /// - Throws: ``Recordings/RecordingTextFault`` if the event doesn't exist, or doesn't occur in the edited recording.
  package func moment(_ number: Int) throws -> (name: String, recording: [UInt8]) {
    var moment = take
    moment.written = number...number
    let memory = RecordingBuffer()
    let rows = try EditedRecordingReader(panel.application()).rows(of: moment, to: memory, isWhole: true).rows
    guard let row = rows.first(where: { $0.number == number }) else {
      throw RecordingTextFault(
        "event \(number) does not occur; the edited recording has \(counted(take.played.count, "event"))")
    }
    let letters = row.text.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    return ("\(number)-\(letters.prefix(60)).recording", memory.bytes)
  }

  // MARK: - Resimulated

  /// The outcome of a resimulation.
  struct Resimulation {
    /// The steps of the world after the edits.
    var steps: [WorldAction]
    /// The messages of steps that could not be done: `no other program can have GPIO17; ...`.
    var notes: [String]
  }

  /// The steps of the edited recording's world.
  ///
  /// - Parameter readsEdges: whether recorded edges of real lines are used. If false, steps are deduced from the events
  ///   of their inputs.
  func worldSteps(readsEdges: Bool = true) throws -> [WorldAction] {
    guard take.isFromStart else {
      throw RecordingError(
        recording: panel.name, line: 2,
        fault: RecordingTextFault(
          "the recording does not begin with the start of the panel; only such a recording can be re-simulated"))
    }
    let application = try panel.application()
    let rows =
      take.edits.contains(where: \.changesEvents)
      ? try EditedRecordingReader(application).rows(of: take).rows : originals
    return try CausalTimeline(take, originals, from: first, of: application.panel, readsEdges: readsEdges).steps(
      of: take, rows)
  }

  /// The panel on simulated devices, for these steps.
  func resimulation(of steps: [WorldAction]) throws -> PanelResimulation {
    let (session, notes) = try panel.session(
      waitsForLines: PanelResimulation.waitsForLines(steps), lengths: soundLengths)
    return PanelResimulation(session, notes: notes)
  }

  /// The lengths of sounds that played to their end in the recording, by name.
  private var soundLengths: [String: Duration] {
    var starts: [Substring: Int64] = [:]
    var lengths: [String: Duration] = [:]
    for row in originals where row.meaning == .answer {
      if row.text.hasSuffix(" started") {
        starts[row.text.dropLast(" started".count)] = row.time
      } else if row.text.hasSuffix(".finished"), let start = starts[row.text.dropLast(".finished".count)] {
        lengths[String(row.text.dropLast(".finished".count))] = .nanoseconds(row.time - start)
      }
    }
    return lengths
  }

  /// Performs the steps of the edited recording's world on the panel on simulated devices, in virtual time. Timers,
  /// debouncing and sounds run again.
  ///
  /// - Parameters:
  ///   - sink: receives the recording of the resimulation.
  ///   - isCancelled: called regularly; ends the resimulation with an error when it returns true.
  func resimulate(to sink: any RecordingSink, isCancelled: @escaping () -> Bool = { false }) throws -> Resimulation {
    let steps = try worldSteps()
    let resimulation = try resimulation(of: steps)
    resimulation.isCancelled = isCancelled
    try resimulation.session.record(to: [sink], source: panel.source)
    try resimulation.run(steps, until: take.end)
    if let lost = resimulation.session.recorder?.account(of: sink).lost, lost > 0 {
      throw RecordingTextFault(
        "the recording of the re-simulation lacks \(counted(lost, "record")): there is no room for it")
    }
    return Resimulation(steps: steps, notes: resimulation.notes)
  }
}
