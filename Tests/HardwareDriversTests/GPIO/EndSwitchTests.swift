import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// A device that comes to rest by an input.
@Suite("A motor with an end switch")
struct EndSwitchTests {
  /// A blind that its motor closes, until the end switch says that it is down.
  private struct Blind: LineDevice, EdgeReceiver {
    typealias Event = Int

    let chip: any GPIOChip
    private(set) var isClosing = false

    init(_ chip: any GPIOChip) { self.chip = chip }

    var lines: [LineConfiguration] {
      [LineConfiguration("GPIO23", .output(outputs[0], .pushPull)), LineConfiguration("GPIO24", .input(.pullDown))]
    }
    var safeModel: Bool { true }
    mutating func render(_ isClosed: Bool, at moment: Moment) { isClosing = isClosed }
    mutating func begin(_ values: LineValues, isDebounced: Bool, at moment: Moment, emit: Emit) {}
    mutating func loseEdges(_ count: Int?, at moment: Moment, emit: Emit) {}
    mutating func correct(_ values: LineValues, at moment: Moment, emit: Emit) {}
    mutating func loseLines() {}
    mutating func receive(_ edge: LineEdge, emit: Emit) {
      if edge.value.isActive { isClosing = false }
      emit(1, edge.moment)
    }
    var outputs: LineValues { isClosing ? .first(1) : [] }
    var isAtRest: Bool { !isClosing }
  }

  @Test("a device that comes to rest by an input hears it at the end, at once", arguments: [false, true])
  func comesToRest(isAsked: Bool) throws {
    let bench = Bench()
    let chip = SimulatedChip(bench)
    let trial = DriverBench(Blind(chip), showing: false, on: bench)
    try trial.start()
    let (motor, endSwitch) = (chip.line("GPIO23"), chip.line("GPIO24"))
    endSwitch.drive(.low)
    try bench.settle()
    let began = bench.now
    bench.plan(at: began + .milliseconds(300)) {
      #expect(motor.level == .high)
      endSwitch.drive(.high)
    }
    if isAsked { trial.cycle.requestStop() }
    trial.stop()
    #expect(motor.level == .low)
    #expect(bench.now == began + .milliseconds(300))
    #expect(trial.events.isEmpty)
    #expect(chip.heldLines == 0)
  }
}
