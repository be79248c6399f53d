import CycleCore
import HardwareDrivers
import HardwareSimulation
import Parts
import Testing

/// A simulated motor: its rotor follows the coils, and steps that it can't follow are added to ``faults``.
final class SimulatedMotor {
  private(set) var position = 0
  private(set) var faults: [String] = []
  private let lines: [SimulatedLine]
  private var last: Moment?

  /// Which coils have current where the rotor rests at each half step.
  private static let coils: [[Int]] = [[0], [0, 1], [1], [1, 2], [2], [2, 3], [3], [0, 3]]

  init(_ chip: SimulatedChip, lines names: [LineName]) {
    lines = names.map { chip.line($0) }
    for line in lines {
      // The lines of one write change one after the other, at one moment: follow them once all have changed.
      line.onChange { [weak self, bench = chip.bench] _, moment in
        bench.plan(at: moment) { self?.follow(at: moment) }
      }
    }
  }

  private func follow(at moment: Moment) {
    let current = lines.indices.filter { lines[$0].level == .high }
    guard let place = Self.coils.firstIndex(of: current) else { return }
    let way = (place - position + 4) & 7 - 4
    guard way != 0 else { return }
    if abs(way) > 1 {
      faults.append("at \(position) the coils \(current) have current: the rotor doesn't know which way to turn")
    }
    if let last, last != moment, moment - last < .microseconds(1700) {
      faults.append("a half step \(moment - last) after the last one")
    }
    last = moment
    position += way
  }

  /// Whether any coil has current.
  var isWarm: Bool { lines.contains { $0.level == .high } }
  var picture: String { "\(position)\(isWarm ? ", warm" : "")" }
}

@Suite("A stepper motor")
struct StepperMotorTests {
  static let names: [LineName] = ["GPIO5", "GPIO6", "GPIO13", "GPIO19"]

  @Test("it turns to its position, says so, and its coils rest")
  func turns() throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let motor = SimulatedMotor(chip, lines: Self.names)
    let trial = DriverBench(StepperMotor(chip, lines: Self.names), showing: .position(0), on: bench)
    try trial.start()
    try trial.show(.position(100))
    try bench.advance(by: .milliseconds(100))
    #expect((45...51).contains(motor.position))
    try trial.show(.position(-3))
    try bench.advance(by: .milliseconds(300))
    #expect(motor.position == -3)
    #expect(!motor.isWarm)
    #expect(trial.events.map(\.event) == [.arrived(-3)])
    #expect(motor.faults == [])
    trial.stop()
  }

  @Test("it keeps the laws of drivers", arguments: [SimulatedChip.Generation.first, .second])
  func laws(generation: SimulatedChip.Generation) {
    let violations = DriverLaws.violations(
      models: [.position(3), .position(7), .position(-2)], safe: .position(0),
      setup: { (bench: Bench) -> ChipLawHarness in
        let chip = SimulatedChip(bench, generation: generation)
        let motor = SimulatedMotor(chip, lines: Self.names)
        return ChipLawHarness(
          chip, outputs: Self.names, picture: { motor.picture }, stampsEvents: false, settlingTime: .milliseconds(60),
          faults: { motor.faults }, stimulate: { _ throws(DriverError) in })
      },
      device: { StepperMotor($0.chip, lines: Self.names) })
    #expect(violations == [])
  }
}
