extension WiringPlan {
  /// The picture of the wiring as an SVG document; nil if a line isn't on the 40-pin header, because then the board's
  /// own header isn't known.
  ///
  /// The same plan gives the same bytes.
  package func svg(theme: WiringTheme = .automatic) -> String? {
    isOnHeader ? WiringDrawing(self).document(theme) : nil
  }
}

/// Draws a plan: the header in the middle, the cards of the devices beside it, the rails of the supplies around them,
/// and the parts, checks and notes below.
struct WiringDrawing {
  let plan: WiringPlan
  let sheet: WiringCoordinates
  let notes: NumberedNotes

  init(_ plan: WiringPlan) {
    self.plan = plan
    sheet = WiringCoordinates(plan, WiringLayout(plan))
    notes = NumberedNotes(plan)
  }

  /// The number of each device's colour. Colours rotate down the left side and then down the right side, so that
  /// neighbours differ.
  var colours: [Int] {
    var colours = [Int](repeating: 0, count: plan.devices.count)
    for (place, card) in (sheet.layout.left.cards + sheet.layout.right.cards).enumerated() {
      colours[card.device] = place % WiringPalette.deviceCount
    }
    return colours
  }

  func document(_ theme: WiringTheme) -> String {
    var canvas = SVGCanvas()
    let colours = colours
    drawTitle(on: &canvas)
    HeaderDrawing(sheet: sheet, plan: plan, colours: colours).drawBody(on: &canvas)
    RailDrawing(sheet: sheet, plan: plan).draw(on: &canvas)
    HeaderDrawing(sheet: sheet, plan: plan, colours: colours).drawPins(on: &canvas)
    WireDrawing(sheet: sheet, plan: plan, colours: colours).draw(on: &canvas)
    for side in WiringLayout.Side.allCases {
      for card in sheet.layout[side].cards {
        DeviceCardDrawing(
          device: plan.devices[card.device], colour: colours[card.device], numbers: notes.numbers[card.device],
          hasDanger: notes.hasDanger(device: card.device), lamps: plan.lamps, side: side,
          innerX: sheet.innerEdge(of: side), top: sheet.y(card.top)
        ).draw(on: &canvas)
      }
    }
    RailDrawing(sheet: sheet, plan: plan).drawNames(on: &canvas)
    let foot = FootDrawing(plan: plan, notes: notes, width: sheet.width - 2 * WiringCoordinates.margin)
    let bottom = foot.draw(on: &canvas, x: WiringCoordinates.margin, y: sheet.lowerEnd + 46)

    let (width, height) = (sheet.width, bottom + 10)
    let name = Self.identifier(of: plan.title)
    let title = SVGCanvas.escaped("\(plan.title): wiring")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
      aria-labelledby="\(name)-title \(name)-desc">
      <title id="\(name)-title">\(title)</title>
      <desc id="\(name)-desc">\(SVGCanvas.escaped(description))</desc>
      <style>\(theme.style)</style>
      <rect class="page" width="\(width)" height="\(height)"/>
      \(canvas.elements.joined(separator: "\n"))
      </svg>

      """
  }

  /// All connections in words, for readers who can't see the picture.
  private var description: String {
    plan.allDevices.map { device in
      let lines = device.terminals.map { "\($0.role.isEmpty ? "" : "\($0.role) to ")\($0.place) (\($0.line))" }
      let supplies = device.supplies.map { "\($0.role.isEmpty ? "" : "\($0.role) to ")\($0.net.words)" }
      return "\(device.name), \(device.words): \((lines + supplies).joined(separator: ", "))"
    }.joined(separator: "; ") + "."
  }

  /// A prefix for the names of this picture's elements, so that several pictures can be on one page.
  private static func identifier(of title: String) -> String {
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return (["wiring"] + words).joined(separator: "-")
  }

  /// Draws the title, and a small board that shows the orientation of the header.
  private func drawTitle(on canvas: inout SVGCanvas) {
    let margin = Double(WiringCoordinates.margin)
    let title = TextWidth.shortened(plan.title, .title, toFit: sheet.width - 260)
    canvas.text("\(title): wiring", "ink title", x: margin, y: 36)
    canvas.text(
      "Raspberry Pi, 40 pins, seen from above. Pin 1 is at the corner next to the SD card.", "dim", x: margin, y: 54)
    let x = Double(sheet.width) - margin - 62
    canvas.group(title: "The board: the header is at the right edge, pin 1 at the top, USB at the bottom.") { canvas in
      canvas.rectangle("card", x: x, y: 8, width: 36, height: 50, radius: 4)
      canvas.rectangle("body", x: x + 29, y: 11, width: 5, height: 30)
      canvas.rectangle("ink", x: x + 29, y: 11, width: 2.5, height: 2.5)
      canvas.rectangle("free", x: x + 11, y: 6, width: 12, height: 8)
      canvas.rectangle("free", x: x + 4, y: 51, width: 10, height: 9)
      canvas.rectangle("free", x: x + 17, y: 51, width: 10, height: 9)
      canvas.text("SD", "small dim", x: x + 41, y: 15)
      canvas.text("USB", "small dim", x: x + 41, y: 59)
    }
  }
}
