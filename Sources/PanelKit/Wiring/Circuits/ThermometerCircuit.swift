/// A DS18B20 on a 1-Wire line, with the resistor to 3.3 V that the line needs.
package struct ThermometerCircuit: WiringCircuit {
  var line: String

  /// Whether the resistor is drawn. Several thermometers on one line share one resistor.
  var hasPullUp = true

  package var terminals: [WiringTerminal] { [WiringTerminal(line, "DQ", for: .oneWire)] }

  package var supplies: [SupplyTerminal] {
    [SupplyTerminal(.ground, atHalfRow: 0, role: "GND"), SupplyTerminal(.volts3, atHalfRow: 2, role: "VDD")]
  }

  package func parts(lamps: SeriesResistor) -> [WiringPart] {
    [WiringPart("DS18B20")] + (hasPullUp ? [WiringPart("resistor 4.7 kΩ")] : [])
  }

  package var notes: [WiringNote] { [.oneWireOverlay(line: line)] }

  package func draw(on card: inout CircuitCanvas) {
    let below = CircuitCanvas.row
    card.box(from: 170, to: CircuitCanvas.partEnd, top: -11, bottom: 11)
    card.stroke((CircuitCanvas.tabEnd, 0), (170, 0))
    card.label("DQ", 174, 0)
    card.stroke((CircuitCanvas.partEnd, 0), (CircuitCanvas.edge, 0))
    card.label("GND", CircuitCanvas.partEnd - 4, 0, anchor: .end)
    card.stroke((198, below), (CircuitCanvas.edge, below))
    card.stroke((198, 11), (198, below))
    card.labelAbove("VDD", 202, below, anchor: .start)
    guard hasPullUp else { return }
    // The resistor is between DQ and VDD.
    card.joint(92, 0)
    card.stroke((92, 0), (92, below), (108, below))
    card.resistor(from: 108, to: 152, below, "4.7 kΩ")
    card.stroke((152, below), (198, below))
    card.joint(198, below)
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    [
      CircuitTextRow(
        "\(hasPullUp ? "─┬─" : "───") DQ    \(CircuitTextRow.wires(to: supplies))",
        below: hasPullUp ? [" └─ [4.7 kΩ] ── 3.3 V"] : [])
    ]
  }
}

extension WiringCircuit where Self == ThermometerCircuit {
  package static func thermometer(line: String, hasPullUp: Bool = true) -> Self {
    ThermometerCircuit(line: line, hasPullUp: hasPullUp)
  }
}
