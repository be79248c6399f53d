import CycleCore
import HardwareDrivers
import HardwareSimulation

/// How the line of a contact moves at the start: a level, and when the others follow, counted from the moment before
/// the request.
private struct StartOfContact {
  let name: String
  let first: Level
  var later: [(milliseconds: Int, level: Level)] = []
  /// The position in which it is found within 100 ms; nil for none.
  let found: Switch.Event?
  var events: [String] = []

  static let all = [
    StartOfContact(name: "is open", first: .high, found: .off),
    StartOfContact(name: "is closed", first: .low, found: .on),
    StartOfContact(name: "is open and rises slowly", first: .low, later: [(12, .high)], found: .off),
    StartOfContact(
      name: "is closed and bounces", first: .high,
      later: (1...6).map { ($0 * 7, $0.isMultiple(of: 2) ? .high : .low) } + [(49, .low)], found: .on),
    StartOfContact(
      name: "bounces for longer than the start waits", first: .high,
      later: (1...20).map { ($0 * 10, $0.isMultiple(of: 2) ? .high : .low) }, found: nil, events: ["found off"]),
  ]
}

extension Case where Stand == any LineStand {
  /// An alarm that sounds while a window is open, or not known to be shut.
  private struct Alarm: Equatable {
    var isOpen: Bool?
    var log: [String] = []
  }

  static let starts = StartOfContact.all.map { start in
    LineCase("no output moves before it is known that a contact \(start.name)") { stand, findings in
      try stand.drive(5, start.first)
      let chip = stand.chip
      var isStarted = false
      let cycle = Cycle(seed: Alarm(), start: { _, _ in isStarted = true }) {
        Lens(
          Switch(chip, line: stand.name(5), settings: .init(bias: .asIs, debounce: .milliseconds(20))),
          found: { frame, event in
            frame.isOpen = event == .off
            frame.log.append("found \(event)")
          },
          on: { frame, event in
            frame.isOpen = event == .off
            frame.log.append("\(event)")
          })
        // What isn't known is taken for open: this application would sound at once.
        Lens(LED(chip, line: stand.name(2)), show: { $0.isOpen ?? true ? .on : .off })
      }
      let begin = stand.bench.now
      for (milliseconds, level) in start.later {
        stand.bench.plan(at: begin + .milliseconds(milliseconds)) { try? stand.drive(5, level) }
      }
      // The output as it is seen from outside, each millisecond up to the first frame.
      var seen: [Level] = []
      for milliseconds in 1...90 {
        stand.bench.plan(at: begin + .milliseconds(milliseconds)) {
          if !isStarted, let level = try? stand.level(2) { seen.append(level) }
        }
      }
      try stand.bench.run(cycle)
      let took = stand.bench.now - begin
      findings.equal("first frame", cycle.frame.log, start.found.map { ["found \($0)"] } ?? [])
      findings.equal("output", try stand.level(2), start.found == .on ? .low : .high)
      findings.equal("levels of the output before", Set(seen).count <= 1, true)
      findings.expect(
        took >= .milliseconds(start.found == nil ? 100 : 20) && took <= .milliseconds(100) + stand.tolerance,
        "the start took \(took)")
      try stand.pass(250)
      findings.equal("later", Array(cycle.frame.log.dropFirst(start.found == nil ? 0 : 1)), start.events)
      stand.bench.stop()
    }
  }
}
