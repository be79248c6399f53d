/// A piezo disc with a series resistor, which limits the charging current of the disc to the maximum of a line.
package struct PiezoCircuit: WiringCircuit {
  var line: String

  package var terminals: [WiringTerminal] { [WiringTerminal(line)] }
  package var supplies: [SupplyTerminal] { [SupplyTerminal(.ground, atHalfRow: 0)] }

  package func parts(lamps: SeriesResistor) -> [WiringPart] {
    [WiringPart("piezo disc"), WiringPart("resistor 330 Ω")]
  }

  package var notes: [WiringNote] { [.piezoOnly] }

  package func draw(on card: inout CircuitCanvas) {
    card.stroke((CircuitCanvas.tabEnd, 0), (112, 0))
    card.resistor(from: 112, to: 156, 0, "330 Ω")
    card.stroke((156, 0), (180, 0))
    card.box(from: 180, to: 186, top: -9, bottom: 9, radius: 1)
    card.stroke((190, -7), (190, 7))
    card.stroke((190, 0), (CircuitCanvas.edge, 0))
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] { [CircuitTextRow("─── [330 Ω] ── piezo ── GND")] }
}

extension WiringCircuit where Self == PiezoCircuit {
  static func piezo(line: String) -> Self { PiezoCircuit(line: line) }
}
