/// An HC-SR04 at 5 V, with a divider that reduces its echo to 3.3 V.
package struct DistanceCircuit: WiringCircuit {
  var trigger: String
  var echo: String

  package var terminals: [WiringTerminal] {
    [WiringTerminal(trigger, "TRIG"), WiringTerminal(echo, "ECHO", pull: Pull.none)]
  }

  package var supplies: [SupplyTerminal] {
    module + [SupplyTerminal(.ground, atHalfRow: 4)]
  }

  package func parts(lamps: SeriesResistor) -> [WiringPart] {
    [WiringPart("HC-SR04"), WiringPart("resistor 1 kΩ"), WiringPart("resistor 2 kΩ")]
  }

  package var notes: [WiringNote] { [.distanceEcho] }

  package func checks(of device: String) -> [ContinuityCheck] {
    [
      ContinuityCheck(
        group: "distance",
        text: """
          Distance sensor: power the sensor with 5 V from a separate supply, such as a USB charger. The voltage between the wire \
          for \(terminals[1].place) and GND is never above 3.3 V
          """)
    ]
  }

  package func draw(on card: inout CircuitCanvas) {
    let (second, third) = (CircuitCanvas.row, 2 * CircuitCanvas.row)
    card.drawPart(from: 156, to: CircuitCanvas.partEnd, rows: 2, supplies: module)
    card.stroke((CircuitCanvas.tabEnd, 0), (156, 0))
    card.label("TRIG", 160, 0)
    card.stroke((CircuitCanvas.tabEnd, second), (106, second))
    card.resistor(from: 106, to: 144, second, "1 kΩ")
    card.stroke((144, second), (156, second))
    card.label("ECHO", 160, second)
    card.joint(92, second)
    card.stroke((92, second), (92, third), (106, third))
    card.resistor(from: 106, to: 144, third, "2 kΩ")
    card.stroke((144, third), (CircuitCanvas.edge, third))
    card.ring(194, second / 2, radius: 6.5)
    card.ring(194, second / 2, radius: 3)
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    [
      CircuitTextRow("── TRIG    \(CircuitTextRow.wires(to: module))"),
      CircuitTextRow("─┬─ [1 kΩ] ── ECHO", below: [" └─ [2 kΩ] ── GND"]),
    ]
  }

  /// The supply terminals of the module itself.
  private var module: [SupplyTerminal] {
    [SupplyTerminal(.volts5, atHalfRow: 0, role: "VCC"), SupplyTerminal(.ground, atHalfRow: 2, role: "GND")]
  }
}

extension WiringCircuit where Self == DistanceCircuit {
  package static func distance(trigger: String, echo: String) -> Self { DistanceCircuit(trigger: trigger, echo: echo) }
}
