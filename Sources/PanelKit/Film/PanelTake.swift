import CycleCore
import Terminal

/// A take of a panel's film: played as recorded, by the rules alone, or rehearsed, by the panel on simulated devices.
///
/// It can be used on any thread, and holds nothing of the panel between two calls.
struct PanelTake {
  let panel: FilmedPanel
  /// The film with its edits.
  var take: Take
  /// What the causes mean as the film has them.
  private let originals: [TakeRow]
  /// The frame that the film begins with.
  private let first: PanelFrame?

  /// Reads the film.
  ///
  /// - Parameters:
  ///   - panel: the film and its panel.
  ///   - edits: are applied in this order.
  /// - Throws: ``CycleCore/FilmError`` for a film that can't be read; ``CycleCore/FilmFault`` for an edit that can't be applied.
  init(of panel: FilmedPanel, edits: [TakeEdit] = []) throws {
    self.panel = panel
    let film = try Take(of: panel.film())
    let reading = try TakeReading(panel.application())
    originals = try reading.rows(of: film).rows
    first = reading.first
    take = film
    for edit in edits { try take.apply(edit) }
  }

  /// What comes of the take, with all that a viewer tells of it.
  struct Result {
    /// The film that came of it.
    var film: [UInt8]
    /// Its events and troubles.
    var rows: [TakeRow]
    var report: ReplayReport
    /// The places in ``rows`` of answers that would not have been.
    var impossible: Set<Int> = []
    /// The first event that is other than in the film, or leads to another frame; nil if none is.
    var firstDifference: Int?
    /// What could not be done.
    var notes: [String] = []
  }

  /// The most bytes that the film of a take may have.
  static let largestFilm = 1 << 30

  /// Plays the take, and compares it with its film.
  ///
  /// - Parameters:
  ///   - isRehearsed: whether only the world's part is taken from the film, and done to simulated devices.
  ///   - isCancelled: is asked from time to time, and ends a rehearsal with an error when it is true.
  func result(isRehearsed: Bool, isCancelled: @escaping () -> Bool = { false }) throws -> Result {
    let memory = FilmMemory(limit: Self.largestFilm)
    let outcome: Outcome
    var notes: [String] = []
    if isRehearsed {
      notes = try rehearse(to: memory, isCancelled: isCancelled).notes
      outcome = try PanelTake(of: panel.another(memory.bytes)).playAsRecorded()
    } else {
      outcome = try playAsRecorded(to: memory)
    }
    let made = try Film(FilmBytes(memory.bytes), name: panel.name)
    return Result(
      film: memory.bytes, rows: outcome.rows, report: outcome.report, impossible: outcome.impossible,
      firstDifference: try Film.firstDifference(of: panel.film(), made), notes: notes)
  }

  // MARK: - As recorded

  /// What a take leads to.
  struct Outcome {
    /// The causes that happen.
    var rows: [TakeRow]
    var report: ReplayReport
    /// The numbers of answers in ``rows``, by place, that would not have been: what they answer the panel doesn't show in the take, and
    /// did in the film.
    var impossible: Set<Int> = []
  }

  /// Plays the causes of the take as they were recorded: answers come as they came.
  ///
  /// - Parameter sink: gets the take as a film.
  func playAsRecorded(to sink: (any FilmSink)? = nil) throws -> Outcome {
    let (rows, report) = try TakeReading(panel.application()).rows(of: take, to: sink, isWhole: sink != nil)
    let stale = Set(originals.filter(\.isStale).compactMap(\.number))
    let impossible = rows.indices.filter { rows[$0].isStale && !(rows[$0].number.map(stale.contains) ?? true) }
    return Outcome(rows: rows, report: report, impossible: Set(impossible))
  }

  /// The film of one event: the frame that it met, and what came of it.
  ///
  /// - Parameter number: the event's in the film.
  /// - Returns: the film, and a name for it, by the event: `12-bell-pressed.recording`.
  /// - Throws: ``CycleCore/FilmFault`` if there is no such event, or if it doesn't happen in the take.
  func moment(_ number: Int) throws -> (name: String, film: [UInt8]) {
    var moment = take
    moment.written = number...number
    let memory = FilmMemory()
    let rows = try TakeReading(panel.application()).rows(of: moment, to: memory, isWhole: true).rows
    guard let row = rows.first(where: { $0.number == number }) else {
      throw FilmFault("event \(number) does not occur; the edited recording has \(counted(take.played.count, "event"))")
    }
    let letters = row.text.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    return ("\(number)-\(letters.prefix(60)).recording", memory.bytes)
  }

  // MARK: - Rehearsed

  /// What came of a rehearsal.
  struct Rehearsal {
    /// The steps of the world that were left.
    var steps: [WorldStep]
    /// What steps reported that could not be done, as `no other program can have GPIO17; ...`.
    var notes: [String]
  }

  /// The steps of the take's world.
  ///
  /// - Parameter readsEdges: whether edges of real lines are used where the film has them; otherwise the steps that the events of their
  ///   inputs can have come of.
  func worldSteps(readsEdges: Bool = true) throws -> [WorldStep] {
    guard take.isFromStart else {
      throw FilmError(
        film: panel.name, line: 2,
        fault: FilmFault(
          "the recording does not begin with the start of the panel; only such a recording can be re-simulated"))
    }
    let application = try panel.application()
    let rows =
      take.edits.contains(where: \.changesEvents)
      ? try TakeReading(application).rows(of: take).rows : originals
    return try WorldTrack(take, originals, from: first, of: application.panel, readsEdges: readsEdges).steps(
      of: take, rows)
  }

  /// The panel on simulated devices, for these steps.
  func rehearsal(of steps: [WorldStep]) throws -> PanelRehearsal {
    let (session, notes) = try panel.session(
      waitsForLines: PanelRehearsal.waitsForLines(steps), lengths: soundLengths)
    return PanelRehearsal(session, notes: notes)
  }

  /// How long sounds were in the film that came to their end, by their names.
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

  /// Does to the panel on simulated devices what the world does in the take, in virtual time: timers, debouncing and sounds answer for
  /// themselves.
  ///
  /// - Parameters:
  ///   - sink: gets the film of the rehearsal.
  ///   - isCancelled: is asked from time to time, and ends the rehearsal with an error when it is true.
  func rehearse(to sink: any FilmSink, isCancelled: @escaping () -> Bool = { false }) throws -> Rehearsal {
    let steps = try worldSteps()
    let rehearsal = try rehearsal(of: steps)
    rehearsal.isCancelled = isCancelled
    try rehearsal.session.film(to: [sink], source: panel.source)
    try rehearsal.run(steps, until: take.end)
    if let lost = rehearsal.session.recorder?.account(of: sink).lost, lost > 0 {
      throw FilmFault("the recording of the re-simulation lacks \(counted(lost, "record")): there is no room for it")
    }
    return Rehearsal(steps: steps, notes: rehearsal.notes)
  }
}
