import CycleCore
import HardwareDrivers

// Law 13: the start.
extension DriverLawCheck where D: ~Copyable {
  func checkStart() {
    checkFirstReading(nil, "inputs that are operated when the driver starts, and stay so,")
    checkFirstReading(.milliseconds(2), "inputs that come to rest 2 ms after the driver's start")
    checkEarlyWrites()
  }

  /// Starts the driver with its inputs operated.
  ///
  /// - Parameters:
  ///   - span: the time after the start for which they stay so; nil for ever.
  ///   - what: a description of this, for messages.
  private func checkFirstReading(_ span: Duration?, _ what: String) {
    guard hasEvents else { return }
    let run = begin(0)
    if run.setup.operate(true) {
      let setup = run.setup
      if let span { run.bench.plan(at: run.bench.now + span) { _ = setup.operate(false) } }
      _ = attempt(13) { () throws(DriverError) in
        try run.start()
        try run.bench.advance(by: .milliseconds(500))
      }
      if let first = run.events.first {
        journal.break(
          13, "\(what) are reported as \(run.events.count) events, the first one \(first): nothing has happened")
      }
    }
    end(run)
  }

  /// Checks a start at which the first frame waits for other inputs.
  private func checkEarlyWrites() {
    guard !isListener else { return }
    let run = begin(0)
    let (setup, writes, picture) = (run.setup, run.writeCount, run.setup.picture)
    run.bench.earliestFirstFrame = run.bench.now + .milliseconds(50)
    var early: (writes: Int, picture: String)?
    run.bench.plan(at: run.bench.now + .milliseconds(49)) { early = (setup.writeCount - writes, setup.picture) }
    _ = attempt(13) { () throws(DriverError) in try run.start() }
    // A chip that runs beside the driver is set up before the first frame.
    if let early, early.writes > 0 && !hasCompanions(setup) || early.picture != picture {
      journal.break(
        13,
        "before the inputs of the application are known it has written \(early.writes) times, and shows \(name(ofPicture: early.picture))"
      )
    }
    end(run)
  }
}
