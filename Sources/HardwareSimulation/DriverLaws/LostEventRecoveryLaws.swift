import CycleCore
import HardwareDrivers

// Law 15: events that the hardware loses.
extension DriverLawCheck where D: ~Copyable {
  /// Notes the events of the second and of the third of equal stimuli, which ``eventsLater`` and the law compare with.
  func noteEvents() {
    guard hasEvents, let tellingModel, !makePort(Bench()).wakesAtRest else { return }
    let run = begin(tellingModel)
    _ = attempt(15) { () throws(DriverError) in
      try run.start()
      for _ in 0..<3 {
        eventsLater = eventsLast
        eventsLast = try run.eventsOfStimulus()
        try run.bench.advance(by: .seconds(120))
      }
    }
    end(run)
  }

  /// Loses events of the first stimulus, and compares those of the third: the second shows what is missing.
  func checkLostEvents() {
    guard hasEvents, let tellingModel, !makePort(Bench()).wakesAtRest else { return }
    let run = begin(tellingModel)
    _ = attempt(15) { () throws(DriverError) in
      try run.start()
      guard run.setup.loseEvents(true) else { return }
      run.bench.lateness = .milliseconds(200)
      try run.setup.stimulate()
      try run.bench.advance(by: .seconds(1))
      run.bench.lateness = .zero
      _ = run.setup.loseEvents(false)
      try run.bench.advance(by: .seconds(120))
      _ = try run.eventsOfStimulus()
      try run.bench.advance(by: .seconds(120))
      let events = try run.eventsOfStimulus()
      compare(events, eventsLast, law: 15, "after lost events", numbersToo: run.setup.countsLostEvents)
    }
    end(run)
  }

  /// Compares the events of a stimulus with those that the same stimulus has caused without trouble. Without
  /// `numbersToo` the numbers in them may differ.
  func compare(_ events: [String], _ expected: [String]?, law: Int, _ what: String, numbersToo: Bool) {
    guard let expected else { return }
    let form = { (text: String) in numbersToo ? text : JSONIntegerVariants.form(of: text) }
    guard events.map(form) != expected.map(form) else { return }
    let place = zip(events, expected).enumerated().first { form($1.0) != form($1.1) }?.offset
    let first = place ?? min(events.count, expected.count)
    func event(_ list: [String]) -> String { first < list.count ? list[first] : "nothing" }
    journal.break(
      law,
      "\(what), a stimulus causes \(events.count) events, and \(expected.count) without trouble: as number "
        + "\(first + 1) \(event(events)), not \(event(expected))")
  }
}
