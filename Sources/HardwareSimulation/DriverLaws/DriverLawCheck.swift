import CycleCore
import HardwareDrivers

/// Checks one driver against all laws. The last of ``models`` is the safe model.
final class DriverLawCheck<D: Driver & ~Copyable, Setup: LawHarness> {
  let journal = LawJournal()
  let models: [D.Model]
  let makePort: (Bench) -> Setup
  private let makeDriver: (Setup) -> D
  private let makeCompanions: (Setup) -> [CompanionDriver]
  /// The picture of each model.
  private(set) var pictures: [String] = []
  /// The events of the second and of the third of equal stimuli without trouble; nil if they aren't compared.
  var eventsLater: [String]?
  var eventsLast: [String]?

  init(
    models: [D.Model], setup: @escaping (Bench) -> Setup, companions: @escaping (Setup) -> [CompanionDriver],
    driver: @escaping (Setup) -> D
  ) {
    self.models = models
    makePort = setup
    makeDriver = driver
    makeCompanions = companions
  }

  /// Whether renders can't be checked: all models are equal, or the setup's picture doesn't depend on them.
  private(set) lazy var isListener = models.allSatisfy { $0 == models[0] } || !makePort(Bench()).hasPicture
  /// The index of the first model with which the stimulus made the driver emit an event: a sensor that its model
  /// switches off emits none.
  private(set) var tellingModel: Int?
  var hasEvents: Bool {
    D.Event.self != Never.self && (D.Event.self as? any DeviceEvent.Type)?.canHappen ?? true
  }

  /// Whether other drivers run beside the driver.
  func hasCompanions(_ setup: Setup) -> Bool { !makeCompanions(setup).isEmpty }

  /// The longest text of a model or a picture in a sentence; longer ones are named by the number of the model.
  private static var longestText: Int { 120 }

  /// Names a model in a sentence: by its text, or by its number if that is too long.
  func name(_ model: D.Model) -> String {
    let text = "\(model)"
    guard text.count > Self.longestText else { return text }
    return "model \((models.firstIndex(of: model) ?? 0) + 1) of \(models.count)"
  }

  /// Names the model with this index.
  func name(_ model: Int) -> String { name(models[model]) }

  /// Names a picture in a sentence: by its text, or by the number of its model if that is too long.
  func name(ofPicture picture: String) -> String {
    guard picture.count > Self.longestText else { return picture }
    guard let model = pictures.firstIndex(of: picture) else { return "the picture of no model" }
    return "the picture of model \(model + 1) of \(models.count)"
  }

  func checkAll() {
    guard lookAtAll() else { return }
    let failures = models.indices.dropLast().flatMap { model -> [() -> Void] in
      [
        { self.checkFailure(from: model, to: model + 1, goesBack: false) },
        { self.checkFailure(from: model, to: model + 1, goesBack: true) },
        { self.checkFailureAmid(from: model, to: model + 1) },
        { self.checkFailureWithEffect(from: model, to: model + 1) },
      ]
    }
    let checks =
      [checkRendering, noteEvents] + models.indices.map { model in { self.checkEnd(of: model) } }
      + [checkStart, checkRequest] + failures + [
        checkLastingFailure, checkFailureWhileListening, checkUnplugging, checkAbsence, checkUnpluggingAmid,
        checkLateness, checkRest, checkLostEvents, checkEventsFromOutside,
      ]
    for check in checks where !journal.isOver { check() }
  }

  // MARK: - Runs

  /// The reason why a driver that has never been started refuses an event; nil if it accepts it.
  func refusal(of event: D.Event) -> String? {
    let driver = makeDriver(makePort(Bench()))
    return driver.refusal(of: event)
  }

  func begin(_ model: Int, isRequired: Bool = true) -> DriverLawRun<D, Setup> {
    let setup = makePort(Bench())
    let (makeDriver, journal) = (self.makeDriver, self.journal)
    journal.begin(writeCount: { setup.writeCount }, picture: { setup.picture })
    let trial = DriverBench(
      WatchedDriver(makeDriver(setup), journal, name: { [unowned self] in name($0) }), showing: models[model],
      beside: makeCompanions(setup), on: setup.bench, safe: models.last,
      isRequired: isRequired, name: String(describing: D.self))
    trial.cycle.onOverrun { overrun in
      journal.break(10, "a \(overrun.call) took \(overrun.took.brief), and \(overrun.call.allowed.brief) is allowed")
    }
    let limit = StepLimit(of: trial.cycle, on: setup.bench) { [journal] in journal.isOver = true }
    journal.limit = limit
    return DriverLawRun(trial: trial, setup: setup)
  }

  /// - Parameter what: the special condition of the run, for messages; nil for none.
  func end(_ run: DriverLawRun<D, Setup>, _ what: String? = nil) {
    if !run.bench.stop() {
      journal.break(2, "it did not reach its safe state within a second, and was stopped")
    }
    for fault in run.setup.faults where !journal.violations.contains("11: \(fault)") {
      journal.break(11, what.map { "\($0): \(fault)" } ?? fault)
    }
    for (moment, _) in run.trial.events { journal.check(moment) }
    for case .failed(let error) in run.trial.troubles where error.operation.hasPrefix("take the time stamps") {
      journal.break(3, "an event is stamped later than the clock: \(error.reason)")
    }
  }

  func attempt(_ law: Int, _ action: () throws(DriverError) -> Void) -> Bool {
    do throws(DriverError) {
      try action()
      return true
    } catch {
      journal.break(law, "the driver did not run: \(error)")
      return false
    }
  }

  // MARK: - Laws 0 and 7

  private func lookAtAll() -> Bool {
    var (writes, held) = (0, 0)
    for model in models.indices {
      let run = begin(model)
      let endWatching = run.setup.watchOutputs()
      guard attempt(4, { () throws(DriverError) in try run.start() }) else { return false }
      let change = endWatching()
      pictures.append(run.setup.picture)
      if run.setup.showsFromStart, let picture = journal.pictureAtStart {
        if picture != pictures[model] {
          journal.break(
            7,
            "started with \(name(model)) it shows \(name(ofPicture: picture)), not \(name(ofPicture: pictures[model])), until it is rendered"
          )
        } else if let change, !isListener {
          journal.break(7, "started with \(name(model)), \(change)")
        }
      }
      writes += run.writeCount
      held = max(held, run.setup.heldCount)
      end(run)
    }
    if held == 0, makePort(Bench()).holdsAnything {
      journal.break(0, "nothing was ever held: the law of the end sees nothing")
    }
    if !isListener {
      for model in models.indices.dropLast(2) where pictures[model] == pictures[model + 1] {
        journal.break(0, "models \(model + 1) and \(model + 2) look alike: \(name(ofPicture: pictures[model]))")
      }
      if Set(pictures).count == 1 { journal.break(0, "all models look alike: the laws of rendering see nothing") }
    }
    return true
  }

  // MARK: - Laws 1 and 3

  private func checkRendering() {
    let run = begin(0)
    journal.rendersTwice = true
    _ = attempt(1) { () throws(DriverError) in
      try run.start()
      for model in Array(models.indices) + models.indices.reversed() {
        try run.show(models[model])
        if run.setup.picture != pictures[model] {
          journal.break(
            5,
            "rendered after others, \(name(model)) looks like \(name(ofPicture: run.setup.picture)), not \(name(ofPicture: pictures[model]))"
          )
        }
        let count = run.events.count
        try run.setup.stimulate()
        if run.events.count > count { tellingModel = tellingModel ?? model }
      }
    }
    if hasEvents, run.events.isEmpty {
      journal.break(0, "the stimulus caused no event: the laws of events check nothing")
    }
    if !isListener, run.writeCount == 0 {
      journal.break(0, "nothing was ever written: the laws of rendering see nothing")
    }
    end(run)
  }

  // MARK: - Laws 2 and 6

  private func checkEnd(of model: Int) {
    let run = begin(model)
    guard
      attempt(
        2,
        { () throws(DriverError) in
          try run.start()
          try run.setup.stimulate()
        })
    else { return }
    end(run)
    let setup = run.setup
    if setup.picture != pictures.last! {
      journal.break(
        2,
        "stopped after \(name(model)) it shows \(name(ofPicture: setup.picture)), and \(name(ofPicture: pictures.last!)) is safe"
      )
    }
    if setup.heldCount != 0 { journal.break(2, "\(setup.heldCount) are still held after stop") }
    if let alarm = run.trial.cycle.nextAlarm { journal.break(6, "an alarm is set to \(alarm) after stop") }
    let (offered, writes) = (journal.offered(), setup.writeCount)
    _ = attempt(6) { () throws(DriverError) in
      try setup.stimulate()
      try run.bench.advance(by: .seconds(60))
    }
    if journal.offered() != offered { journal.break(6, "an event was emitted after stop") }
    if setup.writeCount != writes { journal.break(6, "something was written after stop") }
  }
}
