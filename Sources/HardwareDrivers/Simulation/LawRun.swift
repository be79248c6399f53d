import CycleCore

/// The application of a law's run: which model is shown.
struct LawFrame: Equatable, Sendable {
  var model: Int
  /// Makes a new frame with the same model.
  var turn = 0
}

/// One run of a driver under observation.
struct LawRun {
  let cycle: any Steppable
  let remote: LawRemote
  let bench: Bench

  func start() throws(DriverError) { try bench.run(cycle) }

  func show(_ model: Int) throws(DriverError) {
    remote.show(model)
    try bench.settle()
  }
}

/// Says which model is shown next.
final class LawRemote: Driver {
  struct Event: Sendable {
    var model: Int
  }

  private var context: DriverContext<Event>?
  private var next: [Int] = []

  static func event(for trouble: Trouble) -> Event? { nil }

  func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
  }

  func show(_ model: Int) {
    next.append(model)
    context?.watcher.makeWaker().wake()
  }

  func wake(_ wake: Wake) {
    for model in next { context?.emit(Event(model: model)) }
    next = []
  }

  func stop() {
    context = nil
  }
}

/// What was seen in the runs.
final class LawJournal {
  private(set) var violations: [String] = []
  /// Every model is rendered a second time, which must write nothing.
  var rendersTwice = false
  /// Errors of renders in this run.
  var errors: [DriverError] = []
  private var latest: Moment?
  fileprivate(set) var writeCount: () -> Int = { 0 }
  /// How many events the driver has emitted in this run.
  fileprivate(set) var offered: () -> Int = { 0 }

  func begin(writeCount: @escaping () -> Int) {
    rendersTwice = false
    errors = []
    latest = nil
    offered = { 0 }
    self.writeCount = writeCount
  }

  /// Each violation is told once, however often it occurs.
  func `break`(_ law: Int, _ sentence: String) {
    let text = "\(law): \(sentence)"
    if !violations.contains(text) { violations.append(text) }
  }

  func check(_ moment: Moment, on bench: Bench) {
    if moment > bench.now { self.break(3, "an event is stamped \(moment) at \(bench.now)") }
    if let latest, moment < latest { self.break(3, "an event at \(moment) came after one at \(latest)") }
    latest = moment
  }

  func check(_ error: DriverError, names: [String]) {
    if names.contains(where: { error.description.contains($0) }) { return }
    self.break(4, "no line is named in \"\(error)\"")
  }
}

/// A driver, and what it does, noted in a journal.
struct Watched<Base: Driver & ~Copyable>: Driver, ~Copyable {
  typealias Model = Base.Model
  typealias Event = Base.Event

  private var base: Base
  private let journal: LawJournal

  init(_ base: consuming Base, _ journal: LawJournal) {
    self.base = base
    self.journal = journal
  }

  var safeModel: Model { base.safeModel }

  static func event(for trouble: Trouble) -> Event? { Base.event(for: trouble) }

  mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    try base.start(showing: model, in: context)
    journal.offered = { context.account.offered }
  }

  mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    do throws(DriverError) {
      try base.render(model, replacing: previous)
      guard journal.rendersTwice else { return }
      let writes = journal.writeCount()
      try base.render(model, replacing: model)
      let again = journal.writeCount() - writes
      if again > 0 { journal.break(1, "\(model), rendered twice, is written \(again) times more") }
    } catch {
      journal.errors.append(error)
      throw error
    }
  }

  mutating func wake(_ wake: Wake) { base.wake(wake) }

  mutating func stop() {
    let before = journal.offered()
    base.stop()
    if journal.offered() != before { journal.break(6, "an event was emitted while it stopped") }
  }
}
