import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// Makes a thousand measurements with eight sensors of one driver. Checks that no trigger is shorter than 10 µs and
/// that none comes less than 60 ms after the last one.
func lateDistanceSensors() throws -> Outcome {
  let bench = Bench(loop: try LinuxLoop())
  let chip = SimulatedChip(bench)
  let places = 0..<8
  let parts = places.map {
    SimulatedDistanceSensor(chip, trigger: LineName("GPIO\(2 * $0)"), echo: LineName("GPIO\(2 * $0 + 1)"))
  }
  let sensors = places.map {
    DistanceSensor(
      chip, trigger: LineName("GPIO\(2 * $0)"), echo: LineName("GPIO\(2 * $0 + 1)"),
      settings: .init(interval: .milliseconds(60)))
  }
  let trial = DriverBench(LineDriverArray(sensors), showing: places.map { _ in .measuring }, on: bench)
  try trial.start()
  let end = bench.now + .seconds(120)
  while trial.events.count < 1_000, bench.now < end { try bench.advance(by: .milliseconds(200)) }
  trial.stop()
  var wrong = parts.flatMap(\.faults)
  if trial.events.count < 1_000 { wrong.append("\(trial.events.count) measurements in two minutes") }
  wrong += trial.troubles.map { "\($0)" }
  let widths = parts.flatMap(\.triggers).map(\.width).sorted()
  let note =
    "triggers of \(microseconds(widths[0])) to \(microseconds(widths[widths.count - 1])) µs, "
    + "half of them up to \(microseconds(widths[widths.count / 2])) µs"
  return Outcome(device: "DistanceSensor", count: widths.count, what: "triggers", wrong: wrong, note: note)
}
