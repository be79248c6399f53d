/// LEDs, one per line, each with a resistor, with one common supply: single LEDs, groups, bars and the segments of a
/// digit.
package struct LampCircuit: WiringCircuit {
  package var terminals: [WiringTerminal]

  /// Whether a high level lights an LED. If false, the LEDs are reversed, between 3.3 V and the line.
  var isActiveHigh = true

  /// The part in the parts list that contains all the LEDs, for example a 7-segment display; nil for single LEDs.
  var part: String?

  package var supplies: [SupplyTerminal] { [SupplyTerminal(net, atHalfRow: terminals.count - 1)] }

  package var qualifier: String? { isActiveHigh || part != nil ? nil : "active low" }

  package var lampCount: Int { terminals.count }

  package func parts(lamps: SeriesResistor) -> [WiringPart] {
    [
      part.map { WiringPart($0) } ?? WiringPart("LED, red, yellow or green", count: terminals.count),
      WiringPart("resistor \(lamps.resistance)", count: terminals.count),
    ]
  }

  package func checks(of device: String) -> [ContinuityCheck] {
    terminals.map { terminal in
      let name = terminal.role.isEmpty ? device : "\(device) \(terminal.role)"
      let wire = "the wire for \(terminal.place)"
      let (red, black) = isActiveHigh ? (wire, net.words) : (net.words, wire)
      return ContinuityCheck(
        group: isActiveHigh ? "LEDs" : "LEDs, active low",
        text:
          "LEDs: in the diode test, with the red probe on \(red) and the black one on \(black), \(name) glows faintly",
        advice: "If an LED stays dark, turn the LED round.")
    }
  }

  package func draw(on card: inout CircuitCanvas) {
    let common = 226.0
    let isGroup = terminals.count > 1
    for (row, terminal) in terminals.enumerated() {
      let v = CircuitCanvas.row * Double(row)
      if !terminal.role.isEmpty { card.labelAbove(terminal.role, 86, v) }
      card.stroke((CircuitCanvas.tabEnd, v), (112, v))
      card.resistor(from: 112, to: 156, v, card.lamps.resistance)
      card.stroke((156, v), (176, v))
      drawLamp(on: &card, u: 176, v)
      card.stroke((188, v), (isGroup ? common : CircuitCanvas.edge, v))
      if row == 0 {
        card.labelAbove(isActiveHigh ? "+" : "−", 167, v)
        card.labelAbove(isActiveHigh ? "−" : "+", 207, v)
      }
    }
    if isGroup { card.drawCommon(u: common, rows: terminals.count) }
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    terminals.enumerated().map { row, terminal in
      let symbol = isActiveHigh ? "▷│" : "│◁"
      let remark = row > 0 || part != nil ? "" : "   long leg to \(isActiveHigh ? "the resistor" : "3.3 V")"
      let wire = CircuitTextRow.wire(to: terminal.role)
      return CircuitTextRow("\(wire) [\(lamps.resistance)] ── \(symbol) ── \(net.words)\(remark)")
    }
  }

  /// The supply at the resistors' other ends.
  private var net: SupplyNet { isActiveHigh ? .ground : .volts3 }

  /// Draws a diode with its anode at the line, or at the supply, and two arrows of light.
  private func drawLamp(on card: inout CircuitCanvas, u: Double, _ v: Double) {
    let (anode, cathode) = isActiveHigh ? (u, u + 12) : (u + 12, u)
    card.shape((anode, v - 6.5), (anode, v + 6.5), (cathode, v))
    card.stroke((cathode, v - 6.5), (cathode, v + 6.5))
    for shift in [0.0, 5] {
      let (tip, top) = (u + 11 + shift, v - 10)
      card.stroke((u + 7 + shift, v - 6), (tip, top))
      card.stroke((tip, top + 2.6), (tip, top), (tip - 2.6, top))
    }
  }
}

extension WiringCircuit where Self == LampCircuit {
  package static func led(line: String, isActiveHigh: Bool = true) -> Self {
    leds(lines: [line], isActiveHigh: isActiveHigh)
  }

  package static func leds(lines: [String], isActiveHigh: Bool = true) -> Self {
    LampCircuit(terminals: WiringTerminal.numbered(lines), isActiveHigh: isActiveHigh)
  }

  /// The segments of a digit: a to g and the point, one per line.
  static func segments(lines: [String], isActiveHigh: Bool = true) -> Self {
    let terminals = zip(lines, "abcdefg.").map { WiringTerminal($0, String($1)) }
    return LampCircuit(
      terminals: terminals, isActiveHigh: isActiveHigh,
      part: "7-segment display, common \(isActiveHigh ? "cathode" : "anode")")
  }
}
