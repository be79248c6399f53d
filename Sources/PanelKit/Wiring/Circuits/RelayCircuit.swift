/// A relay on a board with a transistor and an input for the line.
package struct RelayCircuit: WiringCircuit {
  var line: String

  /// Whether a high level switches the relay on. Most boards are active low.
  var isActiveHigh: Bool

  package var terminals: [WiringTerminal] { [WiringTerminal(line, "IN")] }

  package var supplies: [SupplyTerminal] {
    [SupplyTerminal(.volts5, atHalfRow: 0, role: "VCC"), SupplyTerminal(.ground, atHalfRow: 2, role: "GND")]
  }

  package var qualifier: String? { isActiveHigh ? "active high" : "active low" }

  package func parts(lamps: SeriesResistor) -> [WiringPart] { [WiringPart("relay board, 5 V, 1 channel")] }

  package var notes: [WiringNote] {
    [.relayInput, .relayCoils(count: 1)]
      + [WiringNote.relayAtPowerOn(line: line, isActiveHigh: isActiveHigh)].compactMap(\.self) + [.inductiveLoad]
  }

  package func checks(of device: String) -> [ContinuityCheck] {
    [
      ContinuityCheck(
        group: "relays",
        text: """
          Relay board: power the board with 5 V from a separate supply, such as a USB charger. The voltage between the wire for \
          IN and GND is at most 3.3 V
          """,
        others: ", on each board")
    ]
  }

  package func draw(on card: inout CircuitCanvas) {
    let (u, below) = (104.0, CircuitCanvas.row)
    card.stroke((CircuitCanvas.tabEnd, 0), (u, 0))
    card.drawPart(from: u, to: CircuitCanvas.partEnd, rows: 2, supplies: supplies)
    card.label("IN", u + 5, 0)
    // The coil, and the contact below it.
    card.box(from: 124, to: 146, top: -5, bottom: 5, radius: 2)
    card.stroke((129, 5), (141, -5))
    card.stroke((146, 0), (158, 0), (158, below - 12))
    card.label("COM", 138, below, anchor: .end, isMuted: true)
    card.ring(144, below, radius: 2.2)
    card.stroke((146, below), (170, below - 8))
    card.ring(172, below, radius: 2.2)
    card.label("NO", 177, below, isMuted: true)
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    CircuitTextRow.rows(["── IN"], beside: ["\(CircuitTextRow.wires(to: supplies)), load on COM and NO"])
  }
}

extension CircuitCanvas {
  /// Draws the box of a part, with the roles of its supply terminals inside and their wires to the card's outer
  /// edge.
  mutating func drawPart(from start: Double, to end: Double, rows: Int, supplies: [SupplyTerminal]) {
    box(from: start, to: end, top: -11, bottom: Self.row * Double(rows - 1) + 11)
    for supply in supplies {
      let v = Self.v(halfRow: supply.halfRow)
      stroke((end, v), (Self.edge, v))
      label(TextWidth.shortened(supply.role, .small, toFit: 40), end - 4, v, anchor: .end)
    }
  }
}

extension WiringCircuit where Self == RelayCircuit {
  package static func relay(line: String, isActiveHigh: Bool) -> Self {
    RelayCircuit(line: line, isActiveHigh: isActiveHigh)
  }
}
