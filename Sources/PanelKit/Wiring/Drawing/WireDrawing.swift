/// Draws the wires between the pins of the header and the terminals of the cards.
struct WireDrawing {
  let sheet: WiringCoordinates
  let plan: WiringPlan
  /// The numbers of the devices' colours.
  let colours: [Int]

  func draw(on canvas: inout SVGCanvas) {
    for side in WiringLayout.Side.allCases {
      let column = sheet.layout[side]
      // If several wires share a pin, that of the first device is drawn last, on top, in the colour of the tab.
      for wire in column.wires.sorted(by: { $0.device > $1.device }) {
        let device = plan.devices[wire.device]
        let terminal = device.terminals[wire.terminal]
        let points = wire.points(to: side, cardDistance: column.cardDistance)
        // The halo looks like a bridge at each crossing. Inside the header wires don't cross, so the halo is left out
        // there.
        let bridge = wire.bridge(to: side, cardDistance: column.cardDistance)
        canvas.group(title: "\(device.name)\(device.roleSuffix(terminal)): \(terminal.place), \(terminal.line)") {
          canvas in
          canvas.path("halo", bridge.map(place))
          canvas.path("wire c\(colours[wire.device])", points.map(place))
        }
      }
      for wire in column.wires where isJoined(wire, in: column) {
        let (x, y) = place(
          wire.points(to: side, cardDistance: column.cardDistance).dropLast().last { $0.y == wire.exit }!)
        canvas.circle("ink", x: x, y: y, radius: 3.6)
      }
    }
  }

  /// Whether another wire of the same pin continues straight at the point where this one turns into its track.
  private func isJoined(_ wire: WirePath, in column: CardColumn) -> Bool {
    guard let track = wire.track else { return false }
    return column.wires.contains { other in
      other.pin == wire.pin && other != wire && (other.track.map { $0 > track } ?? true)
    }
  }

  private func place(_ point: WirePath.Point) -> SVGCanvas.Point {
    (Double(sheet.middle + point.x), Double(sheet.y(point.y)))
  }
}
