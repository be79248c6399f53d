import CycleCore
import HardwareDrivers
import HardwareSimulation
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

  /// Reads the film.
  ///
  /// - Parameters:
  ///   - panel: the film and its panel.
  ///   - edits: are applied in this order.
  /// - Throws: ``CycleCore/FilmError`` for a film that can't be read; ``CycleCore/FilmFault`` for an edit that can't be applied.
  init(of panel: FilmedPanel, edits: [TakeEdit] = []) throws {
    self.panel = panel
    let film = try Take(of: panel.film())
    originals = try TakeReading(panel.application()).rows(of: film).rows
    take = film
    for edit in edits { try take.apply(edit) }
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
  /// - Returns: the film, and a name for it, by the event: `12-bell-pressed.film`.
  /// - Throws: ``CycleCore/FilmFault`` if there is no such event, or if it doesn't happen in the take.
  func moment(_ number: Int) throws -> (name: String, film: [UInt8]) {
    var moment = take
    moment.written = number...number
    let memory = FilmMemory()
    let rows = try TakeReading(panel.application()).rows(of: moment, to: memory, isWhole: true).rows
    guard let row = rows.first(where: { $0.number == number }) else {
      throw FilmFault("event \(number) does not happen; the take has \(counted(take.played.count, "event"))")
    }
    let letters = row.text.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    return ("\(number)-\(letters.prefix(60)).film", memory.bytes)
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
        fault: FilmFault("the film does not begin with the panel's start; a rehearsal takes a film from its start"))
    }
    let application = try panel.application()
    let rows =
      take.edits.contains(where: \.changesEvents)
      ? try TakeReading(application).rows(of: take).rows : originals
    return try WorldTrack(take, originals, of: application.panel, readsEdges: readsEdges).steps(of: take, rows)
  }

  /// Does to the panel on simulated devices what the world does in the take, in virtual time: timers, debouncing and sounds answer for
  /// themselves.
  ///
  /// - Parameter sink: gets the film of the rehearsal.
  func rehearse(to sink: any FilmSink) throws -> Rehearsal {
    let steps = try worldSteps()
    let rehearsal = PanelRehearsal(try panel.session(waitsForLines: PanelRehearsal.waitsForLines(steps)))
    try rehearsal.session.film(to: [sink], source: panel.source)
    try rehearsal.run(steps, until: take.end)
    return Rehearsal(steps: steps, notes: rehearsal.notes)
  }
}

/// Looks on while a film's world is rehearsed.
protocol RehearsalWatcher: AnyObject {
  /// Of a step, also before the start.
  func willPerform(_ step: Step)
  /// - Parameter failures: what could not be done.
  func didPerform(_ failures: [String])
  func didStart()
  /// All time has passed; the panel has not been stopped.
  func didEnd()
}

/// Performs the steps of a film's world on a panel.
final class PanelRehearsal {
  let session: PanelSession
  private(set) var notes: [String] = []
  private let names: Names
  weak var watcher: (any RehearsalWatcher)?

  /// - Parameter session: not started.
  init(_ session: PanelSession) {
    self.session = session
    names = Names(session.panel)
  }

  /// Whether a panel with these steps before its start waits for lines that it can't have yet.
  static func waitsForLines(_ steps: [WorldStep]) -> Bool {
    steps.prefix { $0.time == nil }.contains { $0.words.hasPrefix("unplug ") || $0.words.hasPrefix("busy ") }
  }

  /// Runs the panel from its start, and stops it at the end.
  ///
  /// - Parameters:
  ///   - steps: of the world.
  ///   - end: in nanoseconds since the start.
  func run(_ steps: [WorldStep], until end: Int64) throws {
    defer { session.stop() }
    try session.bench.rehearse(
      steps, until: end,
      start: {
        try session.start()
        watcher?.didStart()
      },
      perform: { words in
        if let edge = WorldTrack.edge(words) { return try drive(edge.line, edge.level) }
        guard let placed = try StepLine.read(words, line: 0, file: "rehearsal", names: names) else { return }
        watcher?.willPerform(placed.step)
        let failures = try session.perform(placed.step)
        watcher?.didPerform(failures)
        notes += failures
      })
    watcher?.didEnd()
  }

  /// Brings a line of the panel's own chip to a level, as an edge of real hardware did.
  private func drive(_ name: String, _ level: Level) throws {
    guard let chip = session.chip, session.panel.lines(on: nil).contains(name) else {
      throw FilmFault(
        "the film has an edge of \(name), which is no line of the panel; rehearse it with the panel it is of")
    }
    chip.line(LineName(name)).drive(level)
    try session.bench.settle()
  }
}
