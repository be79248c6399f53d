import CycleCore
import HardwareDrivers

/// One run of a driver under observation.
struct DriverLawRun<D: Driver & ~Copyable, Setup: LawHarness> {
  let trial: DriverBench<WatchedDriver<D>>
  let setup: Setup
  var bench: Bench { setup.bench }

  /// Starts the driver, and waits until the first levels of its lines can have settled.
  func start() throws(DriverError) {
    try trial.start()
    try bench.advance(by: .milliseconds(20))
    try settle()
  }

  func show(_ model: D.Model) throws(DriverError) {
    try trial.show(model)
    try settle()
  }

  /// Advances time until the hardware shows the model: by the settling time and three delays of a late driver, then for
  /// such a driver until it is at rest, for 30 s at most: a motor that is late at each step takes long for its way.
  func settle() throws(DriverError) {
    try bench.advance(by: setup.settlingTime + bench.lateness * 3)
    let end = bench.now + .seconds(30)
    while bench.lateness > .zero, !trial.cycle.isAtRest, !trial.cycle.isStopRequested, bench.now < end {
      try bench.advance(by: bench.lateness)
    }
  }

  var writeCount: Int { setup.writeCount }

  /// The events so far, without their moments.
  var events: [String] { trial.events.map { "\($0.event)" } }

  /// Does the stimulus, and returns the events that it has caused when the hardware has settled, without moments.
  func eventsOfStimulus() throws(DriverError) -> [String] {
    let count = events.count
    try setup.stimulate()
    try settle()
    return Array(events.dropFirst(count))
  }
}

extension Duration {
  /// The span in its largest unit without a fraction: `30 ms`, `100 µs`.
  var brief: String {
    let nanoseconds = wholeNanoseconds
    for (unit, name) in [(1_000_000_000 as Int64, "s"), (1_000_000, "ms"), (1000, "µs")] {
      if nanoseconds >= unit, nanoseconds % unit == 0 { return "\(nanoseconds / unit) \(name)" }
    }
    return "\(nanoseconds) ns"
  }
}

/// The violations of all runs, and the observations of the current run.
final class LawJournal {
  private var found: [String] = []
  var violations: [String] { found + (limit?.violations ?? []) }
  /// The limit of the current run's steps.
  var limit: StepLimit?
  /// Whether each model is rendered a second time in this run, which must write nothing.
  var rendersTwice = false
  /// Errors of renders in this run.
  var errors: [DriverError] = []
  /// The picture between the driver's start and its first render; nil if the driver was not at rest then.
  var pictureAtStart: String?
  /// Whether the check has ended early: later violations are consequences of that.
  var isOver = false
  /// The number of the driver's wakes in this run that have written nothing and emitted no event.
  var idleWakeCount = 0
  private var latest: Moment?
  fileprivate(set) var writeCount: () -> Int = { 0 }
  fileprivate(set) var picture: () -> String = { "" }
  /// The number of events that the driver has emitted in this run.
  fileprivate(set) var offered: () -> Int = { 0 }

  func begin(writeCount: @escaping () -> Int, picture: @escaping () -> String) {
    rendersTwice = false
    errors = []
    latest = nil
    pictureAtStart = nil
    idleWakeCount = 0
    offered = { 0 }
    self.writeCount = writeCount
    self.picture = picture
  }

  /// Adds a violation, unless the list contains it already.
  func `break`(_ law: Int, _ sentence: String) {
    let text = "\(law): \(sentence)"
    if !isOver, !found.contains(text) { found.append(text) }
  }

  func check(_ moment: Moment) {
    if let latest, moment < latest { self.break(3, "an event at \(moment) came after one at \(latest)") }
    latest = moment
  }

  func check(_ error: DriverError, names: [String]) {
    if names.isEmpty || names.contains(where: { error.description.contains(text: $0) }) { return }
    self.break(4, "no line is named in \"\(error)\"")
  }
}

/// Wraps a driver and records its behaviour in a journal.
struct WatchedDriver<Base: Driver & ~Copyable>: Driver, ~Copyable {
  typealias Model = Base.Model
  typealias Event = Base.Event

  private var base: Base
  private let journal: LawJournal
  /// Names a model in a sentence.
  private let name: (Model) -> String

  init(_ base: consuming Base, _ journal: LawJournal, name: @escaping (Model) -> String) {
    self.base = base
    self.journal = journal
    self.name = name
  }

  static var isInput: Bool { Base.isInput }
  var safeModel: Model { base.safeModel }

  mutating func start(showing model: Model, in context: DriverContext<Event>) throws(DriverError) {
    try base.start(showing: model, in: context)
    journal.offered = { context.account.offered }
    if base.isAtRest { journal.pictureAtStart = journal.picture() }
  }

  mutating func render(_ model: Model, replacing previous: Model?) throws(DriverError) {
    do throws(DriverError) {
      try base.render(model, replacing: previous)
      guard journal.rendersTwice, base.isAtRest else { return }
      let writes = journal.writeCount()
      try base.render(model, replacing: model)
      let again = journal.writeCount() - writes
      if again > 0 { journal.break(1, "\(name(model)), rendered twice, is written \(again) times more") }
    } catch {
      journal.errors.append(error)
      throw error
    }
  }

  mutating func wake(_ wake: Wake) throws(DriverError) {
    let before = (journal.writeCount(), journal.offered())
    defer { if before == (journal.writeCount(), journal.offered()) { journal.idleWakeCount += 1 } }
    try base.wake(wake)
  }

  var isAtRest: Bool { base.isAtRest }

  func refusal(of event: Event) -> String? { base.refusal(of: event) }

  mutating func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)? {
    try base.watchForReturn(watcher)
  }

  mutating func stop() {
    let before = journal.offered()
    base.stop()
    if journal.offered() != before { journal.break(6, "an event was emitted while it stopped") }
  }
}
