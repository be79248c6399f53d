/// A display with a PCF8574 backpack at 5 V, connected through a level shifter to the I²C bus of the header.
package struct I2CDisplayCircuit: WiringCircuit {
  var data = "GPIO2"
  var clock = "GPIO3"

  package var terminals: [WiringTerminal] {
    [WiringTerminal(data, "SDA", for: .i2c), WiringTerminal(clock, "SCL", for: .i2c)]
  }

  package var supplies: [SupplyTerminal] { display + shifter }

  package func parts(lamps: SeriesResistor) -> [WiringPart] {
    [WiringPart("display with PCF8574 backpack"), WiringPart("level shifter, 2 channels")]
  }

  package var notes: [WiringNote] { [.i2cPullUps] }

  package func draw(on card: inout CircuitCanvas) {
    card.drawPart(from: 172, to: CircuitCanvas.partEnd, rows: 2, supplies: display)
    card.box(from: 104, to: 160, top: -11, bottom: 4 * CircuitCanvas.row + 11)
    for (row, terminal) in terminals.enumerated() {
      let v = CircuitCanvas.row * Double(row)
      card.stroke((CircuitCanvas.tabEnd, v), (104, v))
      card.stroke((160, v), (172, v))
      card.label(terminal.role, 108, v)
    }
    for supply in shifter {
      let v = CircuitCanvas.v(halfRow: supply.halfRow)
      card.stroke((160, v), (CircuitCanvas.edge, v))
      card.label(supply.role, 156, v, anchor: .end)
    }
    card.label("level", 109, 60, isMuted: true)
    card.label("shifter", 109, 84, isMuted: true)
    card.drawCharacters(from: 177, to: 197, top: -5, columns: 2, rows: 3)
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    CircuitTextRow.rows(
      terminals.map { "── level shifter ── \($0.role)" }, beside: [CircuitTextRow.wires(to: display)])
      + [CircuitTextRow("   level shifter: \(CircuitTextRow.wires(to: shifter))")]
  }

  private var display: [SupplyTerminal] {
    [SupplyTerminal(.volts5, atHalfRow: 0, role: "VCC"), SupplyTerminal(.ground, atHalfRow: 2, role: "GND")]
  }

  private var shifter: [SupplyTerminal] {
    [
      SupplyTerminal(.volts3, atHalfRow: 4, role: "LV"), SupplyTerminal(.volts5, atHalfRow: 6, role: "HV"),
      SupplyTerminal(.ground, atHalfRow: 8, role: "GND"),
    ]
  }
}

extension WiringCircuit where Self == I2CDisplayCircuit {
  package static func i2cDisplay(data: String = "GPIO2", clock: String = "GPIO3") -> Self {
    I2CDisplayCircuit(data: data, clock: clock)
  }
}
