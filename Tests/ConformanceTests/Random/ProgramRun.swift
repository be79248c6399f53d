import CycleCore
import HardwareDrivers
import HardwareSimulation
import TestSupport

/// What the application of a program shows, and has seen.
struct ProgramFrame: Equatable, Sendable {
  /// Of each device, as in ``Program/Step/show(_:)``.
  var shown: [Int]
  var events: [String] = []
}

/// A program at work on a stand, with what it leads to, step by step.
final class ProgramRun {
  private let program: Program
  private let stand: any LineStand
  private var cycle: (any Application)?
  private var frame: () -> ProgramFrame = { ProgramFrame(shown: []) }
  private let remote = Remote<[Int]>()
  private var bench: Bench
  private let makeBench: () throws -> Bench
  private var shown: [Int]
  private var levels: [Int: Level] = [:]
  private var taken: (any LineRequest)?
  private var isPlugged = true
  /// How long the slowest two edges of a bounce took, if so long that it need not be one: the machine had something
  /// else to do. What then differs is no difference.
  private(set) var heldUp: Duration?

  /// How long nothing happens until what debouncing holds back is told.
  private static let rest = Duration.milliseconds(5)
  /// How long something that is expected may take on a machine that is busy.
  private static let patience = 60

  init(_ program: Program, on stand: any LineStand, makeBench: @escaping () throws -> Bench) throws {
    self.program = program
    self.stand = stand
    self.makeBench = makeBench
    bench = try makeBench()
    shown = program.devices.map { _ in 0 }
  }

  /// Runs the program: a line for the start and one for each step, with the events and the outputs' levels after it.
  ///
  /// - Parameter expected: what is waited for; where it doesn't come, what is there instead ends the run.
  func run(expecting expected: [String]? = nil) throws -> [String] {
    defer { end() }
    for line in program.inputLines { levels[line] = .high }
    for line in program.inputLines + program.outputLines {
      try stand.drive(line, program.inputLines.contains(line) ? .high : .low)
    }
    var trace: [String] = []
    for number in 0...program.steps.count {
      let word = number == 0 ? try start() : try perform(program.steps[number - 1])
      try bench.advance(by: Self.rest)
      var line = try "\(word): \(seen())"
      if let expected, expected.indices.contains(number) {
        for _ in 0..<Self.patience where line != expected[number] {
          try bench.advance(by: Self.rest)
          line = try "\(word): \(seen())"
        }
      }
      trace.append(line)
      if let expected, expected[number] != line { return trace }
    }
    return trace
  }

  private func seen() throws -> String {
    let levels = try program.outputLines.map { line in
      isPlugged ? "\(line)=\(try stand.level(line) == .high ? 1 : 0)" : "\(line) away"
    }
    return (frame().events + levels).joined(separator: " ")
  }

  private func end() {
    bench.stop()
    taken?.release()
    taken = nil
  }

  // MARK: - Steps

  private func perform(_ step: Program.Step) throws -> String {
    switch step {
    case .show(let values):
      shown = values
      remote.show(values)
      try bench.settle()
      return "show"
    case .drive(let line, let level):
      try drive(line, level)
      return "drive"
    case .bounce(let line, let times):
      var before = bench.now
      for _ in 0..<times {
        let beginning = bench.now
        try drive(line, levels[line]?.opposite ?? .low)
        // Between two edges lies no more than from the beginning of the one to the end of the other.
        let span = bench.now - before
        if span >= Program.shortestDebounce / 2 { heldUp = max(heldUp ?? .zero, span) }
        before = beginning
      }
      return "bounce"
    case .unplug:
      isPlugged = false
      taken?.release()
      taken = nil
      try stand.unplug()
      return "unplug"
    case .plug:
      try stand.plug()
      // A chip that is new has levels of its own.
      for (line, level) in levels { try stand.drive(line, level) }
      for line in program.outputLines { try stand.drive(line, .low) }
      isPlugged = true
      return "plug"
    case .takeOrGive(let line):
      if let taken {
        taken.release()
        self.taken = nil
        return "give"
      }
      do {
        taken = try stand.hold([line], as: "other")
        return "take"
      } catch {
        return "take: \(error.kind)"
      }
    case .restart:
      bench.stop()
      bench = try makeBench()
      return "restart, \(try start())"
    }
  }

  private func drive(_ line: Int, _ level: Level) throws {
    levels[line] = level
    if isPlugged { try stand.drive(line, level) }
  }

  // MARK: - The application

  private func start() throws -> String {
    let chip = stand.chip
    let devices = program.devices
    func pick<Value>(_ take: (Program.Device) -> Value?) -> [Value] { devices.compactMap(take) }
    func positions(_ isOne: (Program.Device) -> Bool) -> [Int] { devices.indices.filter { isOne(devices[$0]) } }
    let name = stand.name
    let buttons = pick { device -> Button? in
      guard case .button(let line, let isActiveLow, let debounce) = device else { return nil }
      return Button(chip, line: name(line), settings: .init(bias: .asIs, isActiveLow: isActiveLow, debounce: debounce))
    }
    let switches = pick { device -> Switch? in
      guard case .switch(let line, let isActiveLow, let debounce) = device else { return nil }
      return Switch(chip, line: name(line), settings: .init(bias: .asIs, isActiveLow: isActiveLow, debounce: debounce))
    }
    let encoders = pick { device -> RotaryEncoder? in
      guard case .encoder(let lines) = device else { return nil }
      return RotaryEncoder(chip, lines: (name(lines[0]), name(lines[1])), settings: .init(bias: .asIs))
    }
    let leds = pick { device -> LED? in
      guard case .led(let line, let isActiveLow) = device else { return nil }
      return LED(chip, line: name(line), settings: .init(isActiveLow: isActiveLow))
    }
    let bars = pick { device -> LEDBar? in
      guard case .bar(let lines) = device else { return nil }
      return LEDBar(chip, lines: lines.map(name))
    }
    let relays = pick { device -> Relay? in
      guard case .relay(let line, let isActiveLow) = device else { return nil }
      return Relay(chip, line: name(line), settings: .init(isActiveLow: isActiveLow))
    }
    let ledPlaces = positions { if case .led = $0 { true } else { false } }
    let barPlaces = positions { if case .bar = $0 { true } else { false } }
    let relayPlaces = positions { if case .relay = $0 { true } else { false } }
    let cycle = Cycle(seed: ProgramFrame(shown: shown)) {
      Lens(remote, on: { frame, event in if case .show(let values) = event { frame.shown = values } })
      LensList(each: buttons, on: note, trouble: note, isRequired: true)
      LensList(each: switches, on: note, trouble: note, isRequired: true)
      LensList(each: encoders, on: note, trouble: note, isRequired: true)
      LensList(
        each: leds, show: { (frame: ProgramFrame) in ledPlaces.map { frame.shown[$0].isMultiple(of: 2) ? .off : .on } },
        trouble: note, isRequired: true)
      LensList(
        each: bars, show: { (frame: ProgramFrame) in barPlaces.map { LEDBar.Model(level: frame.shown[$0]) } },
        trouble: note, isRequired: true)
      LensList(
        each: relays,
        show: { (frame: ProgramFrame) in relayPlaces.map { frame.shown[$0].isMultiple(of: 2) ? .off : .on } },
        trouble: note, isRequired: true)
    }
    self.cycle = cycle
    frame = { cycle.frame }
    do {
      try bench.run(cycle)
      return "started"
    } catch {
      frame = { ProgramFrame(shown: []) }
      return "not started: \(error.kind)"
    }
  }
}

/// Notes an event in the frame, without its moment.
private func note<Device: LineDevice>(
  _ frame: inout ProgramFrame, _ event: LineDriverArray<Device>.Event
) {
  frame.events.append("\(event.number)-\(event.event)")
}

/// Notes trouble in the frame, by its kind alone.
private func note(_ frame: inout ProgramFrame, _ trouble: Trouble) {
  switch trouble {
  case .lost: frame.events.append("lost")
  case .restored: frame.events.append("restored")
  case .failed: frame.events.append("failed")
  case .eventsLost: frame.events.append("eventsLost")
  }
}
