/// Draws the supplies. From one pin each, a rail leads around the picture: 5 V and 3.3 V above it, ground below it.
/// Wires lead from the rails to the cards.
struct RailDrawing {
  let sheet: WiringCoordinates
  let plan: WiringPlan

  func draw(on canvas: inout SVGCanvas) {
    for net in sheet.nets {
      canvas.group(title: "\(net.words): from pin \(net.headerPin)") { drawRail(net, on: &$0) }
    }
    for side in WiringLayout.Side.allCases {
      for stub in stubs(of: side) {
        let (x, y) = (Double(sheet.railX(stub.net, side)!), Double(stub.y))
        let edge = Double(sheet.outerEdge(of: side))
        canvas.path("halo", [(edge, y), (x, y)])
        canvas.path("wire \(stub.net.strokeClass)", [(edge, y), (x, y)])
        canvas.circle(stub.net.fillClass, x: x, y: y, radius: 3.6)
      }
    }
  }

  /// Writes the name of the supply at each wire to a card.
  func drawNames(on canvas: inout SVGCanvas) {
    for side in WiringLayout.Side.allCases {
      for stub in stubs(of: side) {
        canvas.text(
          stub.net.words, "small bold \(stub.net.fillClass)", x: Double(sheet.outerEdge(of: side) - 4 * side.sign),
          y: Double(stub.y - 4), anchor: side == .left ? .start : .end)
      }
    }
  }

  private struct Stub {
    let net: SupplyNet
    let y: Int
  }

  /// The wires from the rails of a side to its cards.
  private func stubs(of side: WiringLayout.Side) -> [Stub] {
    sheet.layout[side].cards.flatMap { card in
      plan.devices[card.device].supplies.map { supply in
        let y = WiringMetrics.y(ofRow: 0, top: card.top) + WiringMetrics.half * supply.halfRow
        return Stub(net: supply.net, y: sheet.y(y))
      }
    }
  }

  private func drawRail(_ net: SupplyNet, on canvas: inout SVGCanvas) {
    let pin = net.headerPin
    let (pinX, railY) = (sheet.x(ofPin: pin), sheet.railY(net))
    let columns = WiringLayout.Side.allCases.compactMap { side -> [Int]? in
      guard let x = sheet.railX(net, side) else { return nil }
      let heights = stubs(of: side).filter { $0.net == net }.map(\.y)
      return [x, (net == .ground ? heights.min() : heights.max()) ?? railY]
    }
    let xs = columns.map { $0[0] } + [pinX]
    var rows: [[SVGCanvas.Point]] = [
      [(Double(xs.min()!), Double(railY)), (Double(xs.max()!), Double(railY))],
      [(Double(pinX), Double(sheet.y(WiringMetrics.y(ofPin: pin)))), (Double(pinX), Double(railY))],
    ]
    rows += columns.map { [(Double($0[0]), Double(railY)), (Double($0[0]), Double($0[1]))] }
    let data = SVGCanvas.path(rows)
    canvas.path("halo", data: data)
    canvas.path("rail \(net.strokeClass)", data: data)
    canvas.circle(net.fillClass, x: Double(pinX), y: Double(railY), radius: 4)

    let isLeft = pin % 2 == 1
    let y = Double(net == .ground ? railY + 15 : railY - 6)
    canvas.text(
      "\(net.words) rail", "bold \(net.fillClass)", x: Double(pinX + (isLeft ? -8 : 8)), y: y,
      anchor: isLeft ? .end : .start)
    if net == .ground { canvas.text("(any GND pin)", "text dim", x: Double(pinX + 10), y: y) }
  }
}
