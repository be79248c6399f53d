import CycleCore
import HardwareDrivers

// Laws 4 and 5: hardware that is not available, and writes that fail.
extension DriverLawCheck where D: ~Copyable {
  /// Checks a failing request: the start must throw an error that names the hardware, and hold nothing.
  func checkRequest() {
    let run = begin(0)
    guard run.setup.failNextRequest() else { return }
    do throws(DriverError) {
      try run.start()
      journal.break(4, "the hardware could not be taken, and the driver started nevertheless")
      run.bench.stop()
    } catch {
      journal.check(error, names: run.setup.names)
    }
    if run.setup.heldCount != 0 { journal.break(4, "\(run.setup.heldCount) are still held after a start that failed") }
  }

  /// Checks a failure of the first write for a model; with `goesBack` the first model is rendered again after it.
  func checkFailure(from first: Int, to second: Int, goesBack: Bool) {
    let run = begin(first)
    _ = attempt(5) { () throws(DriverError) in
      try run.start()
      guard run.setup.failWrite(after: 0) else { return }
      let writes = run.writeCount
      try run.trial.show(models[second])
      guard run.writeCount > writes else { return }
      if let error = failure(of: run) {
        journal.check(error, names: run.setup.names)
        if run.setup.picture != pictures[first] {
          journal.break(
            5,
            "after a render that failed it shows \(name(ofPicture: run.setup.picture)), not \(name(ofPicture: pictures[first])) as before"
          )
        }
      } else if !run.setup.repeatsWrites {
        return journal.break(4, "a write for \(name(second)) failed and the driver reported nothing")
      }
      if goesBack { try run.show(models[first]) }
      try run.bench.advance(by: .seconds(60))
      let expected = pictures[goesBack ? first : second]
      if run.setup.picture != expected {
        let what = goesBack ? "going back after a render that failed" : "a minute after a render that failed"
        journal.break(5, "\(what), it shows \(name(ofPicture: run.setup.picture)), not \(name(ofPicture: expected))")
      }
    }
    end(run)
  }

  /// Checks a failure of a later write for a model. The writes before it have been applied, so directly after the
  /// failure the hardware may show neither model.
  func checkFailureAmid(from first: Int, to second: Int) {
    let good = begin(first)
    var count = 0
    _ = attempt(5) { () throws(DriverError) in
      try good.start()
      let before = good.writeCount
      try good.show(models[second])
      count = good.writeCount - before
    }
    end(good)
    for goodWrites in Set([1, count / 2, count - 1]).sorted() where goodWrites > 0 && goodWrites < count {
      for goesBack in [false, true] {
        checkFailure(ofWrite: goodWrites + 1, from: first, to: second, goesBack: goesBack, takesEffect: false)
        checkFailure(ofWrite: goodWrites + 1, from: first, to: second, goesBack: goesBack, takesEffect: true)
      }
    }
  }

  /// Checks a first write for a model that fails and takes effect nevertheless: its driver can't know the state of the
  /// hardware.
  func checkFailureWithEffect(from first: Int, to second: Int) {
    for goesBack in [false, true] {
      checkFailure(ofWrite: 1, from: first, to: second, goesBack: goesBack, takesEffect: true)
    }
  }

  private func checkFailure(
    ofWrite number: Int, from first: Int, to second: Int, goesBack: Bool, takesEffect: Bool
  ) {
    let run = begin(first)
    let what = "write \(number) for \(name(second)) \(takesEffect ? "took effect and failed" : "failed")"
    _ = attempt(5) { () throws(DriverError) in
      try run.start()
      let writes = run.writeCount
      guard
        takesEffect ? run.setup.failWriteWithEffect(after: number - 1) : run.setup.failWrite(after: number - 1)
      else { return }
      try run.trial.show(models[second])
      if goesBack { try run.trial.show(models[first]) }
      try run.bench.advance(by: .seconds(61) + run.setup.settlingTime)
      // Returning to the first model may have cancelled the write that should fail.
      guard run.writeCount - writes >= number else {
        _ = run.setup.failWrite(after: nil)
        return
      }
      let expected = pictures[goesBack ? first : second]
      if run.setup.picture != expected {
        journal.break(
          5,
          "\(what)\(goesBack ? ", it went back" : ""), and a minute later it shows \(name(ofPicture: run.setup.picture)), not \(name(ofPicture: expected))"
        )
      }
      guard let error = failure(of: run) else {
        if !run.setup.repeatsWrites { journal.break(4, "\(what), and the driver reported nothing") }
        return
      }
      journal.check(error, names: run.setup.names)
      if run.trial.troubles.last != .restored {
        journal.break(5, "\(what), and a minute later it is not reported as restored")
      }
    }
    end(run, what)
  }

  /// The first error that the driver threw from a render or reported as trouble.
  private func failure(of run: DriverLawRun<D, Setup>) -> DriverError? {
    if let error = journal.errors.first { return error }
    for trouble in run.trial.troubles {
      // If a device on a bus doesn't answer, its driver can't know whether it is there, so `lost` counts, too.
      switch trouble {
      case .failed(let error), .lost(let error): return error
      case .restored, .eventsLost: continue
      }
    }
    return nil
  }

  /// Checks writes that fail for ten minutes during the rendering of a model, and then work again.
  func checkLastingFailure() {
    guard models.count > 1 else { return }
    let run = begin(0)
    _ = attempt(5) { () throws(DriverError) in
      try run.start()
      guard run.setup.failWrites(true) else { return }
      let writes = run.writeCount
      try run.trial.show(models[1])
      guard run.writeCount > writes else {
        _ = run.setup.failWrites(false)
        return
      }
      try run.bench.advance(by: .seconds(600))
      checkCosts(of: run, writes: writes, troubles: 0, events: 0)
      _ = run.setup.failWrites(false)
      try run.bench.advance(by: .seconds(61) + run.setup.settlingTime)
      if run.setup.picture != pictures[1] {
        journal.break(
          5,
          "a minute after writes work again, and without a frame, it shows \(name(ofPicture: run.setup.picture)), not \(name(ofPicture: pictures[1]))"
        )
      }
      if run.trial.troubles.last != .restored {
        journal.break(5, "writes work again, and it is not reported as restored")
      }
    }
    end(run)
  }

  /// Checks writes that fail for ten minutes without a new model, for drivers that write in order to read (a scan, a
  /// trigger).
  func checkFailureWhileListening() {
    let run = begin(0)
    _ = attempt(5) { () throws(DriverError) in
      try run.start()
      guard run.setup.failWrites(true) else { return }
      let writes = run.writeCount
      try run.setup.stimulate()
      guard run.writeCount > writes else {
        _ = run.setup.failWrites(false)
        return
      }
      try run.bench.advance(by: .seconds(1))
      guard let error = failure(of: run) else {
        return journal.break(4, "a write failed while it listened, and the driver reported nothing")
      }
      journal.check(error, names: run.setup.names)
      let (later, troubles, events) = (run.writeCount, run.trial.troubles.count, run.events.count)
      try run.bench.advance(by: .seconds(600))
      checkCosts(of: run, writes: later, troubles: troubles, events: events)
      _ = run.setup.failWrites(false)
      try run.bench.advance(by: .seconds(61) + run.setup.settlingTime)
      try run.setup.stimulate()
      if run.trial.troubles.last != .restored {
        journal.break(5, "writes work again while it listens, and it is not reported as restored")
      }
      if hasEvents, run.events.count == events {
        journal.break(5, "writes failed while it listened and work again, and the driver emits no event")
      }
    }
    end(run)
  }

  /// Checks ten minutes of failing writes: at most 60 writes, 3 troubles and 60 events more than the given counts.
  private func checkCosts(of run: DriverLawRun<D, Setup>, writes: Int, troubles: Int, events: Int) {
    let (writes, troubles) = (run.writeCount - writes, run.trial.troubles.count - troubles)
    let events = run.events.count - events
    if writes > 60 { journal.break(5, "a write that keeps failing is tried \(writes) times in 10 minutes") }
    if troubles > 3 { journal.break(5, "a write that keeps failing is reported \(troubles) times in 10 minutes") }
    if events > 60 { journal.break(5, "a write that keeps failing makes \(events) events in 10 minutes") }
  }
}
