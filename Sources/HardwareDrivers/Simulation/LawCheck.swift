import CycleCore

/// One check of all laws; the last of the models is the safe one.
final class LawCheck<D: Driver & ~Copyable, Port: LawPort> {
  let journal = LawJournal()
  private let models: [D.Model]
  private let makePort: (Bench) -> Port
  private let makeDriver: (Port) -> D
  /// What each model looks like.
  private var pictures: [String] = []

  init(models: [D.Model], port: @escaping (Bench) -> Port, driver: @escaping (Port) -> D) {
    self.models = models
    makePort = port
    makeDriver = driver
  }

  /// Whether the driver shows nothing.
  private var isListener: Bool { models.allSatisfy { $0 == models[0] } }
  private var hasEvents: Bool {
    D.Event.self != Never.self && (D.Event.self as? any DeviceEvent.Type)?.canHappen ?? true
  }

  func checkAll() {
    guard lookAtAll() else { return }
    checkRendering()
    for model in models.indices { checkEnd(of: model) }
    checkRequest()
    for model in models.indices.dropLast() {
      checkFailure(from: model, to: model + 1, goesBack: false)
      checkFailure(from: model, to: model + 1, goesBack: true)
    }
    checkLastingFailure()
    checkUnplugging()
    checkLateness()
  }

  // MARK: - Runs

  private func begin(_ model: Int, isRequired: Bool = true) -> LawRun<D, Port> {
    let port = makePort(Bench())
    let (makeDriver, journal) = (self.makeDriver, self.journal)
    journal.begin(writeCount: { port.writeCount }, picture: { port.picture })
    let trial = DriverBench(
      Watched(makeDriver(port), journal), showing: models[model], on: port.bench, isRequired: isRequired)
    trial.cycle.onOverrun { overrun in
      journal.break(10, "a \(overrun.call) took \(overrun.took), and \(overrun.call.allowed) is allowed")
    }
    return LawRun(trial: trial, port: port)
  }

  private func end(_ run: LawRun<D, Port>) {
    run.bench.stop()
    for fault in run.port.faults { journal.break(11, fault) }
    for (moment, _) in run.trial.events { journal.check(moment) }
    for case .failed(let error) in run.trial.troubles where error.operation.hasPrefix("take the time stamps") {
      journal.break(3, "an event is stamped later than the clock: \(error.reason)")
    }
  }

  private func attempt(_ law: Int, _ action: () throws(DriverError) -> Void) -> Bool {
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
    var writes = 0
    var showsModels = !isListener
    for model in models.indices {
      let run = begin(model)
      guard attempt(4, { () throws(DriverError) in try run.start() }) else { return false }
      pictures.append(run.port.picture)
      if let picture = journal.pictureAtStart, picture != pictures[model] {
        journal.break(
          7, "started with \(models[model]) it shows \(picture), not \(pictures[model]), until it is rendered")
      }
      writes += run.writeCount
      showsModels = showsModels && run.port.showsModels
      end(run)
    }
    if showsModels {
      for model in models.indices.dropLast(2) where pictures[model] == pictures[model + 1] {
        journal.break(0, "models \(model + 1) and \(model + 2) look alike: \(pictures[model])")
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
        if run.port.picture != pictures[model] {
          journal.break(
            5, "rendered after others, \(models[model]) looks like \(run.port.picture), not \(pictures[model])")
        }
        try run.port.stimulate()
      }
    }
    if hasEvents, run.events.isEmpty { journal.break(0, "the stimulus told no event: the laws of events see nothing") }
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
          try run.port.stimulate()
        })
    else { return }
    end(run)
    let port = run.port
    if port.picture != pictures.last! {
      journal.break(2, "stopped after \(models[model]) it shows \(port.picture), and \(pictures.last!) is safe")
    }
    if port.heldCount != 0 { journal.break(2, "\(port.heldCount) are still held after stop") }
    if let alarm = run.trial.cycle.nextAlarm { journal.break(6, "an alarm is set to \(alarm) after stop") }
    let (offered, writes) = (journal.offered(), port.writeCount)
    _ = attempt(6) { () throws(DriverError) in
      try port.stimulate()
      try run.bench.advance(by: .seconds(60))
    }
    if journal.offered() != offered { journal.break(6, "an event was emitted after stop") }
    if port.writeCount != writes { journal.break(6, "something was written after stop") }
  }

  // MARK: - Laws 4 and 5

  /// When the hardware is requested.
  private func checkRequest() {
    let run = begin(0)
    guard run.port.failNextRequest() else { return }
    do throws(DriverError) {
      try run.start()
      journal.break(4, "the hardware could not be taken, and the driver started nevertheless")
      run.bench.stop()
    } catch {
      journal.check(error, names: run.port.names)
    }
    if run.port.heldCount != 0 { journal.break(4, "\(run.port.heldCount) are still held after a start that failed") }
  }

  /// When the hardware is written.
  private func checkFailure(from first: Int, to second: Int, goesBack: Bool) {
    let run = begin(first)
    _ = attempt(5) { () throws(DriverError) in
      try run.start()
      guard run.port.failNextWrite() else { return }
      let writes = run.writeCount
      try run.trial.show(models[second])
      guard run.writeCount > writes else { return }
      guard let error = failure(of: run) else {
        return journal.break(4, "a write for \(models[second]) failed and the driver said nothing")
      }
      journal.check(error, names: run.port.names)
      if run.port.picture != pictures[first] {
        journal.break(5, "after a render that failed it shows \(run.port.picture), not \(pictures[first]) as before")
      }
      if goesBack { try run.show(models[first]) }
      try run.bench.advance(by: .seconds(60))
      let expected = pictures[goesBack ? first : second]
      if run.port.picture != expected {
        let what = goesBack ? "going back after a render that failed" : "a minute after a render that failed"
        journal.break(5, "\(what), it shows \(run.port.picture), not \(expected)")
      }
    }
    end(run)
  }

  /// The error that the driver threw or told.
  private func failure(of run: LawRun<D, Port>) -> DriverError? {
    if let error = journal.errors.first { return error }
    for trouble in run.trial.troubles { if case .failed(let error) = trouble { return error } }
    return nil
  }

  /// What keeps failing.
  private func checkLastingFailure() {
    guard models.count > 1 else { return }
    let run = begin(0)
    _ = attempt(5) { () throws(DriverError) in
      try run.start()
      guard run.port.failWrites(true) else { return }
      let writes = run.writeCount
      try run.trial.show(models[1])
      guard run.writeCount > writes else {
        _ = run.port.failWrites(false)
        return
      }
      try run.bench.advance(by: .seconds(600))
      if run.writeCount - writes > 60 {
        journal.break(5, "a write that keeps failing is tried \(run.writeCount - writes) times in 10 minutes")
      }
      if run.trial.troubles.count > 3 {
        journal.break(5, "a write that keeps failing is told \(run.trial.troubles.count) times in 10 minutes")
      }
      _ = run.port.failWrites(false)
      try run.bench.advance(by: .seconds(61) + run.port.settlingTime)
      if run.port.picture != pictures[1] {
        journal.break(
          5, "a minute after writes work again, and without a frame, it shows \(run.port.picture), not \(pictures[1])")
      }
      if run.trial.troubles.last != .restored { journal.break(5, "writes work again, and it is not told as restored") }
    }
    end(run)
  }

  // MARK: - Law 8

  private func checkUnplugging() {
    let run = begin(0)
    _ = attempt(8) { () throws(DriverError) in
      try run.start()
      guard run.port.unplug() else { return }
      try run.bench.advance(by: .seconds(2))
      if models.count > 2 { try run.show(models[1]) }
      // Hardware that is only written to is known to be gone when it is written to next.
      try run.bench.advance(by: .seconds(2))
      guard run.trial.troubles.contains(where: { if case .lost = $0 { true } else { false } }) else {
        return journal.break(8, "the hardware went away and the driver told nothing")
      }
      run.port.plug()
      try run.bench.advance(by: .seconds(120) + run.port.settlingTime)
      let expected = pictures[models.count > 2 ? 1 : 0]
      if run.port.picture != expected {
        journal.break(8, "two minutes after the hardware came back it shows \(run.port.picture), not \(expected)")
      }
      if run.trial.troubles.last != .restored {
        journal.break(8, "the hardware came back, and it is not told as restored")
      }
      guard hasEvents, journal.violations.allSatisfy({ !$0.hasPrefix("0: the stimulus") }) else { return }
      let count = run.events.count
      try run.port.stimulate()
      try run.settle()
      if run.events.count == count { journal.break(8, "the hardware came back, and the driver tells no event of it") }
    }
    end(run)
    if run.port.heldCount != 0 {
      journal.break(2, "\(run.port.heldCount) are still held after a loss, a return and a stop")
    }
  }

  // MARK: - Law 9

  /// Each span is one by which the driver always gets to run late.
  private func checkLateness() {
    guard let onTime = course(late: .zero) else { return }
    for span in [Duration.microseconds(100), .milliseconds(1), .milliseconds(30)] {
      guard let late = course(late: span) else { return }
      if late.events != onTime.events {
        journal.break(9, "late by \(span) it tells \(late.events), and on time \(onTime.events)")
      }
      for (model, picture) in late.pictures.enumerated() where picture != onTime.pictures[model] {
        journal.break(9, "late by \(span) it shows \(picture), and on time \(onTime.pictures[model])")
      }
    }
  }

  private func course(late span: Duration) -> (events: [String], pictures: [String])? {
    let run = begin(0)
    run.bench.lateness = span
    var seen: [String] = []
    let isGood = attempt(9) { () throws(DriverError) in
      try run.start()
      for model in models {
        try run.show(model)
        try run.port.stimulate()
        try run.bench.advance(by: .milliseconds(500))
        seen.append(run.port.picture)
      }
    }
    run.bench.lateness = .zero
    end(run)
    return isGood ? (run.events, seen) : nil
  }
}
