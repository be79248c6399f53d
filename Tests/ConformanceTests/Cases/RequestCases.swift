import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// What a request of lines can be, and how lines are found: behaviours that the tests of libgpiod and of the kernel's
/// simulator check.
extension Case where Stand == any LineStand {
  private static func text(_ error: DriverError?) -> String { error.map { "\($0)" } ?? "no error" }

  private static func outputs(_ stand: any LineStand, _ lines: [Int]) -> [LineConfiguration] {
    lines.map { LineConfiguration(stand.name($0), .output(.inactive, .pushPull)) }
  }

  /// All edges that wait.
  private static func edges(of request: any LineRequest) throws -> [LineEdge] {
    let buffer = UnsafeMutableBufferPointer<LineEdge>.allocate(capacity: 2048)
    defer { buffer.deallocate() }
    return Array(buffer.prefix(try request.readEdges(into: buffer)))
  }

  // MARK: - Driving

  static let driving = [
    LineCase("an open-drain output pulls low or lets go, an open-source output pulls high or lets go") {
      stand, findings in
      for (line, drive, bias, pulls) in [
        (1, Drive.openDrain, Bias.pullUp, Level.low), (2, .openSource, .pullDown, .high),
      ] {
        // Let go: an open-drain output at 1, an open-source output at 0.
        let free = LineValue(pulls == .low)
        let request = try stand.chip.request([LineConfiguration(stand.name(line), .output(free, drive, bias))])
        defer { request.release() }
        findings.equal("\(drive), let go", try stand.level(line), pulls.opposite)
        try stand.drive(line, pulls)
        findings.equal("\(drive), let go, and driven from outside", try stand.level(line), pulls)
        findings.equal(
          "\(drive), let go, and driven from outside, as the program reads it", try request.readValues()[0],
          LineValue(pulls == .high))
        try stand.drive(line, pulls.opposite)
        findings.equal("\(drive), let go once more", try request.readValues()[0], LineValue(pulls == .low))
        try request.write(pulls == .low ? [] : .first(1), mask: .first(1))
        findings.equal("\(drive), pulling", try stand.level(line), pulls)
      }
    },
    LineCase("an open-drain relay that is active low is on when its line is low") { stand, findings in
      try stand.drive(3, .high)
      let trial = try Trial(
        Relay(stand.chip, line: stand.name(3), settings: .init(isActiveLow: true, drive: .openDrain)), showing: .on,
        on: stand.bench)
      findings.equal("on", try stand.level(3), .low)
      try trial.show(.off)
      try stand.pass()
      findings.equal("off", try stand.level(3), .high)
    },
    LineCase("an input without a bias follows the world alone") { stand, findings in
      try stand.drive(4, .high)
      let request = try stand.chip.request([LineConfiguration(stand.name(4), .input(.disabled))])
      defer { request.release() }
      for level in [Level.high, .low, .high] {
        try stand.drive(4, level)
        findings.equal("value", try request.readValues()[0], LineValue(level == .high))
      }
    },
    LineCase("lines in no order of their offsets keep their places") { stand, findings in
      let lines = [5, 1, 7, 2, 6, 0, 4]
      let request = try stand.chip.request(outputs(stand, lines))
      defer { request.release() }
      for pattern: UInt64 in [0b1010101, 0b0110010, 0b0000001, 0b1000000] {
        try request.write(LineValues(rawValue: pattern), mask: .first(7))
        findings.equal(
          "levels", try lines.map { try stand.level($0) },
          lines.indices.map { pattern >> UInt64($0) & 1 == 1 ? .high : .low })
        findings.equal("values", try request.readValues().rawValue, pattern)
      }
    },
    LineCase("one line of many that changes leaves the others as they are") { stand, findings in
      let lines = Array(8...15)
      let request = try stand.chip.request(outputs(stand, lines))
      defer { request.release() }
      var levels: [Level] = [.high, .low, .high, .high, .low, .low, .high, .low]
      try request.write(LineValues(rawValue: 0b01001101), mask: .first(8))
      findings.equal("levels", try lines.map { try stand.level($0) }, levels)
      for place in [3, 0, 7] {
        levels[place] = levels[place].opposite
        // What isn't in the mask says nothing.
        var values = LineValues(rawValue: 0b10110010)
        values[place] = LineValue(levels[place] == .high)
        var mask: LineValues = []
        mask[place] = .active
        try request.write(values, mask: mask)
        findings.equal("levels after line \(place)", try lines.map { try stand.level($0) }, levels)
      }
    },
  ]

  // MARK: - Edges of several lines

  static let severalLines = [
    LineCase("how many edges each of two lines has lost is told, where they are numbered", needs: [.numbers]) {
      stand, findings in
      for line in 16...17 { try stand.drive(line, .low) }
      let contacts = (16...17).map {
        Switch(stand.chip, line: stand.name($0), settings: .init(bias: .asIs, isActiveLow: false, debounce: .zero))
      }
      let trial = try Trial(LineDriverArray(contacts), on: stand.bench)
      let probe = try stand.hold([18], as: "probe")
      // The oldest 30 of the edges are lost: of three one is the second line's.
      let count = probe.abilities.queueDepth + 30
      probe.release()
      let start = stand.bench.now
      var levels = [Level.low, .low]
      for edge in 0..<count {
        let contact = edge % 3 == 2 ? 1 : 0
        levels[contact] = levels[contact].opposite
        let level = levels[contact]
        stand.bench.plan(at: start + .milliseconds(edge + 1)) { try? stand.drive(16 + contact, level) }
      }
      try stand.bench.stall(for: .milliseconds(count + 50))
      try stand.pass(1000)
      for (contact, lost) in [(0, 20), (1, 10)] {
        findings.expect(
          trial.events.contains("device \(contact): edgesLost(Optional(\(lost)))"),
          "line \(contact) has lost \(lost): \(trial.events.filter { $0.contains("Lost") })")
        let last = trial.events.last { $0.hasPrefix("device \(contact):") && !$0.contains("Lost") }
        findings.expect(
          last?.hasSuffix(levels[contact] == .high ? ": on" : ": off") ?? false,
          "line \(contact) ends right: \(last ?? "-")")
      }
    },
    LineCase("edges of several lines come in the order of their moments, each with its line") { stand, findings in
      let lines = [19, 17, 18]
      for line in lines { try stand.drive(line, .low) }
      let request = try stand.chip.request(lines.map { LineConfiguration(stand.name($0), .input(.asIs)) })
      defer { request.release() }
      let order = [2, 0, 1, 0, 2, 2, 1]
      var levels: [Level] = [.low, .low, .low]
      for place in order {
        levels[place] = levels[place].opposite
        try stand.drive(lines[place], levels[place])
        try stand.bench.advance(by: .milliseconds(1))
      }
      let found = try edges(of: request)
      findings.equal("lines", found.map { Int($0.line) }, order)
      findings.equal(
        "values", found.map(\.value), [.active, .active, .active, .inactive, .inactive, .active, .inactive])
      findings.expect(zip(found, found.dropFirst()).allSatisfy { $0.moment < $1.moment }, "the moments rise")
    },
    LineCase("an input reports the edges of its logical value that were asked for, also after it was reconfigured") {
      stand, findings in
      try stand.drive(19, .high)
      func configuration(_ edges: LineConfiguration.Edges) -> [LineConfiguration] {
        [LineConfiguration(stand.name(19), .input(.asIs), isActiveLow: true, edges: edges)]
      }
      let request = try stand.chip.request(configuration(.falling))
      defer { request.release() }
      for (wanted, values) in [
        (LineConfiguration.Edges.falling, [LineValue.inactive, .inactive]), (.rising, [.active, .active]), (.none, []),
        (.both, [.active, .inactive, .active, .inactive]), (.falling, [.inactive, .inactive]),
      ] {
        try request.reconfigure(configuration(wanted))
        for level in [Level.low, .high, .low, .high] {
          try stand.drive(19, level)
          try stand.bench.advance(by: .milliseconds(1))
        }
        findings.equal("\(wanted)", try edges(of: request).map(\.value), values)
      }
    },
    LineCase("a line that another request debounced before reports each edge") { stand, findings in
      try stand.drive(20, .low)
      let debounced = try stand.chip.request(
        [LineConfiguration(stand.name(20), .input(.asIs), debounce: .milliseconds(50))])
      try stand.drive(20, .high)
      try stand.pass(60)
      debounced.release()
      let request = try stand.chip.request([LineConfiguration(stand.name(20), .input(.asIs))])
      defer { request.release() }
      for level in [Level.low, .high, .low, .high] {
        try stand.drive(20, level)
        try stand.bench.advance(by: .milliseconds(1))
      }
      findings.equal("edges", try edges(of: request).map(\.value), [.inactive, .active, .inactive, .active])
    },
  ]

  // MARK: - Finding

  static let finding = [
    LineCase("lines are found by names with blanks and brackets, the first of two with one name") { stand, findings in
      let names = ["door bell", "[3.3 V] (out)", "twice", "\"quoted\"", "twice", "pump:2"]
      let second = try stand.addChip("lab-names", names, hogs: [:])
      for (offset, name) in names.enumerated() where offset != 4 {
        let request = try second.chip.request([LineConfiguration(LineName(name), .output(.active, .pushPull))])
        defer { request.release() }
        findings.equal(
          "levels of \(name)", try names.indices.map { try second.level($0) },
          names.indices.map { $0 == offset ? .high : .low })
        try request.write([], mask: .first(1))
      }
    },
    LineCase("lines without a name are found by their offset alone") { stand, findings in
      let second = try stand.addChip("lab-nameless", ["", "first", "", ""], hogs: [:])
      let nameless = error { _ = try second.chip.request([LineConfiguration("", .input(.asIs))]) }
      findings.equal("kind", nameless?.kind, .misconfigured)
      let request = try second.chip.request([LineConfiguration("lab-nameless:2", .output(.active, .pushPull))])
      defer { request.release() }
      findings.equal("levels", try (0...3).map { try second.level($0) }, [.low, .low, .high, .low])
    },
    LineCase("an offset beyond the chip, the same line twice, too many lines: nothing is held") { stand, findings in
      let beyond = error { _ = try stand.chip.request([LineConfiguration("lab:28", .input(.asIs))]) }
      findings.equal("kind", beyond?.kind, .misconfigured)
      findings.expect(text(beyond).hasPrefix("cannot request line lab:28 of lab as input"), text(beyond))
      for twin in [stand.name(21), "lab:21"] {
        let twice = error {
          _ = try stand.chip.request(
            [stand.name(21), stand.name(22), twin].map { LineConfiguration($0, .input(.asIs)) })
        }
        findings.equal("kind", twice?.kind, .misconfigured)
        findings.expect(text(twice).hasPrefix("cannot request line \(twin) twice"), text(twice))
      }
      let names = (0..<65).map { "L\($0)" }
      let second = try stand.addChip("lab-65", names, hogs: [:])
      let many = error { _ = try second.chip.request(names.map { LineConfiguration(LineName($0), .input(.asIs)) }) }
      findings.equal("kind", many?.kind, .misconfigured)
      findings.expect(text(many).hasPrefix("cannot request 65 lines together"), text(many))
      try second.chip.request(names.prefix(64).map { LineConfiguration(LineName($0), .input(.asIs)) }).release()
      findings.expect(stand.areFree([21, 22]), "the lines are free")
    },
    LineCase("one request holds lines of two chips, in the order that was asked for", needs: [.severalChips]) {
      stand, findings in
      let second = try stand.addChip("lab-second", ["other0", "other1", "other2"], hogs: [:])
      let request = try stand.chip.request(
        ["lab-second:2", stand.name(23), "lab-second:0", stand.name(24)].map {
          LineConfiguration($0, .output(.inactive, .pushPull))
        })
      try request.write(LineValues(rawValue: 0b1101), mask: .first(4))
      findings.equal(
        "levels", try [second.level(2), stand.level(23), second.level(0), stand.level(24)], [.high, .low, .high, .high])
      findings.equal("values", try request.readValues().rawValue, 0b1101)
      request.release()
      let inputs = try stand.chip.request(
        ["lab-second:1", stand.name(24)].map { LineConfiguration($0, .input(.asIs)) })
      defer { inputs.release() }
      for (place, level) in [(0, Level.high), (1, .high), (0, .low)] {
        if place == 0 { try second.drive(1, level) } else { try stand.drive(24, level) }
        try stand.bench.advance(by: .milliseconds(1))
      }
      findings.equal("values of inputs", try inputs.readValues().rawValue, 0b10)
      // Each chip's edges are in order; one chip's come after the other's.
      let found = try edges(of: inputs).sorted { $0.moment < $1.moment }
      findings.equal("edges", found.map { "\($0.line) \($0.value)" }, ["0 active", "1 active", "0 inactive"])
    },
    LineCase("a chip is found by its path and by a link, and what is no chip is told so", needs: [.paths]) {
      stand, findings in
      let node = try stand.path()
      let links = try PathLinks(to: ["chip": node, "null": "/dev/null", "nothing": "/dev/no-such-node"])
      defer { links.remove() }
      for path in [node, links["chip"]] {
        try LinuxGPIO(.named(path)).request([LineConfiguration(stand.name(25), .input(.asIs))]).release()
      }
      for path in ["/dev/null", links["null"], "/dev", "/etc/group"] {
        let error = error {
          _ = try LinuxGPIO(.named(path)).request([LineConfiguration(stand.name(25), .input(.asIs))])
        }
        findings.equal("kind of \(path)", error?.kind, .unsupported)
        findings.expect(
          text(error).hasPrefix("cannot find GPIO chip \"\(path)\": not a GPIO chip"), text(error))
      }
      for path in ["/dev/no-such-node", links["nothing"]] {
        let error = error {
          _ = try LinuxGPIO(.named(path)).request([LineConfiguration(stand.name(25), .input(.asIs))])
        }
        findings.equal("kind of \(path)", error?.kind, .absent)
      }
      findings.expect(stand.areFree([25]), "the line is free")
    },
  ]

  // MARK: - Holding

  static let holding = [
    LineCase("other programs see who holds a line") { stand, findings in
      let request = try stand.chip.request(
        [25, 26].map { LineConfiguration(stand.name($0), .input(.asIs)) }, consumer: "front door")
      findings.equal("consumers", try (25...27).map { try stand.consumer($0) }, ["front door", "front door", nil])
      request.release()
      findings.equal("consumers after the release", try (25...27).map { try stand.consumer($0) }, [nil, nil, nil])
    },
    LineCase("other programs see the direction of a line, also after it has turned", needs: [.directions]) {
      stand, findings in
      let input = LineConfiguration(stand.name(26), .input(.asIs), edges: .none)
      let output = LineConfiguration(stand.name(26), .output(.active, .pushPull), edges: .none)
      let request = try stand.chip.request([input])
      defer { request.release() }
      findings.equal("at first", try stand.isOutput(26), false)
      try request.reconfigure([output])
      findings.equal("turned", try stand.isOutput(26), true)
      try request.reconfigure([input])
      findings.equal("turned back", try stand.isOutput(26), false)
    },
    LineCase("a line that the kernel holds itself is busy, and its holder is named") { stand, findings in
      let second = try stand.addChip("lab-hogged", ["free", "taken"], hogs: [1: "power-good"])
      let busy = error { _ = try second.chip.request(["free", "taken"].map { LineConfiguration($0, .input(.asIs)) }) }
      findings.equal("kind", busy?.kind, .busy)
      findings.expect(text(busy).hasPrefix("cannot request line taken of lab-hogged as input: busy"), text(busy))
      findings.expect(text(busy).contains("\"power-good\" uses it."), text(busy))
      try second.chip.request([LineConfiguration("free", .input(.asIs))]).release()
    },
  ]
}
