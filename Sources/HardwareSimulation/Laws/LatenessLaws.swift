import CycleCore
import HardwareDrivers

// Law 9: a driver that runs late.
extension LawCheck where D: ~Copyable {
  /// The observations of a run that rendered each model in turn, with a stimulus after each.
  private struct Course {
    var events: [String] = []
    var pictures: [String] = []
    /// The times between the writes for each model.
    var pauses: [[Duration]] = []
  }

  func checkLateness() {
    guard let onTime = course(late: [.zero]) else { return }
    for span in [Duration.microseconds(100), .milliseconds(1), .milliseconds(30)] {
      compare(course(late: [span]), onTime, "late by \(span.brief)")
    }
    // A constant delay doesn't shorten pauses; an alternating one does, if the driver doesn't wait long enough.
    compare(course(late: [.milliseconds(30), .zero]), onTime, "late by 30 ms every other time")
    compare(course(late: [.zero, .milliseconds(30)]), onTime, "late by 30 ms every second time")
  }

  private func compare(_ late: Course?, _ onTime: Course, _ what: String) {
    guard let late else { return }
    if late.events != onTime.events {
      let (lateCount, count) = (late.events.count, onTime.events.count)
      let place = zip(late.events, onTime.events).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lateCount, count)
      let event = place < lateCount ? late.events[place] : "nothing"
      let expected = place < count ? onTime.events[place] : "nothing"
      journal.break(
        9,
        "\(what) it emits \(lateCount) events, and on time \(count): as number \(place + 1) \(event), not \(expected)")
    }
    for (place, picture) in late.pictures.enumerated() where picture != onTime.pictures[place] {
      journal.break(9, "\(what) it shows \(picture) for \(models[place]), and on time \(onTime.pictures[place])")
    }
    for (place, pauses) in late.pauses.enumerated() where pauses.count == onTime.pauses[place].count {
      for (number, (pause, expected)) in zip(pauses, onTime.pauses[place]).enumerated() where pause < expected {
        journal.break(
          9,
          "\(what) the pause after write \(number + 1) for \(models[place]) is \(pause.brief), and on time \(expected.brief)"
        )
      }
    }
  }

  private func course(late spans: [Duration]) -> Course? {
    let run = begin(0)
    run.bench.latenesses = spans
    var course = Course()
    let isGood = attempt(9) { () throws(DriverError) in
      try run.start()
      for model in models {
        let writes = run.setup.writeMoments.count
        try run.show(model)
        let moments = run.setup.writeMoments[writes...]
        course.pauses.append(zip(moments.dropFirst(), moments).map { $0 - $1 })
        try run.setup.stimulate()
        try run.bench.advance(by: .milliseconds(500))
        course.pictures.append(run.setup.picture)
      }
    }
    run.bench.latenesses = [.zero]
    end(run, spans == [.zero] ? nil : spans.count == 1 ? "late by \(spans[0].brief)" : "late by 30 ms every other time")
    course.events = run.events
    return isGood ? course : nil
  }
}
