import CycleCore
import HardwareDrivers
import HardwareSimulation

typealias LineCase = Case<any LineStand>

extension Case where Stand == any LineStand {
  static var all: [LineCase] {
    [
      edges, starts, gestures, keys, outputs, driving, severalLines, requests, finding, holding, losses, displays,
      parts,
    ].flatMap { $0 }
  }

  // MARK: - Edges

  static let edges = [
    LineCase("both edges come in order, with the kernel's time stamps") { stand, findings in
      try stand.drive(1, .low)
      let contact = Switch(
        stand.chip, line: stand.name(1), settings: .init(bias: .asIs, isActiveLow: false, debounce: .zero))
      let trial = try Trial(contact, on: stand.bench)
      var windows: [ClosedRange<Moment>] = []
      for count in 0..<6 {
        let before = stand.bench.now
        try stand.drive(1, count.isMultiple(of: 2) ? .high : .low)
        windows.append(before...stand.bench.now)
        try stand.pass(10)
      }
      findings.equal("events", trial.events, ["on", "off", "on", "off", "on", "off"])
      for (moment, window) in zip(trial.moments, windows) {
        findings.expect(
          moment >= window.lowerBound && moment <= window.upperBound + stand.tolerance,
          "the edge at \(moment) was in \(window)")
      }
    },
    LineCase("an active-low line is active when it is low, another when it is high") { stand, findings in
      let contacts = LineDriverArray([
        Switch(stand.chip, line: stand.name(1), settings: .init(bias: .asIs, isActiveLow: true)),
        Switch(stand.chip, line: stand.name(2), settings: .init(bias: .asIs, isActiveLow: false)),
      ])
      for line in 1...2 { try stand.drive(line, .low) }
      let trial = try Trial(contacts, on: stand.bench)
      for line in 1...2 {
        try stand.drive(line, .high)
        try stand.pass(10)
      }
      findings.equal("found", trial.found, ["device 0: on", "device 1: off"])
      findings.equal("events", trial.events, ["device 0: off", "device 1: on"])
    },
    LineCase("a pull-up holds an input high, a pull-down low") { stand, findings in
      let contacts = LineDriverArray([
        Switch(stand.chip, line: stand.name(3), settings: .init(bias: .pullUp, isActiveLow: false)),
        Switch(stand.chip, line: stand.name(4), settings: .init(bias: .pullDown, isActiveLow: false)),
      ])
      let trial = try Trial(contacts, on: stand.bench)
      try stand.pass()
      findings.equal("levels", [try stand.level(3), try stand.level(4)], [.high, .low])
      findings.equal("found", trial.found, ["device 0: on", "device 1: off"])
      findings.equal("events", trial.events, [])
    },
    LineCase("a button that is held at the start is found pressed: its release is the first event, and no click") {
      stand, findings in
      try stand.drive(5, .low)
      let settings = Button.Settings(bias: .asIs, hold: .milliseconds(20))
      let trial = try Trial(Button(stand.chip, line: stand.name(5), settings: settings), on: stand.bench)
      try stand.pass(40)
      findings.equal("found", trial.found, ["pressed"])
      findings.equal("events", trial.events, [])
      try stand.drive(5, .high)
      try stand.pass(10)
      findings.equal("events", trial.events, ["released"])
    },
    LineCase("an encoder tells both directions, and a state that was skipped") { stand, findings in
      for line in 6...7 { try stand.drive(line, .high) }
      let trial = try Trial(
        RotaryEncoder(stand.chip, lines: (stand.name(6), stand.name(7)), settings: .init(bias: .asIs)),
        on: stand.bench)
      try stand.pass(10)
      func quarter(_ line: Int, _ level: Level) throws {
        try stand.drive(line, level)
        try stand.pass(2)
      }
      for (first, second) in [(6, 7), (7, 6)] {
        try quarter(first, .low)
        try quarter(second, .low)
        try quarter(first, .high)
        try quarter(second, .high)
      }
      findings.equal("events", trial.events, ["clockwise", "counterclockwise"])
    },
  ]

  // MARK: - Gestures

  static let gestures = [
    LineCase("a contact that bounces is one press and one release") { stand, findings in
      try stand.drive(8, .high)
      let trial = try Trial(
        Button(stand.chip, line: stand.name(8), settings: .init(bias: .asIs, debounce: .milliseconds(20))),
        on: stand.bench)
      var last: [Moment] = []
      for level in [Level.low, .high] {
        for bounce in 0..<9 {
          try stand.drive(8, bounce.isMultiple(of: 2) ? level : level.opposite)
          last.append(stand.bench.now)
          try stand.bench.advance(by: .milliseconds(2))
        }
        try stand.pass(40)
      }
      findings.equal("events", trial.events, ["pressed", "released", "clicked"])
      // A level counts when it has been stable for the period: then, or at its edge, but not before it.
      for (event, edge) in zip(trial.moments, [last[8], last[17]]) {
        findings.expect(
          event >= edge && event <= edge + .milliseconds(20) + stand.tolerance, "\(event) is soon after \(edge)")
      }
    },
    LineCase("clicks are told by the kernel's time stamps, however late they are read") { stand, findings in
      try stand.drive(9, .high)
      let settings = Button.Settings(
        bias: .asIs, debounce: .milliseconds(5), hold: .milliseconds(400), doubleClick: .milliseconds(200))
      let trial = try Trial(Button(stand.chip, line: stand.name(9), settings: settings), on: stand.bench)
      // Two presses 100 ms apart, and one that lasts 300 ms: no hold, though nobody looks for a second.
      let start = stand.bench.now
      for (offset, level) in [(50, Level.low), (100, .high), (200, .low), (250, .high), (600, .low), (900, .high)] {
        stand.bench.plan(at: start + .milliseconds(offset)) { try? stand.drive(9, level) }
      }
      try stand.bench.stall(for: .milliseconds(1200))
      try stand.pass(300)
      findings.equal(
        "events", trial.events,
        ["pressed", "released", "pressed", "released", "doubleClicked", "pressed", "released", "clicked"])
    },
    LineCase("a hold is told by the kernel's time stamps, however late it is read") { stand, findings in
      try stand.drive(9, .high)
      let settings = Button.Settings(bias: .asIs, debounce: .milliseconds(5), hold: .milliseconds(300))
      let trial = try Trial(Button(stand.chip, line: stand.name(9), settings: settings), on: stand.bench)
      let start = stand.bench.now
      for (offset, level) in [(50, Level.low), (600, .high)] {
        stand.bench.plan(at: start + .milliseconds(offset)) { try? stand.drive(9, level) }
      }
      try stand.bench.stall(for: .milliseconds(900))
      try stand.pass(50)
      findings.equal("events", trial.events, ["pressed", "held", "released"])
      if trial.moments.count == 3 {
        let held = trial.moments[1] - trial.moments[0]
        findings.expect(
          held >= .milliseconds(295) && held <= .milliseconds(305) + stand.tolerance, "held after 300 ms: \(held)")
      }
    },
  ]

  // MARK: - Keys

  // A simulated line of the kernel's follows nobody: with one row, a column that is low is a key that is down.
  static let keys = [
    LineCase("a keypad finds the keys that are down at the start, tells the others, and rests with its row low") {
      stand, findings in
      try stand.drive(24, .low)
      try stand.drive(25, .high)
      let trial = try Trial(
        Keypad(
          stand.chip, rows: [stand.name(23)], columns: [24, 25].map { stand.name($0) }, settings: .init(bias: .asIs)),
        on: stand.bench)
      try stand.pass(100)
      try stand.drive(25, .low)
      try stand.pass(100)
      try stand.drive(24, .high)
      try stand.pass(100)
      for bounce in 0..<7 {
        try stand.drive(25, bounce.isMultiple(of: 2) ? .high : .low)
        try stand.bench.advance(by: .milliseconds(1))
      }
      try stand.pass(100)
      func text(_ kind: String, _ column: Int) -> String {
        "\(kind)(HardwareDrivers.Keypad.Key(row: 0, column: \(column), legend: \"\"))"
      }
      findings.equal("found", trial.found, [text("pressed", 0), text("released", 1)])
      findings.equal("events", trial.events, [text("pressed", 1), text("released", 0), text("released", 1)])
      findings.equal("row", try stand.level(23), .low)
    }
  ]

  // MARK: - Outputs

  static let outputs = [
    LineCase("outputs have the seed's values from the first instant") { stand, findings in
      let relays = LineDriverArray([
        Relay(stand.chip, line: stand.name(10), settings: .init(isActiveLow: true)),
        Relay(stand.chip, line: stand.name(11)),
        Relay(stand.chip, line: stand.name(12)),
      ])
      _ = try Trial(relays, showing: [.off, .on, .off], on: stand.bench)
      findings.equal("levels", try (10...12).map { try stand.level($0) }, [.high, .high, .low])
    },
    LineCase("many lamps change together") { stand, findings in
      let lines = Array(10...17)
      let trial = try Trial(
        LEDBar(stand.chip, lines: lines.map { stand.name($0) }), showing: .init(level: 0), on: stand.bench)
      for level in [8, 3, 5, 0] {
        try trial.show(.init(level: level))
        try stand.pass()
        findings.equal(
          "lamps at \(level)", try lines.map { try stand.level($0) },
          lines.indices.map { $0 < level ? .high : .low })
      }
    },
    LineCase("a lamp blinks at its moments") { stand, findings in
      let trial = try Trial(LED(stand.chip, line: stand.name(10)), showing: .off, on: stand.bench)
      try trial.show(.blink(on: .milliseconds(400), off: .milliseconds(400), times: 2))
      var levels: [Level] = []
      for _ in 0..<5 {
        try stand.bench.advance(by: .milliseconds(200))
        levels.append(try stand.level(10))
        try stand.bench.advance(by: .milliseconds(200))
      }
      findings.equal("levels", levels, [.high, .low, .high, .low, .low])
    },
    LineCase("the safe model is shown at the end, and the lines are free for others") { stand, findings in
      let trial = try Trial(
        Relay(stand.chip, line: stand.name(13), settings: .init(isActiveLow: false)), showing: .on, on: stand.bench)
      findings.equal("level", try stand.level(13), .high)
      findings.expect(!stand.areFree([13]), "the line is held")
      stand.bench.stop()
      findings.equal("level", try stand.level(13), .low)
      findings.expect(stand.areFree([13]), "the line is free")
      _ = trial
    },
  ]

  // MARK: - Requests

  static let requests = [
    LineCase("a line that another program holds is busy, and that program is named") { stand, findings in
      let other = try stand.hold([14, 15], as: "gpio-keys")
      defer { other.release() }
      let error = error { _ = try Trial(Button(stand.chip, line: stand.name(14)), on: stand.bench) }
      findings.equal("kind", error?.kind, .busy)
      let text = "\(error.map { "\($0)" } ?? "")"
      findings.expect(text.hasPrefix("cannot request line GPIO14 of lab as input: busy"), text)
      findings.expect(text.contains("\"gpio-keys\" uses it."), text)
    },
    LineCase("a line that isn't there is told by its name, and nothing is held") { stand, findings in
      let error = error {
        _ = try Trial(
          LineDriverArray([Button(stand.chip, line: stand.name(16)), Button(stand.chip, line: "GPIO99")]),
          on: stand.bench)
      }
      findings.equal("kind", error?.kind, .misconfigured)
      findings.expect(error.map { "\($0)" }?.contains("line GPIO99") ?? false, "\(error.map { "\($0)" } ?? "none")")
      findings.expect(stand.areFree([16]), "the other line is free")
    },
    LineCase("a chip that this user may not open is told so") { stand, findings in
      try stand.permit(false)
      let error = error { _ = try Trial(Button(stand.chip, line: stand.name(17)), on: stand.bench) }
      try stand.permit(true)
      findings.equal("kind", error?.kind, .notPermitted)
      findings.expect(error.map { "\($0)" }?.contains("group \"gpio\"") ?? false, "\(error.map { "\($0)" } ?? "none")")
      findings.expect(stand.areFree([17]), "the line is free")
    },
  ]

  // MARK: - Losses

  static let losses = [
    LineCase("more edges than are kept: the loss is told, and the button's state is right afterwards") {
      stand, findings in
      try stand.drive(18, .high)
      let trial = try Trial(
        Button(stand.chip, line: stand.name(18), settings: .init(bias: .asIs, debounce: .zero)), on: stand.bench)
      try overflow(18, of: stand)
      findings.expect(
        trial.events.contains { $0.hasPrefix("edgesLost") }, "the loss is told: \(trial.events.count) events")
      let last = trial.events.last { $0 == "pressed" || $0 == "released" }
      findings.equal("the button", last, "pressed")
      try stand.drive(18, .high)
      try stand.pass(10)
      findings.equal("the button", trial.events.last { $0 == "pressed" || $0 == "released" }, "released")
    },
    LineCase("how many edges are lost is told, where they are numbered", needs: [.numbers]) {
      stand, findings in
      try stand.drive(18, .high)
      let trial = try Trial(
        Button(stand.chip, line: stand.name(18), settings: .init(bias: .asIs, debounce: .zero)), on: stand.bench)
      try overflow(18, of: stand)
      findings.expect(trial.events.contains("edgesLost(Optional(25))"), "25 are lost: \(trial.events.count) events")
      // 1 024 are more than the lane holds: what it has no room for stays with the kernel. The first one tells a
      // release of a button that isn't pressed.
      findings.equal("edges", trial.events.count { $0 == "pressed" || $0 == "released" }, 1023)
    },
    LineCase("a chip that goes away and comes back: lost, restored, and its outputs show the model again") {
      stand, findings in
      let trial = try Trial(Relay(stand.chip, line: stand.name(19)), showing: .on, on: stand.bench)
      try stand.unplug()
      try stand.pass(50)
      findings.equal("events", trial.events, ["lost"])
      try trial.show(.off)
      try trial.show(.on)
      try stand.plug()
      try stand.pass(200)
      findings.equal("events", trial.events, ["lost", "restored"])
      findings.equal("level", try stand.level(19), .high)
    },
    LineCase("a button on a chip that was away has the right state when it is back") { stand, findings in
      try stand.drive(20, .high)
      let trial = try Trial(Button(stand.chip, line: stand.name(20), settings: .init(bias: .asIs)), on: stand.bench)
      try stand.unplug()
      try stand.pass(50)
      try stand.plug()
      try stand.drive(20, .low)
      try stand.pass(200)
      findings.equal("trouble", trial.events.filter { ["lost", "restored"].contains($0) }, ["lost", "restored"])
      findings.equal("the button", trial.events.last { $0 == "pressed" || $0 == "released" }, "pressed")
    },
  ]

  /// Has 25 edges more on a line than are kept, the last one a press, while the reader sleeps.
  @Sendable private static func overflow(_ line: Int, of stand: any LineStand) throws {
    let probe = try stand.hold([line + 1], as: "probe")
    let count = probe.abilities.queueDepth + 25
    probe.release()
    let start = stand.bench.now
    for edge in 0..<count {
      stand.bench.plan(at: start + .milliseconds(edge + 1)) {
        try? stand.drive(line, edge.isMultiple(of: 2) ? .low : .high)
      }
    }
    try stand.bench.stall(for: .milliseconds(count + 50))
    // A thousand edges are reduced by a machine that is emulated beside others.
    try stand.pass(1000)
  }
}
