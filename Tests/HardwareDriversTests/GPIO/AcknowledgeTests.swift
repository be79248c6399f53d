import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// Asks for an acknowledge bit at each model, as a clocked protocol does: releases its data line, and reads it.
private struct Asker: LineDevice, StepReader {
  enum Event: Equatable, Sendable {
    case answered(Bool)
  }

  let chip: any GPIOChip
  private var question = 0
  private var asked = 0

  init(_ chip: any GPIOChip) { self.chip = chip }

  var safeModel: Int { 0 }
  var lines: [LineConfiguration] { [LineConfiguration("GPIO5", .output(.active, .openDrain, .pullUp))] }
  var outputs: LineValues { .first(1) }

  mutating func render(_ question: Int, at moment: Moment) { self.question = question }

  mutating func addSteps(to steps: inout LineSteps) {
    guard asked != question else { return }
    asked = question
    steps.write([], hold: .microseconds(5))
    steps.write(.first(1))
    steps.read(after: .microseconds(5))
  }

  mutating func finishSteps(at clock: Moment, emit: Emit) {}
  mutating func abandonSteps() {}
  mutating func loseLines() {}

  mutating func receive(_ values: LineValues, at clock: Moment, emit: Emit) {
    emit(.answered(!values[0].isActive), clock)
  }
}

@Suite("An acknowledge bit")
struct AcknowledgeTests {
  @Test(
    "an open-drain output that is let go reads what the other end does", arguments: SimulatedChip.Generation.allCases)
  func reading(generation: SimulatedChip.Generation) throws {
    let bench = Bench()
    let chip = SimulatedChip(bench, generation: generation)
    let trial = DriverBench(LineDriver(Asker(chip)), showing: 0, on: bench)
    try trial.start()
    for (question, level) in [(1, nil), (2, Level.low), (3, nil)] {
      chip.line("GPIO5").drive(level)
      try trial.show(question)
      try bench.advance(by: .milliseconds(1))
    }
    #expect(trial.events.map(\.event) == [.answered(false), .answered(true), .answered(false)])
    trial.stop()
  }
}
