import CycleCore
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

private let coils: [LineName] = ["GPIO17", "GPIO27", "GPIO22", "GPIO23"]

@Suite("Stepper")
struct StepperTests {
  /// A stepper whose lines are recorded.
  private final class Stand {
    let bench = Bench()
    let chip: SimulatedChip
    let trial: DriverBench<LineDriver<Stepper>>
    /// The moments in nanoseconds at which the lines changed, with their levels.
    private(set) var changes: [(nanoseconds: Int64, levels: String)] = []
    private let lines: [LineName]

    init(
      _ inputs: Stepper.Inputs = .coils(coils), settings: Stepper.Settings = .init(speed: 200, acceleration: 400),
      showing model: Stepper.Model = .off
    ) throws {
      let chip = SimulatedChip(bench)
      self.chip = chip
      lines =
        switch inputs {
        case .coils(let lines, _): lines
        case .pulses(let step, let direction, let enable): [step, direction] + [enable].compactMap(\.self)
        }
      trial = DriverBench(LineDriver(Stepper(inputs, on: chip, settings: settings)), showing: model, on: bench)
      try trial.start()
      for line in lines { chip.line(line).onChange { [unowned self] _, _ in note() } }
      changes = [(0, levels)]
    }

    var levels: String { lines.map { chip.line($0).level == .high ? "1" : "0" }.joined() }

    private func note() {
      let now = bench.now.nanoseconds
      if changes.last?.nanoseconds == now { changes.removeLast() }
      if changes.last?.levels != levels { changes.append((now, levels)) }
    }

    func pass(_ milliseconds: Int) throws { try bench.advance(by: .milliseconds(milliseconds)) }
    var arrivals: [String] { trial.events.map { "\($0.event)" } }
  }

  @Test("200 steps with an acceleration are each made at their moment")
  func moments() throws {
    let stand = try Stand()
    try stand.trial.show(.position(200))
    try stand.pass(2_000)
    // The first entry is the coils without a step.
    let steps = stand.changes.dropFirst().map { Double($0.nanoseconds / 1_000) / 1_000 }
    #expect(steps.count == 200)
    let wanted = [1: 70.710, 2: 100, 50: 500, 100: 750, 150: 1_000, 199: 1_429.289, 200: 1_500]
    for (number, moment) in wanted { #expect(abs(steps[number - 1] - moment) < 0.002, "step \(number)") }
    #expect(stand.arrivals == ["arrived(200)"] && stand.trial.cycle.nextAlarm == nil)
    stand.trial.stop()
    #expect(stand.levels == "0000")
  }

  @Test("the coils of half steps and of full steps")
  func patterns() throws {
    for (steps, patterns) in [
      (Stepper.Steps.half, ["1000", "1100", "0100", "0110", "0010", "0011", "0001", "1001", "1000"]),
      (.full, ["1100", "0110", "0011", "1001", "1100"]),
    ] {
      let stand = try Stand(.coils(coils, steps), settings: .init(speed: 100))
      try stand.trial.show(.position(patterns.count - 1))
      try stand.pass(1_000)
      #expect(stand.changes.map(\.levels) == patterns)
      let count = stand.changes.count
      try stand.trial.show(.position(0))
      try stand.pass(1_000)
      #expect(stand.changes.dropFirst(count).map(\.levels) == patterns.dropLast().reversed())
      stand.trial.stop()
    }
  }

  @Test("pulses, the direction before them, and an enable that is active low")
  func pulses() throws {
    let stand = try Stand(
      .pulses(step: "GPIO20", direction: "GPIO21", enable: "GPIO16"), settings: .init(speed: 1_000))
    #expect(stand.levels == "011")
    try stand.trial.show(.position(2))
    try stand.pass(10)
    try stand.trial.show(.position(1))
    try stand.pass(10)
    #expect(stand.changes.map(\.levels) == ["010", "110", "010", "110", "010", "000", "100", "000"])
    let high = zip(stand.changes, stand.changes.dropFirst()).filter { $0.0.levels.hasPrefix("1") }
    #expect(high.allSatisfy { $1.nanoseconds - $0.nanoseconds >= 1_900 })
    try stand.trial.show(.off)
    #expect(stand.levels == "001" && stand.arrivals == ["arrived(2)", "arrived(1)"])
    stand.trial.stop()
  }

  @Test("a new target during a move turns without a jump, and hold slows down")
  func newTarget() throws {
    let stand = try Stand()
    try stand.trial.show(.position(1_000))
    try stand.pass(1_000)
    try stand.trial.show(.position(0))
    try stand.pass(10_000)
    #expect(stand.arrivals == ["arrived(0)"])
    let gaps = zip(stand.changes.dropFirst(), stand.changes.dropFirst(2)).map { $1.nanoseconds - $0.nanoseconds }
    #expect(gaps.min()! >= 4_999_000)
    try stand.trial.show(.position(1_000))
    try stand.pass(1_000)
    let before = stand.changes.count
    try stand.trial.show(.hold)
    try stand.pass(10_000)
    #expect((45...55).contains(stand.changes.count - before) && stand.arrivals.count == 1)
    #expect(stand.trial.cycle.nextAlarm == nil && stand.levels != "0000")
    stand.trial.stop()
  }

  @Test("a cycle that is late makes steps late, and never two close together")
  func late() throws {
    let stand = try Stand(settings: .init(speed: 200))
    try stand.trial.show(.position(100))
    try stand.pass(100)
    try stand.bench.stall(for: .milliseconds(50))
    try stand.pass(1_000)
    let gaps = zip(stand.changes.dropFirst(), stand.changes.dropFirst(2)).map { $1.nanoseconds - $0.nanoseconds }
    #expect(gaps.min()! >= 4_999_000 && gaps.max()! >= 50_000_000)
    #expect(stand.arrivals == ["arrived(100)"])
    stand.trial.stop()
  }

  @Test("a late motor that gets a new target goes there, and makes every step")
  func lateWithNewTarget() throws {
    let stand = try Stand(settings: .init(speed: 200))
    try stand.trial.show(.position(100))
    try stand.pass(100)
    try stand.bench.stall(for: .milliseconds(50))
    try stand.trial.show(.position(200))
    try stand.pass(3_000)
    #expect(stand.arrivals == ["arrived(200)"] && stand.changes.count == 201)
    stand.trial.stop()
  }

  @Test("a motor without enable drives no other line of its request")
  func twoMotors() throws {
    let stand = try Stand(.pulses(step: "GPIO20", direction: "GPIO21", enable: nil))
    try stand.trial.show(.hold)
    let stepper = Stepper(.pulses(step: "GPIO20", direction: "GPIO21", enable: nil), on: stand.chip)
    #expect(stepper.outputs.rawValue < 4 && stepper.lines.count == 2)
    stand.trial.stop()
  }

  @Test("a motor that is lost stops, and goes on from there when it is back")
  func loss() throws {
    let stand = try Stand()
    try stand.trial.show(.position(200))
    try stand.pass(750)
    stand.chip.unplug()
    try stand.pass(1_000)
    #expect(stand.trial.troubles.count == 1)
    stand.chip.plug()
    try stand.pass(3_000)
    #expect(stand.arrivals == ["arrived(200)"] && stand.trial.troubles.count == 2)
    stand.trial.stop()
  }

  @Test("a stepper keeps the laws")
  func laws() {
    let violations = DriverLaws.violations(
      models: [.position(3), .position(0), .position(6)],
      setup: { ChipLawHarness(SimulatedChip($0), outputs: coils, stampsEvents: false, settlingTime: .seconds(1)) },
      driver: { LineDriver(Stepper(.coils(coils), on: $0.chip, settings: .init(speed: 100))) })
    #expect(violations == [])
  }
}
