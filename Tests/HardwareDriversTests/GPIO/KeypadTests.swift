import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A keypad of 4 × 4 keys on a bench. What it emits is text: `5+` is pressed, `5-` released, `?1245` can't be told
/// apart.
private final class Pad {
  static let rows: [LineName] = ["GPIO5", "GPIO6", "GPIO7", "GPIO8"]
  static let columns: [LineName] = ["GPIO12", "GPIO13", "GPIO16", "GPIO17"]
  static let legends = ["123A", "456B", "789C", "*0#D"].map { $0.map(String.init) }

  let rig: Rig<LineDriver<Keypad>>
  let matrix: KeyMatrix

  init(
    _ generation: SimulatedChip.Generation = .second, seed: UInt64 = 0, hasDiodes: Bool = false,
    settings: Keypad.Settings = .init(), gesture: Gesture? = nil, isRequired: Bool = true,
    prepare: (KeyMatrix, SimulatedChip) throws -> Void = { _, _ in }
  ) throws {
    var settings = settings
    settings.hasDiodes = hasDiodes
    var made: SimulatedChip?
    rig = Rig(
      generation, seed: seed, isRequired: isRequired, prepare: { made = $1 },
      driver: {
        Keypad(
          $0, rows: Self.rows, columns: Self.columns, legends: Self.legends,
          gestures: gesture.map { gesture in Self.legends.map { $0.map { _ in gesture } } } ?? [], settings: settings)
      })
    matrix = KeyMatrix(made!, rows: Self.rows, columns: Self.columns, diodes: hasDiodes ? .towardsRows : .none)
    try prepare(matrix, made!)
  }

  var bench: Bench { rig.bench }
  var chip: SimulatedChip { rig.chip }

  /// The key with a legend.
  subscript(legend: Character) -> Contact {
    let row = Self.legends.firstIndex { $0.contains(String(legend)) }!
    return matrix[row, Self.legends[row].firstIndex(of: String(legend))!]
  }

  static func text(_ event: Keypad.Event) -> String {
    switch event {
    case .pressed(let key): key.legend + "+"
    case .released(let key): key.legend + "-"
    case .held(let key): key.legend + "h"
    case .clicked(let key): key.legend + "c"
    case .doubleClicked(let key): key.legend + "d"
    case .repeated(let key): key.legend + "r"
    case .multiClicked(let key, let clicks): key.legend + "\(clicks)"
    case .ghosted(let keys): "?" + keys.map(\.legend).joined()
    }
  }

  /// All that was told, troubles as their names.
  var told: String {
    rig.trial.entries.map { _, entry in
      switch entry {
      case .event(let event): Self.text(event)
      case .trouble(.lost): "lost"
      case .trouble(.failed): "failed"
      case .trouble(.restored): "restored"
      case .trouble(.eventsLost): "eventsLost"
      }
    }.joined(separator: " ")
  }

  func press(_ legends: String, for span: Duration = .milliseconds(40)) throws {
    for legend in legends { try self[legend].press() }
    try bench.advance(by: span)
  }

  func release(_ legends: String, for span: Duration = .milliseconds(40)) throws {
    for legend in legends { try self[legend].release() }
    try bench.advance(by: span)
  }

  func stop(_ place: SourceLocation = #_sourceLocation) {
    rig.stop(place)
    #expect(matrix.faults == [], sourceLocation: place)
  }
}

@Suite("Keypad")
struct KeypadTests {
  @Test("each key is told by row, column and legend", arguments: SimulatedChip.Generation.allCases)
  func each(generation: SimulatedChip.Generation) throws {
    let pad = try Pad(generation)
    try pad.rig.run()
    for legend in "123A456B789C*0#D" {
      try pad.press("\(legend)")
      try pad.release("\(legend)")
    }
    #expect(pad.told == "123A456B789C*0#D".map { "\($0)+ \($0)-" }.joined(separator: " "))
    #expect(pad.rig.trial.events[10].event == .pressed(Keypad.Key(row: 1, column: 1, legend: "5")))
    pad.stop()
  }

  @Test(
    "a key counts after the debounce period, bounces or not, in both directions",
    arguments: SimulatedChip.Generation.allCases)
  func debounced(generation: SimulatedChip.Generation) throws {
    let pad = try Pad(generation)
    try pad.rig.run()
    pad.matrix.bounce = .milliseconds(8)
    try pad.press("5", for: .milliseconds(9))
    #expect(pad.told == "")
    try pad.bench.advance(by: .milliseconds(20))
    #expect(pad.told == "5+")
    try pad.release("5", for: .milliseconds(9))
    #expect(pad.told == "5+")
    try pad.bench.advance(by: .milliseconds(20))
    #expect(pad.told == "5+ 5-")
    pad.matrix.bounce = .zero
    try pad.press("5", for: .milliseconds(9))
    try pad.release("5", for: .milliseconds(50))
    #expect(pad.told == "5+ 5-", "shorter than the period is no press")
    try pad.press("5", for: .milliseconds(13))
    try pad.release("5", for: .milliseconds(50))
    #expect(pad.told == "5+ 5- 5+ 5-")
    pad.stop()
  }

  @Test("each key has its own holds, clicks and double clicks", arguments: SimulatedChip.Generation.allCases)
  func gestures(generation: SimulatedChip.Generation) throws {
    let gesture = Gesture(hold: .milliseconds(500), doubleClick: .milliseconds(200))
    let pad = try Pad(generation, gesture: gesture)
    try pad.rig.run()
    try pad.press("5")
    try pad.release("5")
    try pad.press("1", for: .milliseconds(100))
    #expect(pad.told == "5+ 5- 1+")
    try pad.bench.advance(by: .milliseconds(80))
    #expect(pad.told == "5+ 5- 1+ 5c", "a second press could have come until now")
    try pad.bench.advance(by: .milliseconds(400))
    try pad.release("1", for: .milliseconds(300))
    #expect(pad.told == "5+ 5- 1+ 5c 1h 1-")
    let held = pad.rig.trial.events.first { $0.event == .held(Keypad.Key(row: 0, column: 0, legend: "1")) }
    let pressed = pad.rig.trial.events.first { $0.event == .pressed(Keypad.Key(row: 0, column: 0, legend: "1")) }
    #expect(held.map(\.moment) == pressed.map { $0.moment + .milliseconds(500) })
    try pad.press("9")
    try pad.release("9")
    try pad.press("9")
    try pad.release("9", for: .milliseconds(300))
    #expect(pad.told == "5+ 5- 1+ 5c 1h 1- 9+ 9- 9+ 9- 9d")
    pad.stop()
  }

  @Test("a key that was down while the chip was away is neither held nor clicked")
  func gestureOfALoss() throws {
    let pad = try Pad(gesture: Gesture(hold: .milliseconds(500), doubleClick: nil))
    try pad.rig.run()
    try pad.press("5")
    pad.chip.unplug()
    try pad.bench.advance(by: .milliseconds(10))
    pad.chip.plug()
    try pad.bench.advance(by: .seconds(2))
    try pad.release("5")
    #expect(pad.told == "5+ lost restored 5-")
    pad.stop()
  }

  @Test(
    "at rest nothing is read, written or waited for, before and after a key",
    arguments: SimulatedChip.Generation.allCases)
  func rest(generation: SimulatedChip.Generation) throws {
    let pad = try Pad(generation)
    var reads = 0
    pad.chip.onAccess { access, _ in if access == .read { reads += 1 } }
    try pad.rig.run()
    #expect(pad.rig.cycle.nextAlarm == nil)
    #expect(reads == 4, "when the lines are requested, and in the three scans that find all keys up")
    #expect(pad.chip.writeCount == 0)
    try pad.press("5")
    #expect(pad.rig.cycle.nextAlarm != nil)
    try pad.release("5")
    #expect(pad.rig.cycle.nextAlarm == nil)
    let (readsBefore, writesBefore) = (reads, pad.chip.writeCount)
    try pad.bench.advance(by: .seconds(3600))
    #expect(reads == readsBefore)
    #expect(pad.chip.writeCount == writesBefore)
    pad.stop()
  }

  @Test(
    "what its own scans do to the columns is neither a key nor a loss", arguments: SimulatedChip.Generation.allCases,
    [false, true])
  func ownEdges(generation: SimulatedChip.Generation, merges: Bool) throws {
    let pad = try Pad(generation)
    pad.chip.mergesEdges = merges
    pad.chip.edgeQueueDepth = 4
    try pad.rig.run()
    try pad.press("280", for: .seconds(2))
    try pad.release("8", for: .seconds(2))
    try pad.release("20", for: .seconds(2))
    #expect(pad.told == "2+ 8+ 0+ 8- 2- 0-")
    #expect(pad.rig.cycle.nextAlarm == nil)
    pad.stop()
  }

  @Test("keys down at the start are found, and tell their release alone", arguments: SimulatedChip.Generation.allCases)
  func initial(generation: SimulatedChip.Generation) throws {
    let pad = try Pad(generation) { matrix, _ in
      try matrix[0, 0].press()
      try matrix[3, 3].press()
    }
    try pad.rig.run()
    #expect(pad.rig.trial.found.map { Pad.text($0.event) }.filter { $0.hasSuffix("+") } == ["1+", "D+"])
    #expect(pad.rig.trial.found.count == 16, "the others are found up")
    try pad.bench.advance(by: .milliseconds(20))
    #expect(pad.told == "")
    try pad.release("1D")
    #expect(pad.told == "1- D-")
    pad.stop()
  }

  @Test("two keys in any place are told apart", arguments: SimulatedChip.Generation.allCases)
  func pairs(generation: SimulatedChip.Generation) throws {
    let pad = try Pad(generation)
    try pad.rig.run()
    for other in "2345679D" {
      try pad.press("1")
      try pad.press("\(other)")
      try pad.release("1")
      try pad.release("\(other)")
    }
    #expect(pad.told == "2345679D".map { "1+ \($0)+ 1- \($0)-" }.joined(separator: " "))
    pad.stop()
  }

  @Test(
    "three corners of a rectangle without diodes: no phantom, but told as doubtful, and right when they are not any more"
  )
  func ghosts() throws {
    let pad = try Pad()
    try pad.rig.run()
    try pad.press("1")
    try pad.press("2")
    try pad.press("4")
    #expect(pad.told == "1+ 2+ ?1245")
    try pad.press("D")
    #expect(pad.told == "1+ 2+ ?1245 D+", "keys elsewhere are certain")
    try pad.release("1")
    #expect(pad.told == "1+ 2+ ?1245 D+ 1- 4+ ?")
    try pad.release("24D")
    #expect(pad.told == "1+ 2+ ?1245 D+ 1- 4+ ? 2- 4- D-")
    #expect(pad.rig.cycle.nextAlarm == nil)
    pad.stop()
  }

  @Test("with diodes all keys at once are told apart", arguments: SimulatedChip.Generation.allCases)
  func rollOver(generation: SimulatedChip.Generation) throws {
    let pad = try Pad(generation, hasDiodes: true)
    try pad.rig.run()
    var expected: [String] = []
    for legend in "123A456B789C*0#D" {
      try pad.press("\(legend)")
      expected.append("\(legend)+")
    }
    for legend in "D#0*C987B654A321" {
      try pad.release("\(legend)")
      expected.append("\(legend)-")
    }
    #expect(pad.told == expected.joined(separator: " "))
    pad.stop()
  }

  @Test(
    "a key that was down when the chip went away is told as released, as going on, or another as pressed, on its return"
  )
  func lost() throws {
    let pad = try Pad()
    try pad.rig.run()
    try pad.press("5")
    pad.chip.unplug()
    try pad.release("5")
    #expect(pad.told == "5+ lost")
    pad.chip.plug()
    try pad.bench.advance(by: .seconds(2))
    #expect(pad.told == "5+ lost restored 5-")
    #expect(pad.rig.cycle.nextAlarm == nil)
    try pad.press("6")
    pad.chip.unplug()
    try pad.bench.advance(by: .seconds(1))
    pad.chip.plug()
    try pad.bench.advance(by: .seconds(2))
    #expect(pad.told == "5+ lost restored 5- 6+ lost restored", "what is as before isn't told again")
    pad.chip.unplug()
    try pad.release("6")
    try pad.press("7")
    pad.chip.plug()
    try pad.bench.advance(by: .seconds(120))
    #expect(pad.told == "5+ lost restored 5- 6+ lost restored lost restored 6- 7+")
    pad.stop()
  }

  @Test("the chip goes away at any moment of a scan, and all is right on its return")
  func lostAnywhere() throws {
    for microseconds in stride(from: 0, through: 25_000, by: 17) {
      let pad = try Pad(microseconds.isMultiple(of: 2) ? .first : .second)
      try pad.rig.run()
      pad.bench.plan(at: pad.bench.now + .microseconds(microseconds)) { pad.chip.unplug() }
      try pad.press("1")
      try pad.release("1")
      pad.chip.plug()
      try pad.bench.advance(by: .seconds(2))
      try pad.press("5")
      try pad.release("5")
      let keys = pad.told.split(separator: " ").filter { $0 != "lost" && $0 != "restored" }
      #expect(keys == ["1+", "1-", "5+", "5-"] || keys == ["5+", "5-"], "gone after \(microseconds) µs: \(pad.told)")
      #expect(pad.told.contains("lost restored"))
      #expect(pad.rig.cycle.nextAlarm == nil)
      pad.stop()
    }
  }

  @Test("each write of a scan fails once: it is told, and all keys are right after the next try", arguments: 1...10)
  func failingWrite(number: Int) throws {
    let pad = try Pad()
    try pad.rig.run()
    let first = pad.chip.writeCount
    pad.chip.onAccess { [chip = pad.chip] access, _ in
      // The next one: this one has been let through.
      if access == .write, chip.writeCount == first + number { chip.nextWriteError = Self.failure }
    }
    try pad.press("5", for: .seconds(3))
    try pad.release("5", for: .seconds(3))
    let told = pad.told.split(separator: " ")
    #expect(told.filter { $0.contains("5") } == ["5+", "5-"])
    #expect(told.filter { !$0.contains("5") } == ["failed", "restored"])
    #expect(pad.rig.cycle.nextAlarm == nil)
    pad.stop()
  }

  @Test("readings that fail are told, and the key follows")
  func failingRead() throws {
    let pad = try Pad()
    try pad.rig.run()
    pad.chip.nextReadError = Self.failure
    try pad.press("5", for: .seconds(3))
    #expect(pad.told == "failed restored 5+")
    pad.stop()
  }

  @Test("writes that keep failing are told once and tried now and then")
  func lastingFailure() throws {
    let pad = try Pad()
    try pad.rig.run()
    pad.chip.lastingWriteError = Self.failure
    try pad.press("5", for: .seconds(600))
    #expect(pad.told == "failed")
    #expect(pad.chip.writeCount < 40)
    pad.chip.lastingWriteError = nil
    try pad.bench.advance(by: .seconds(61))
    #expect(pad.told == "failed restored 5+")
    pad.stop()
  }

  private static let failure = DriverError(
    .failed, cannot: "write lines GPIO5 of simulated", reason: "input/output error", remedy: "This was asked for.")

  @Test("a keypad of one key, and one of 64 with settling times that are wake-ups")
  func sizes() throws {
    for (count, settling) in [(1, Duration.microseconds(20)), (8, .microseconds(500))] {
      let rows = (0..<count).map { LineName("GPIO\($0)") }
      let columns = (0..<count).map { LineName("GPIO\($0 + 8)") }
      var matrix: KeyMatrix?
      let rig = Rig(
        prepare: { matrix = KeyMatrix($1, rows: rows, columns: columns, settling: settling) },
        driver: { Keypad($0, rows: rows, columns: columns, settings: .init(settling: settling)) })
      try rig.run()
      try matrix![count - 1, count - 1].press()
      try rig.advance(60)
      try matrix![count - 1, count - 1].release()
      try rig.advance(60)
      let key = Keypad.Key(row: count - 1, column: count - 1)
      #expect(rig.trial.events.map(\.event) == [.pressed(key), .released(key)])
      rig.stop()
      #expect(matrix!.faults == [])
    }
  }

  @Test("a settling time that is too short for the wiring is a fault of the simulated keypad")
  func hasty() throws {
    let pad = try Pad(settings: .init(settling: .microseconds(2)))
    try pad.rig.run()
    try pad.press("1")
    #expect(
      pad.matrix.faults.first
        == "column GPIO12 was read 2e-06 seconds after its row was released, and needs 1e-05 seconds to rise")
    pad.rig.stop()
  }

  // MARK: - Property

  /// Ten keys, one after the other or two at once, each bouncing, with stalls.
  private func violation(seed: UInt64, generation: SimulatedChip.Generation, hasDiodes: Bool) throws -> String? {
    let pad = try Pad(generation, seed: seed, hasDiodes: hasDiodes)
    pad.matrix.bounce = .milliseconds(8)
    try pad.rig.run()
    var expected: [String] = []
    func pass() throws {
      // What is pressed or released lasts long enough for three scans, however the stalls lie.
      for _ in 0..<2 {
        try pad.bench.advance(by: .milliseconds(Int.random(in: 0...15, using: &pad.bench.random)))
        if Bool.random(using: &pad.bench.random) { try pad.bench.stall(for: .milliseconds(30)) }
      }
      try pad.bench.advance(by: .milliseconds(25))
    }
    var held: Character?
    for _ in 0..<10 {
      let legend = "123A456B789C*0#D".filter { $0 != held }.randomElement(using: &pad.bench.random)!
      try pad[legend].press()
      expected.append("\(legend)+")
      try pass()
      if let held {
        try pad[held].release()
        expected.append("\(held)-")
        try pass()
      }
      held = legend
      if Bool.random(using: &pad.bench.random) {
        try pad[legend].release()
        expected.append("\(legend)-")
        try pass()
        held = nil
      }
    }
    if let held {
      try pad[held].release()
      expected.append("\(held)-")
      try pass()
    }
    try pad.bench.advance(by: .seconds(1))
    defer { pad.stop() }
    if pad.rig.cycle.nextAlarm != nil { return "seed \(seed): it still scans" }
    return pad.told == expected.joined(separator: " ")
      ? nil : "seed \(seed): \(expected.joined(separator: " ")), told \(pad.told)"
  }

  @Test(
    "random keys, ten at a time, bouncing, with 100 seeds or as many as SEEDS says and stalls of 30 ms: none is wrong",
    arguments: 0..<UInt64(max(1, seedCount / 100)))
  func stalls(hundred: UInt64) throws {
    var wrong: [String] = []
    for seed in hundred * 100..<(hundred + 1) * 100 {
      let generation = SimulatedChip.Generation.allCases[Int(seed % 2)]
      if let violation = try violation(seed: seed, generation: generation, hasDiodes: seed % 4 < 2) {
        wrong.append(violation)
      }
    }
    #expect(wrong == [])
  }
}
