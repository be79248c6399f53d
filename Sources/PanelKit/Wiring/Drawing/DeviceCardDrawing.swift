/// Draws the card of a device: its name, its kind, the numbers of its notes, and its whole circuit.
struct DeviceCardDrawing {
  let device: WiringPlan.Device
  /// The number of its colour.
  let colour: Int
  /// The numbers of its notes.
  let numbers: [Int]
  let hasDanger: Bool
  let lamps: SeriesResistor
  let side: WiringLayout.Side
  /// The x of the edge towards the header.
  let innerX: Int
  let top: Int

  func draw(on canvas: inout SVGCanvas) {
    let left = side == .left ? innerX - WiringMetrics.cardWidth : innerX
    let height = WiringMetrics.height(rows: device.rowCount) - WiringMetrics.cardGap
    canvas.group { canvas in
      canvas.rectangle(
        "card", x: Double(left), y: Double(top), width: Double(WiringMetrics.cardWidth), height: Double(height),
        radius: 7)
      drawHead(on: &canvas, left: left)
      drawTabs(on: &canvas)
      drawCircuits(on: &canvas)
    }
  }

  private func drawHead(on canvas: inout SVGCanvas, left: Int) {
    let numbers = numbers.map(String.init).joined(separator: ",")
    // The numbers are bold.
    let numbersWidth = TextWidth.of(numbers, .number) * 11 / 10
    let room = WiringMetrics.cardWidth - 20 - (numbers.isEmpty ? 0 : 18 + numbersWidth)
    // The device's name in the panel file is shortened last.
    let kindWidth = min(TextWidth.of(device.words, .kind), 60)
    let name = TextWidth.shortened(device.name, .name, toFit: room - kindWidth - 9)
    let kind = TextWidth.shortened(device.words, .kind, toFit: room - TextWidth.of(name, .name) - 9)
    let y = Double(top + 17)
    // One element, so that the words for the kind follow the name in every font.
    canvas.text(name, "name f\(colour)", x: Double(left + 10), y: y, more: kind)
    guard !numbers.isEmpty else { return }
    let x = Double(left + WiringMetrics.cardWidth - 10 - numbersWidth)
    NoteSign(isDanger: hasDanger).draw(on: &canvas, x: x - 14, y: y)
    canvas.text(numbers, "number bold \(hasDanger ? SupplyNet.volts5.fillClass : "dim")", x: x + 1, y: y)
  }

  private func drawTabs(on canvas: inout SVGCanvas) {
    for (terminal, row) in zip(device.terminals, device.terminalRows) {
      guard let pin = terminal.pin else { continue }
      let tab = Tab(pin: pin, name: terminal.line, fill: "f\(colour)", length: CircuitCanvas.tabEnd - 12)
      tab.draw(
        on: &canvas, x: Double(innerX + 12 * side.sign), y: Double(WiringMetrics.y(ofRow: row, top: top)),
        direction: Double(side.sign))
    }
  }

  private func drawCircuits(on canvas: inout SVGCanvas) {
    var row = 0
    for circuit in device.circuits {
      var card = CircuitCanvas(
        on: canvas, innerX: Double(innerX), firstRowY: Double(WiringMetrics.y(ofRow: row, top: top)),
        isRight: side == .right,
        lamps: lamps)
      circuit.draw(on: &card)
      canvas = card.canvas
      row += circuit.rowCount
    }
  }
}

/// The sign before the number of a note: a triangle with `!` for a danger, else a ring with `i`.
struct NoteSign {
  let isDanger: Bool

  /// - Parameters:
  ///   - x: The left end of the sign, which is 13 px wide.
  ///   - y: The baseline of the number after it.
  func draw(on canvas: inout SVGCanvas, x: Double, y: Double) {
    if isDanger {
      canvas.path(
        SupplyNet.volts5.fillClass, data: SVGCanvas.path([[(x, y + 1), (x + 6.5, y - 11), (x + 13, y + 1)]]) + "Z")
      canvas.path("sign", [(x + 6.5, y - 6.5), (x + 6.5, y - 2.5)], [(x + 6.5, y - 0.9), (x + 6.5, y - 0.8)])
    } else {
      canvas.circle("ring line", x: x + 6, y: y - 4, radius: 5)
      canvas.path("line", [(x + 6, y - 4.4), (x + 6, y - 1.4)], [(x + 6, y - 6.8), (x + 6, y - 6.7)])
    }
  }
}
