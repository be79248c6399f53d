/// A keypad: each key connects the line of its row to the line of its column.
package struct KeypadCircuit: WiringCircuit {
  var rows: [String]
  var columns: [String]

  package var terminals: [WiringTerminal] {
    rows.enumerated().map { WiringTerminal($1, "R\($0 + 1)") }
      + columns.enumerated().map { WiringTerminal($1, "C\($0 + 1)", pull: .up) }
  }

  package func parts(lamps: SeriesResistor) -> [WiringPart] {
    [WiringPart("matrix keypad, \(rows.count) × \(columns.count)"), WiringPart("resistor 1 kΩ", count: rows.count)]
  }

  package var notes: [WiringNote] { [.keypadRows] }

  package func checks(of device: String) -> [ContinuityCheck] {
    guard let row = terminals.first, let column = terminals.last, row != column else { return [] }
    return [
      ContinuityCheck(
        group: "keypads",
        text: """
          Keypad: between the wires for \(row.place) and \(column.place) the meter beeps only while the key of \(device) in \
          row 1 and column \(columns.count) is pressed
          """)
    ]
  }

  package func draw(on card: inout CircuitCanvas) {
    let bottom = CircuitCanvas.row * Double(terminals.count - 1)
    card.box(from: 152, to: 248, top: -11, bottom: bottom + 11)
    for (place, terminal) in terminals.enumerated() {
      let v = CircuitCanvas.row * Double(place)
      card.stroke((CircuitCanvas.tabEnd, v), (152, v))
      if place < rows.count { card.resistor(from: 96, to: 134, v, "1 kΩ") }
      card.label(terminal.role, 157, v)
    }
    // The keys, as large as the box permits.
    let pitch = min(20, 66 / Double(max(1, columns.count)), (bottom + 14) / Double(max(1, rows.count)))
    let top = (bottom - pitch * Double(rows.count)) / 2
    let left = 210 - pitch * Double(columns.count) / 2
    for row in rows.indices {
      for column in columns.indices {
        let (u, v) = (left + pitch * Double(column), top + pitch * Double(row))
        card.box(from: u + 2, to: u + pitch - 2, top: v + 2, bottom: v + pitch - 2, radius: 2)
      }
    }
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    terminals.enumerated().map { CircuitTextRow($0 < rows.count ? "── [1 kΩ] ── \($1.role)" : "── \($1.role)") }
  }
}

extension WiringCircuit where Self == KeypadCircuit {
  package static func keypad(rows: [String], columns: [String]) -> Self { KeypadCircuit(rows: rows, columns: columns) }
}
