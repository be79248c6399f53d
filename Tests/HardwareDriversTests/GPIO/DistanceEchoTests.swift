import CycleCore
import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

/// The echo of a distance sensor, edge by edge.
@Suite("The echo of a distance sensor")
struct DistanceEchoTests {
  private func at(_ microseconds: Int) -> Moment { .zero + .microseconds(microseconds) }

  @Test(
    "an echo of 36 ms or more means that nothing is in range, told as of the 36th; a shorter one is a distance",
    arguments: [(35_999, "outOfRange", 36_999), (36_000, "noEcho", 37_000), (37_500, "noEcho", 37_000)])
  func longest(microseconds: Int, event: String, moment: Int) {
    var sensor = DistanceSensor(SimulatedChip(Bench(), generation: .second), trigger: "GPIO23", echo: "GPIO24")
    var told: [String] = []
    let emit: DistanceSensor.Emit = { told.append("\($0) \($1.nanoseconds / 1_000)") }
    sensor.render(.measuring, at: .zero)
    sensor.begin([], isDebounced: false, at: .zero, emit: emit)
    sensor.ring(at: .zero, emit: emit)
    sensor.finishSteps(at: at(500), emit: emit)
    sensor.receive(LineEdge(line: 1, value: .active, moment: at(1_000), sequence: 1), emit: emit)
    #expect(sensor.alarm == at(37_000))
    sensor.receive(LineEdge(line: 1, value: .inactive, moment: at(1_000 + microseconds), sequence: 2), emit: emit)
    #expect(told == ["\(event) \(moment)"])
  }
}
