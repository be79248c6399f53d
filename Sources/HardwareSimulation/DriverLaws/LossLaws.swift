import CycleCore
import HardwareDrivers

// Law 8: hardware that goes away and comes back.
extension DriverLawCheck where D: ~Copyable {
  func checkUnplugging() {
    let run = begin(0)
    _ = attempt(8) { () throws(DriverError) in
      try run.start()
      guard run.setup.unplug() else { return }
      try run.bench.advance(by: .seconds(2))
      if models.count > 2 { try run.show(models[1]) }
      // A driver that only writes detects the loss at its next write.
      try run.bench.advance(by: .seconds(2))
      guard run.trial.troubles.contains(where: { if case .lost = $0 { true } else { false } }) else {
        return journal.break(8, "the hardware went away and the driver reported nothing")
      }
      run.setup.plug()
      try run.bench.advance(by: .seconds(120) + run.setup.settlingTime)
      let expected = pictures[models.count > 2 ? 1 : 0]
      if run.setup.picture != expected {
        journal.break(
          8,
          "two minutes after the hardware came back it shows \(name(ofPicture: run.setup.picture)), not \(name(ofPicture: expected))"
        )
      }
      checkTellings(of: run, "hardware that went away")
      if run.trial.troubles.last != .restored {
        journal.break(8, "the hardware came back, and it is not reported as restored")
      }
      try checkEvents(of: run, "the hardware came back")
    }
    end(run)
    if run.setup.heldCount != 0 {
      journal.break(2, "\(run.setup.heldCount) are still held after a loss, a return and a stop")
    }
  }

  /// Checks that a loss is reported once for each kind of error, not once for each failed operation.
  private func checkTellings(of run: DriverLawRun<D, Setup>, _ what: String) {
    var kinds: [DriverError.Kind] = []
    var count = 0
    for trouble in run.trial.troubles {
      switch trouble {
      case .lost(let error):
        kinds.append(error.kind)
        count = max(count, kinds.count { $0 == error.kind })
      case .restored: kinds = []
      case .failed, .eventsLost: break
      }
    }
    if count > 1 { journal.break(8, "\(what) is reported as lost \(count) times") }
  }

  /// Checks that the stimulus makes the driver emit the same events as without a loss, except their numbers: what has
  /// happened in the absence is unknown.
  private func checkEvents(of run: DriverLawRun<D, Setup>, _ what: String) throws(DriverError) {
    guard let tellingModel else { return }
    try run.show(models[tellingModel])
    let events = try run.eventsOfStimulus()
    if events.isEmpty { return journal.break(8, "\(what), and the driver emits no event for it") }
    compare(events, eventsLater, law: 8, what, numbersToo: false)
  }

  /// Checks hardware that is absent at the start and is plugged in later.
  func checkAbsence() {
    let run = begin(0, isRequired: false)
    guard run.setup.unplug() else { return }
    _ = attempt(8) { () throws(DriverError) in
      try run.start()
      try run.bench.advance(by: .seconds(2))
      guard run.trial.troubles.contains(where: { if case .lost = $0 { true } else { false } }) else {
        return journal.break(8, "the hardware was not there at the start and the driver reported nothing")
      }
      try run.bench.advance(by: .seconds(10))
      run.setup.plug()
      try run.bench.advance(by: .seconds(120) + run.setup.settlingTime)
      if run.setup.picture != pictures[0] {
        journal.break(
          8,
          "two minutes after the hardware came at last it shows \(name(ofPicture: run.setup.picture)), not \(name(ofPicture: pictures[0]))"
        )
      }
      checkTellings(of: run, "hardware that was not there at the start")
      if run.trial.troubles.last != .restored {
        journal.break(8, "the hardware came after the start, and it is not reported as restored")
      }
      try checkEvents(of: run, "the hardware came after the start")
    }
    end(run)
  }

  /// Checks hardware that goes away 0 to 150 ms after a model was emitted: while it is rendered, or during the
  /// stimulus.
  func checkUnpluggingAmid() {
    for span in [
      Duration.zero, .microseconds(15), .microseconds(150), .microseconds(1500), .milliseconds(15), .milliseconds(150),
    ] {
      let run = begin(0)
      let what = "gone \(span.brief) after a model came"
      _ = attempt(8) { () throws(DriverError) in
        try run.start()
        var hasGone = false
        run.bench.plan(at: run.bench.now + span) { hasGone = run.setup.unplug() }
        try run.show(models[models.count > 2 ? 1 : 0])
        try run.setup.stimulate()
        try run.bench.advance(by: .milliseconds(200))
        guard hasGone else { return }
        run.setup.plug()
        try run.bench.advance(by: .seconds(1))
        try run.show(models[0])
        try run.bench.advance(by: .seconds(120) + run.setup.settlingTime)
        // A driver that didn't use the hardware in this time may not have noticed the loss.
        guard let last = run.trial.troubles.last else { return }
        checkTellings(of: run, "\(what), it")
        if run.setup.picture != pictures[0] {
          journal.break(
            8, "\(what), and back, it shows \(name(ofPicture: run.setup.picture)), not \(name(ofPicture: pictures[0]))")
        }
        if last != .restored { journal.break(8, "\(what), and back, it is not reported as restored") }
        try checkEvents(of: run, what)
      }
      end(run, what)
      if run.setup.heldCount != 0 { journal.break(2, "\(what): \(run.setup.heldCount) are still held after stop") }
    }
  }
}
