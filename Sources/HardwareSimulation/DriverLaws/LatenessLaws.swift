import CycleCore
import HardwareDrivers

/// The moments at which a run continues after each model: those of the slowest run, which the other runs of the law
/// keep, so that the moments of their events can be compared.
private struct Timetable {
  private(set) var moments: [Moment] = []
  private var place = 0
  var isComplete = false

  mutating func begin() { place = 0 }

  /// The next moment of a complete timetable.
  mutating func next() -> Moment {
    defer { place += 1 }
    return moments[place]
  }

  mutating func add(_ moment: Moment) { moments.append(moment) }
}

/// One way of running late.
private struct Lateness {
  var spans: [Duration]
  var text: String
}

// Law 9: a driver that runs late.
extension DriverLawCheck where D: ~Copyable {
  /// The observations of a run that rendered each model in turn, with a stimulus after each.
  private struct Course {
    var events: [(moment: Moment, text: String)] = []
    var pictures: [String] = []
    /// The times between the writes for each model.
    var pauses: [[Duration]] = []
  }

  func checkLateness() {
    let slowest = Lateness(spans: [.milliseconds(30)], text: "late by 30 ms")
    var timetable = Timetable()
    let late = course(slowest, &timetable)
    guard late != nil else { return }
    timetable.isComplete = true
    guard let onTime = course(nil, &timetable) else { return }
    compare(late, onTime, slowest.text)
    for lateness in [
      Lateness(spans: [.microseconds(100)], text: "late by 100 µs"),
      Lateness(spans: [.milliseconds(1)], text: "late by 1 ms"),
      // A constant delay doesn't shorten pauses; an alternating one does, if the driver doesn't wait long enough.
      Lateness(spans: [.milliseconds(30), .zero], text: "late by 30 ms at turns 1, 3, 5 …"),
      Lateness(spans: [.zero, .milliseconds(30)], text: "late by 30 ms at turns 2, 4, 6 …"),
    ] { compare(course(lateness, &timetable), onTime, lateness.text) }
  }

  private func compare(_ late: Course?, _ onTime: Course, _ what: String) {
    guard let late else { return }
    compareEvents(late.events, onTime.events, what)
    for (place, picture) in late.pictures.enumerated() where picture != onTime.pictures[place] {
      journal.break(
        9,
        "\(what) it shows \(name(ofPicture: picture)) for \(name(place)), and on time \(name(ofPicture: onTime.pictures[place]))"
      )
    }
    for (place, pauses) in late.pauses.enumerated() where pauses.count == onTime.pauses[place].count {
      for (number, (pause, expected)) in zip(pauses, onTime.pauses[place]).enumerated() where pause < expected {
        journal.break(
          9,
          "\(what) the pause after write \(number + 1) for \(name(place)) is \(pause.brief), and on time \(expected.brief)"
        )
      }
    }
  }

  private func compareEvents(
    _ late: [(moment: Moment, text: String)], _ onTime: [(moment: Moment, text: String)], _ what: String
  ) {
    let place = zip(late, onTime).enumerated().first { $1.0.text != $1.1.text }?.offset
    if place != nil || late.count != onTime.count {
      let first = place ?? min(late.count, onTime.count)
      let event = first < late.count ? late[first].text : "nothing"
      let expected = first < onTime.count ? onTime[first].text : "nothing"
      return journal.break(
        9,
        "\(what) it emits \(late.count) events, and on time \(onTime.count): as number \(first + 1) \(event), not \(expected)"
      )
    }
    guard makePort(Bench()).stampsEvents,
      let (number, (event, expected)) = zip(late, onTime).enumerated().first(where: { $1.0.moment != $1.1.moment })
    else { return }
    journal.break(
      9, "\(what) event \(number + 1), \(event.text), is stamped \(event.moment), and on time \(expected.moment)")
  }

  /// Runs the driver late, or on time for nil.
  private func course(_ lateness: Lateness?, _ timetable: inout Timetable) -> Course? {
    let run = begin(0)
    run.bench.latenesses = lateness?.spans ?? [.zero]
    var course = Course()
    timetable.begin()
    let isGood = attempt(9) { () throws(DriverError) in
      try run.start()
      for model in models {
        try goOn(run, &timetable)
        let writes = run.setup.writeMoments.count
        try run.trial.show(model)
        try goOn(run, &timetable)
        let moments = run.setup.writeMoments[writes...]
        course.pauses.append(zip(moments.dropFirst(), moments).map { $0 - $1 })
        try run.setup.stimulate()
        try run.bench.advance(by: .milliseconds(500))
        course.pictures.append(run.setup.picture)
      }
    }
    run.bench.latenesses = [.zero]
    end(run, lateness?.text)
    course.events = run.trial.events.map { ($0.moment, "\($0.event)") }
    return isGood ? course : nil
  }

  private func goOn(_ run: DriverLawRun<D, Setup>, _ timetable: inout Timetable) throws(DriverError) {
    if timetable.isComplete { return try run.bench.advance(to: max(run.bench.now, timetable.next())) }
    try run.settle()
    timetable.add(run.bench.now)
  }
}
