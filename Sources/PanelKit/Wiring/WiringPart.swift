/// An entry of the parts list.
package struct WiringPart: Hashable, Sendable {
  var count: Int
  var name: String

  package init(_ name: String, count: Int = 1) {
    self.count = count
    self.name = name
  }
}

/// The list of all parts for the wiring.
struct PartsList {
  /// The entries as texts: the parts and the wires.
  let texts: [String]

  init(_ plan: WiringPlan) {
    let lamps = plan.lamps
    let onHeader = plan.devices.map { ($0, lamps) }
    let onChips = plan.chips.flatMap(\.devices).map { ($0, SeriesResistor.ofChip) }
    var parts: [WiringPart] = []
    func add(_ part: WiringPart) {
      if let place = parts.firstIndex(where: { $0.name == part.name }) {
        parts[place].count += part.count
      } else {
        parts.append(part)
      }
    }
    for (_, chip) in plan.usedChips {
      if let part = chip.part { add(part) }
    }
    for (device, lamps) in onHeader + onChips {
      for part in device.circuits.flatMap({ $0.parts(lamps: lamps) }) + device.parts { add(part) }
    }
    var texts = parts.map { "\($0.count) × \($0.name)" }
    // One wire to each terminal, and one from the header to each rail.
    let wires = plan.allDevices.reduce(plan.nets.count) { $0 + $1.terminals.count + $1.supplies.count }
    if wires > 0 { texts.append("\(wires) wires, breadboard with rails") }
    self.texts = texts
  }
}
