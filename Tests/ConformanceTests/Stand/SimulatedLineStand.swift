import CycleCore
import HardwareDrivers
import HardwareSimulation

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
    switch ability {
    case .numbers: simulated.generation == .first ? "libgpiod 1.6 has no numbers" : nil
    case .severalChips, .paths: "a simulated chip is one chip, and no file"
    case .directions: "nobody asks a simulated line for its direction"
    default: nil
    }
  }

  func consumer(_ line: Int) -> String? { simulated.line(name(line)).consumer }
  func isOutput(_ line: Int) throws -> Bool { throw StandFailure("nobody asks for it") }
  func path() throws -> String { throw StandFailure("a simulated chip has no path") }

  func addChip(_ label: String, _ names: [String], hogs: [Int: String]) throws -> SecondChip {
    let chip = SimulatedChip(
      bench, label: label, names: names.map { LineName($0) }, generation: simulated.generation)
    for (offset, holder) in hogs { chip.lines[offset].hold(by: holder) }
    return SecondChip(
      chip: chip, drive: { chip.lines[$0].drive($1) }, level: { chip.lines[$0].level })
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
