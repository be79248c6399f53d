/// A chip, module or board that has no symbol of its own: a box with the names of its terminals.
struct BoxCircuit: WiringCircuit {
  /// The words in the box and in the parts list, as "BME280".
  var name: String

  var terminals: [WiringTerminal]

  /// Each in a row of its own, from the top.
  var wiredSupplies: [(role: String, net: SupplyNet)]

  var notes: [WiringNote] = []

  var supplies: [SupplyTerminal] {
    wiredSupplies.enumerated().map { SupplyTerminal($1.net, atHalfRow: 2 * $0, role: $1.role) }
  }

  func parts(lamps: LampBudget) -> [WiringPart] { [WiringPart(name)] }

  func draw(on card: inout CardDrawing) {
    let (start, end) = (100.0, CardDrawing.partEnd)
    card.drawPart(from: start, to: end, rows: rowCount, supplies: supplies)
    for (row, terminal) in terminals.enumerated() {
      let v = CardDrawing.row * Double(row)
      card.line((CardDrawing.tabEnd, v), (start, v))
      card.label(TextWidth.shortened(terminal.role, .small, toFit: 40), start + 4, v)
    }
    let middle = CardDrawing.row * Double(rowCount - 1) / 2
    card.label(TextWidth.shortened(name, .small, toFit: 56), (start + end) / 2, middle, anchor: .middle, isMuted: true)
  }

  func texts(lamps: LampBudget) -> [CircuitText] {
    CircuitText.rows(
      terminals.map { $0.role.isEmpty ? "───" : "── \($0.role)" },
      beside: wiredSupplies.isEmpty ? [] : [CircuitText.wires(to: supplies)])
  }
}

extension WiringCircuit where Self == BoxCircuit {
  /// - Parameter supplies: As `["VCC": .volts3, "GND": .ground]`, in the order from the top.
  static func box(
    _ name: String, terminals: [WiringTerminal], supplies: KeyValuePairs<String, SupplyNet> = [:],
    notes: [WiringNote] = []
  ) -> Self {
    BoxCircuit(name: name, terminals: terminals, wiredSupplies: supplies.map { ($0.key, $0.value) }, notes: notes)
  }
}
