import CycleCore

/// What every driver promises, checked on any driver. It knows no test framework: assert that the list is empty.
///
///     let violations = DriverLaws.violations(
///       models: [.off, .on],
///       port: { ChipPort(SimulatedChip($0), outputs: ["GPIO23"]) },
///       driver: { LED($0.chip, line: "GPIO23") })
///     #expect(violations == [])
///
/// 1. The same model twice writes once.
/// 2. Stop leaves the safe value and releases all.
/// 3. Time never runs back, and no event is stamped later than now.
/// 4. A port that fails gives an error that names the line.
/// 5. A render that failed changes nothing and is tried again.
/// 6. No event, no alarm and no write after stop.
public enum DriverLaws {
  /// Runs the driver through all laws on benches of its own, in virtual time.
  ///
  /// - Parameters:
  ///   - models: steady models, no two in a row of which look alike; at least one. ``CycleCore/NoModel`` for a driver that
  ///     only listens.
  ///   - port: makes the hardware anew for each run.
  ///   - driver: makes the driver anew on that hardware.
  /// - Returns: a sentence for each law that is broken, beginning with the law's number.
  public static func violations<D: Driver & ~Copyable, Port: LawPort>(
    models: [D.Model], port: @escaping (Bench) -> Port, driver: @escaping (Port) -> D
  ) -> [String] {
    precondition(!models.isEmpty, "the laws are checked with at least one model")
    let probe = driver(port(Bench()))
    let check = LawCheck(models: models + [probe.safeModel], port: port, driver: driver)
    check.checkAll()
    return check.journal.violations
  }
}

/// One check of all laws; the last of the models is the safe one.
private final class LawCheck<D: Driver & ~Copyable, Port: LawPort> {
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

  func checkAll() {
    guard lookAtAll() else { return }
    checkRendering()
    for model in models.indices { checkEnd(of: model) }
    checkRequest()
    for model in models.indices.dropLast() {
      checkFailure(from: model, to: model + 1, goesBack: false)
      checkFailure(from: model, to: model + 1, goesBack: true)
    }
  }

  private func begin(_ model: Int) -> (run: LawRun, port: Port) {
    let port = makePort(Bench())
    let remote = LawRemote()
    let (models, makeDriver, journal, bench) = (self.models, self.makeDriver, self.journal, port.bench)
    journal.begin(writeCount: { port.writeCount })
    let cycle = Cycle(seed: LawFrame(model: model)) {
      Lens(
        remote,
        on: { frame, event, _, _ in
          frame.model = event.model
          frame.turn += 1
        })
      Lens(
        Watched(makeDriver(port), journal), show: { models[$0.model] },
        on: { _, _, _, moment in journal.check(moment, on: bench) })
    }
    return (LawRun(cycle: cycle, remote: remote, bench: bench), port)
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

  private func lookAtAll() -> Bool {
    for model in models.indices {
      let (run, port) = begin(model)
      guard attempt(4, { () throws(DriverError) in try run.start() }) else { return false }
      pictures.append(port.picture)
      run.bench.stop()
    }
    return true
  }

  /// Laws 1 and 3.
  private func checkRendering() {
    let (run, port) = begin(0)
    journal.rendersTwice = true
    _ = attempt(1) { () throws(DriverError) in
      try run.start()
      for model in Array(models.indices) + models.indices.reversed() {
        try run.show(model)
        if port.picture != pictures[model] {
          journal.break(5, "rendered after others, \(models[model]) looks like \(port.picture), not \(pictures[model])")
        }
        try port.stimulate()
      }
    }
    run.bench.stop()
  }

  /// Laws 2 and 6.
  private func checkEnd(of model: Int) {
    let (run, port) = begin(model)
    guard
      attempt(
        2,
        { () throws(DriverError) in
          try run.start()
          try port.stimulate()
        })
    else { return }
    run.bench.stop()
    if port.picture != pictures.last! {
      journal.break(2, "stopped after \(models[model]) it shows \(port.picture), and \(pictures.last!) is safe")
    }
    if port.heldCount != 0 { journal.break(2, "\(port.heldCount) are still held after stop") }
    if let alarm = run.cycle.nextAlarm { journal.break(6, "an alarm is set to \(alarm) after stop") }
    let (offered, writes) = (journal.offered(), port.writeCount)
    _ = attempt(6) { () throws(DriverError) in
      try port.stimulate()
      try run.bench.advance(by: .seconds(60))
    }
    if journal.offered() != offered { journal.break(6, "an event was emitted after stop") }
    if port.writeCount != writes { journal.break(6, "something was written after stop") }
  }

  /// Law 4, when the hardware is taken.
  private func checkRequest() {
    let (run, port) = begin(0)
    guard port.failNextRequest() else { return }
    do throws(DriverError) {
      try run.start()
      journal.break(4, "the hardware could not be taken, and the driver started nevertheless")
      run.bench.stop()
    } catch {
      journal.check(error, names: port.names)
    }
    if port.heldCount != 0 { journal.break(4, "\(port.heldCount) are still held after a start that failed") }
  }

  /// Laws 4 and 5, when the hardware is written.
  private func checkFailure(from first: Int, to second: Int, goesBack: Bool) {
    let (run, port) = begin(first)
    _ = attempt(5) { () throws(DriverError) in
      try run.start()
      guard port.failNextWrite() else { return }
      let writes = port.writeCount
      try run.show(second)
      guard port.writeCount > writes else { return }
      guard let error = journal.errors.first else {
        return journal.break(4, "a write for \(models[second]) failed and the driver said nothing")
      }
      journal.check(error, names: port.names)
      if port.picture != pictures[first] {
        journal.break(5, "after a render that failed it shows \(port.picture), not \(pictures[first]) as before")
      }
      try run.show(goesBack ? first : second)
      try run.bench.advance(by: .seconds(60))
      let expected = pictures[goesBack ? first : second]
      if port.picture != expected {
        let what = goesBack ? "going back after" : "rendered again after"
        journal.break(5, "\(what) a render that failed, it shows \(port.picture), not \(expected)")
      }
    }
    run.bench.stop()
  }
}
