/// An HD44780 display on lines, at 5 V, with the trimmer for its contrast and the resistor for its backlight.
///
/// The display reads 2.2 V as a high level, so its inputs need no level shifter (data sheet of the LCD2004).
package struct CharacterDisplayCircuit: WiringCircuit {
  var registerSelect: String
  var enable: String

  /// The data lines: four, D4 to D7, or eight, D0 to D7.
  var data: [String]

  package var terminals: [WiringTerminal] {
    let first = data.count == 4 ? 4 : 0
    return [WiringTerminal(registerSelect, "RS"), WiringTerminal(enable, "E")]
      + data.enumerated().map { WiringTerminal($1, "D\(first + $0)") }
  }

  package var supplies: [SupplyTerminal] {
    module + [SupplyTerminal(.volts5, atHalfRow: 10), SupplyTerminal(.ground, atHalfRow: 14)]
  }

  package func parts(lamps: SeriesResistor) -> [WiringPart] {
    [
      WiringPart("display HD44780, 5 V"), WiringPart("trimmer 10 kΩ (contrast)"),
      WiringPart("resistor 220 Ω (backlight)"),
    ]
  }

  package var notes: [WiringNote] { [.displayReadWrite, .displayBacklight] }

  package func checks(of device: String) -> [ContinuityCheck] {
    [ContinuityCheck(group: "displays", text: "Display: between R/W and VSS the meter beeps")]
  }

  package func draw(on card: inout CircuitCanvas) {
    let end = 192.0
    let bottom = CircuitCanvas.row * Double(max(terminals.count - 1, 6)) + 11
    card.box(from: 112, to: end, top: -11, bottom: bottom)
    for (row, terminal) in terminals.enumerated() {
      let v = CircuitCanvas.row * Double(row)
      card.stroke((CircuitCanvas.tabEnd, v), (112, v))
      card.label(terminal.role, 117, v)
    }
    for supply in module {
      let v = CircuitCanvas.v(halfRow: supply.halfRow)
      card.label(supply.role, end - 5, v, anchor: .end)
      card.stroke((end, v), (CircuitCanvas.edge, v))
    }
    card.resistor(from: 198, to: 236, CircuitCanvas.v(halfRow: 6), "220 Ω")
    // The trimmer: its ends are at 5 V and ground, its wiper is at V0.
    let (top, middle, low) = (CircuitCanvas.v(halfRow: 10), CircuitCanvas.v(halfRow: 12), CircuitCanvas.v(halfRow: 14))
    card.label("V0", end - 5, middle, anchor: .end)
    card.stroke((end, middle), (205, middle))
    card.stroke((201, middle - 3), (206, middle), (201, middle + 3))
    card.stroke((CircuitCanvas.edge, top), (211, top), (211, low), (CircuitCanvas.edge, low))
    card.box(from: 206, to: 216, top: middle - 14, bottom: middle + 14, radius: 2)
    card.label("10 kΩ", 220, middle)
    card.drawCharacters(from: 134, to: 161, top: 8, columns: 3, rows: 4)
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    CircuitTextRow.rows(
      terminals.map { "── \($0.role)" },
      beside: [
        "VDD ── 5 V, VSS ── GND, R/W ── GND", "A ── [220 Ω] ── 5 V, K ── GND",
        "V0 ── wiper of 10 kΩ between 5 V and GND",
      ])
  }

  /// The supply terminals of the display itself.
  private var module: [SupplyTerminal] {
    [
      SupplyTerminal(.volts5, atHalfRow: 0, role: "VDD"), SupplyTerminal(.ground, atHalfRow: 2, role: "VSS"),
      SupplyTerminal(.ground, atHalfRow: 4, role: "R/W"), SupplyTerminal(.volts5, atHalfRow: 6, role: "A"),
      SupplyTerminal(.ground, atHalfRow: 8, role: "K"),
    ]
  }
}

extension CircuitCanvas {
  /// Draws the screen of a display with characters. Each character is 7 px wide and 10 px high, including its gap.
  mutating func drawCharacters(from start: Double, to end: Double, top: Double, columns: Int, rows: Int) {
    box(from: start, to: end, top: top, bottom: top + 10 * Double(rows) + 4, radius: 2)
    for place in 0..<columns * rows where place % 4 != 3 {
      let (row, column) = place.quotientAndRemainder(dividingBy: columns)
      let (u, v) = (start + 5 + 7 * Double(column), top + 4 + 10 * Double(row))
      block(from: u, to: u + 4, top: v, bottom: v + 6)
    }
  }
}

extension WiringCircuit where Self == CharacterDisplayCircuit {
  package static func characterDisplay(registerSelect: String, enable: String, data: [String]) -> Self {
    CharacterDisplayCircuit(registerSelect: registerSelect, enable: enable, data: data)
  }
}
