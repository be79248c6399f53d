import CycleCore
import HardwareDrivers

/// A chip in memory, in virtual time.
final class SimulatedLineStand: LineStand {
  let bench = Bench()
  let simulated: SimulatedChip

  init(_ generation: SimulatedChip.Generation) {
    simulated = SimulatedChip(bench, label: "lab", generation: generation)
  }

  static let place = "simulated"
  var chip: any GPIOChip { simulated }
  var othersChip: any GPIOChip { simulated.otherProgram() }
  var tolerance: Duration { .zero }

  func reason(against ability: Ability) -> String? {
    ability == .numbers && simulated.generation == .first ? "libgpiod 1.6 has no numbers" : nil
  }

  func drive(_ line: Int, _ level: Level) { simulated.line(name(line)).drive(level) }
  func level(_ line: Int) -> Level { simulated.line(name(line)).level }
  func permit(_ isPermitted: Bool) { simulated.isPermitted = isPermitted }
  func unplug() { simulated.unplug() }
  func plug() { simulated.plug() }

  func end() {
    bench.stop()
  }
}
