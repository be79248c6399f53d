import CycleCore
import HardwareDrivers

// Law 14: a driver at rest sleeps.
extension DriverLawCheck where D: ~Copyable {
  private static var rest: Duration { .seconds(10) }
  /// The number of wakes in that time that may have other reasons than the device.
  private static var fewWakes: Int { 10 }
  private static var fewEvents: Int { 3 }

  /// Checks each model, after a stimulus, and then with inputs that stay operated.
  func checkRest() {
    for model in models.indices where !makePort(Bench()).wakesAtRest {
      let run = begin(model)
      _ = attempt(14) { () throws(DriverError) in
        try run.start()
        try run.setup.stimulate()
        try checkRest(of: run, "with \(name(model))")
        guard run.setup.operate(true) else { return }
        try checkRest(of: run, "with \(name(model)) and operated inputs")
      }
      end(run)
    }
  }

  private func checkRest(of run: DriverLawRun<D, Setup>, _ what: String) throws(DriverError) {
    try run.bench.advance(by: .seconds(5) + run.setup.settlingTime)
    let (wakes, events) = (journal.idleWakeCount, run.events.count)
    try run.bench.advance(by: Self.rest)
    if journal.idleWakeCount - wakes > Self.fewWakes {
      journal.break(
        14, "\(what) it wakes \(journal.idleWakeCount - wakes) times in \(Self.rest.brief) in which nothing happens")
    }
    if run.events.count - events > Self.fewEvents {
      journal.break(
        14, "\(what) it emits \(run.events.count - events) events in \(Self.rest.brief) in which nothing happens")
    }
  }
}
