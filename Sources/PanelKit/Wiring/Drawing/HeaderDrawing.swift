/// Draws the header seen from above: 2 columns of 20 pins, with a square pin 1, and the names of the pins beside them.
struct HeaderDrawing {
  let sheet: WiringCoordinates
  let plan: WiringPlan
  /// The numbers of the devices' colours.
  let colours: [Int]

  func drawBody(on canvas: inout SVGCanvas) {
    let x = Double(sheet.middle - WiringMetrics.column - 13)
    let height = Double(WiringMetrics.headerHeight + 6)
    canvas.rectangle(
      "body", x: x, y: Double(sheet.headerTop - 3), width: Double(2 * WiringMetrics.column + 26), height: height,
      radius: 5
    )
  }

  func drawPins(on canvas: inout SVGCanvas) {
    let fills = fills
    for pin in 1...BoardHeader.pinCount {
      let side = WiringLayout.Side(ofPin: pin)
      let (x, y) = (Double(sheet.x(ofPin: pin)), Double(sheet.y(WiringMetrics.y(ofPin: pin))))
      let name = BoardHeader.contacts[pin - 1].name
      if let fill = fills[pin] {
        let tab = Tab(pin: pin, name: name, fill: fill, length: Double(WiringMetrics.tab))
        tab.draw(on: &canvas, x: x, y: y, direction: Double(side.sign))
      } else {
        if pin == 1 {
          canvas.rectangle("free", x: x - 8, y: y - 8, width: 16, height: 16, radius: 1)
        } else {
          canvas.circle("free", x: x, y: y, radius: 8.5)
        }
        canvas.text("\(pin)", "small dim", x: x, y: y + 3.4, anchor: .middle)
        canvas.text(
          name, "small dim", x: x + Double(16 * side.sign), y: y + 3.4, anchor: side == .left ? .end : .start)
      }
    }
  }

  /// The classes of the pins in use, by pin.
  private var fills: [String?] {
    var fills = [String?](repeating: nil, count: BoardHeader.pinCount + 1)
    for net in sheet.nets { fills[net.headerPin] = net.fillClass }
    // If several devices share a pin, it has the colour of the first one.
    for (index, device) in plan.devices.enumerated().reversed() {
      for terminal in device.terminals {
        if let pin = terminal.pin { fills[pin] = "f\(colours[index])" }
      }
    }
    return fills
  }
}

/// The end of a wire: the number of the pin in a disc, followed by the name of its line. It looks the same at the
/// header and at the device, so that a reader doesn't have to trace the wire.
struct Tab {
  let pin: Int
  let name: String
  let fill: String
  /// The distance from the middle of the disc to the end of the tab, in px.
  let length: Double

  /// - Parameters:
  ///   - x: The x of the middle of the disc.
  ///   - direction: 1 if the tab is right of the disc, -1 if left.
  func draw(on canvas: inout SVGCanvas, x: Double, y: Double, direction: Double) {
    canvas.rectangle(fill, x: min(x, x + direction * length), y: y - 8, width: length, height: 16, radius: 3)
    canvas.circle(fill, x: x, y: y, radius: 9.5)
    canvas.text("\(pin)", "number on bold", x: x, y: y + 3.6, anchor: .middle)
    canvas.text(name, "number on", x: x + direction * (length + 9) / 2, y: y + 3.6, anchor: .middle)
  }
}
