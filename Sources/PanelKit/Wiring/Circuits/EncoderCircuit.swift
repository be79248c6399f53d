/// A rotary encoder: two contacts that connect their lines to ground.
package struct EncoderCircuit: WiringCircuit {
  var a: String
  var b: String
  var pull: Pull = .up

  package var terminals: [WiringTerminal] { [WiringTerminal(a, "A", pull: pull), WiringTerminal(b, "B", pull: pull)] }
  package var supplies: [SupplyTerminal] { [SupplyTerminal(.ground, atHalfRow: 1, role: "C")] }

  package func parts(lamps: SeriesResistor) -> [WiringPart] { [WiringPart("rotary encoder, bare (EC11)")] }

  package var notes: [WiringNote] { [.encoderBoard] }

  package func checks(of device: String) -> [ContinuityCheck] {
    [
      ContinuityCheck(
        group: "encoders",
        text:
          "Encoder: between the wire for \(terminals[0].place) and GND the meter beeps repeatedly while you turn \(device)"
      )
    ]
  }

  package func draw(on card: inout CircuitCanvas) {
    let (u, v) = (178.0, CircuitCanvas.row / 2)
    for (role, row) in [("A", 0.0), ("B", CircuitCanvas.row)] {
      card.stroke((CircuitCanvas.tabEnd, row), (162, row))
      card.labelAbove(role, 86, row)
    }
    card.ring(u, v, radius: 20)
    card.ring(u, v, radius: 9)
    card.stroke((u, v), (u, v - 9))
    card.longArc(from: (u - 10.5, v + 10), to: (u + 10.5, v + 10), radius: 14.5)
    for side in [-1.0, 1.0] {
      card.stroke((u + side * 14.5, v + 8.5), (u + side * 10.5, v + 10), (u + side * 10, v + 5.6))
    }
    card.stroke((198, v), (CircuitCanvas.edge, v))
    card.labelAbove("C", 206, v)
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    CircuitTextRow.rows(["── A", "── B"], beside: ["C ── GND"])
  }
}

extension WiringCircuit where Self == EncoderCircuit {
  package static func encoder(a: String, b: String, pull: Pull = .up) -> Self { EncoderCircuit(a: a, b: b, pull: pull) }
}
