/// A chip, module or board without a symbol of its own: a box with the names of its terminals.
package struct BoxCircuit: WiringCircuit {
  /// The words in the box and in the parts list, for example "BME280".
  var name: String

  package var terminals: [WiringTerminal]

  /// The supply terminals from the top, each in its own row.
  var wiredSupplies: [(role: String, net: SupplyNet)]

  package var notes: [WiringNote] = []

  package var supplies: [SupplyTerminal] {
    wiredSupplies.enumerated().map { SupplyTerminal($1.net, atHalfRow: 2 * $0, role: $1.role) }
  }

  package func parts(lamps: SeriesResistor) -> [WiringPart] { [WiringPart(name)] }

  package func draw(on card: inout CircuitCanvas) {
    let (start, end) = (100.0, CircuitCanvas.partEnd)
    card.drawPart(from: start, to: end, rows: rowCount, supplies: supplies)
    for (row, terminal) in terminals.enumerated() {
      let v = CircuitCanvas.row * Double(row)
      card.stroke((CircuitCanvas.tabEnd, v), (start, v))
      card.label(TextWidth.shortened(terminal.role, .small, toFit: 40), start + 4, v)
    }
    // The name is between two rows, so it doesn't overlap the name of a terminal.
    let (nameV, room) = rowCount > 1 ? (CircuitCanvas.row * Double(rowCount / 2) - CircuitCanvas.row / 2, 110) : (0, 40)
    let shortened = TextWidth.shortened(name, .small, toFit: room)
    card.label(shortened, (start + end) / 2, nameV, anchor: .middle, isMuted: true)
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    CircuitTextRow.rows(
      terminals.map { $0.role.isEmpty ? "───" : "── \($0.role)" }, beside: CircuitTextRow.facts(of: supplies))
  }
}

extension WiringCircuit where Self == BoxCircuit {
  /// - Parameter supplies: The supply terminals from the top, for example `["VCC": .volts3, "GND": .ground]`.
  package static func box(
    _ name: String, terminals: [WiringTerminal], supplies: KeyValuePairs<String, SupplyNet> = [:],
    notes: [WiringNote] = []
  ) -> Self {
    BoxCircuit(name: name, terminals: terminals, wiredSupplies: supplies.map { ($0.key, $0.value) }, notes: notes)
  }
}
