/// Draws the symbols of a circuit on its card.
///
/// Positions are in px: `u` from the card's inner edge, at the ends of the lines, to its outer edge, at the supplies;
/// `v` down from the circuit's first row. The next row is at ``row``, the one after it at twice that. Cards left and
/// right of the header are mirror images of each other, except their texts.
package struct CircuitCanvas {
  typealias Point = (u: Double, v: Double)

  /// The u of the outer edge.
  static let edge = 264.0
  /// The height of a row.
  static let row = 24.0
  /// The u of the end of a part's box, which leaves room for the names of its supplies.
  static let partEnd = 226.0
  /// The u of the end of a terminal's tab, where the circuit's wire starts.
  static let tabEnd = 75.0

  /// The resistors of the panel's LEDs.
  let lamps: SeriesResistor

  private(set) var canvas: SVGCanvas
  private let direction: Double
  private let originX: Double
  private let originY: Double

  /// - Parameters:
  ///   - innerX: The picture's x of the card's inner edge.
  ///   - firstRowY: The picture's y of the circuit's first row.
  ///   - isRight: Whether the card is right of the header.
  init(on canvas: SVGCanvas, innerX: Double, firstRowY: Double, isRight: Bool, lamps: SeriesResistor) {
    self.canvas = canvas
    self.lamps = lamps
    direction = isRight ? 1 : -1
    originX = innerX
    originY = firstRowY
  }

  /// Whether the card is left of the header. Then a clockwise arc is drawn counterclockwise.
  var isMirrored: Bool { direction < 0 }

  /// The v of a half row.
  static func v(halfRow: Int) -> Double { Double(halfRow) * row / 2 }

  /// Draws a wire, or a line of a symbol, through the points.
  mutating func stroke(_ points: Point...) { canvas.path("line", points.map(place)) }

  /// Draws a closed shape with straight edges.
  mutating func shape(_ points: Point...) {
    canvas.path("part", data: SVGCanvas.path([points.map(place)]) + "Z")
  }

  /// Draws the arc of a circle over more than half of the circle, clockwise on a card at the right.
  mutating func longArc(from start: Point, to end: Point, radius: Double) {
    let (a, b, r) = (place(start), place(end), SVGCanvas.number(radius))
    let ends = [a.x, a.y, b.x, b.y].map(SVGCanvas.number)
    canvas.path("line", data: "M\(ends[0]) \(ends[1])A\(r) \(r) 0 1 \(isMirrored ? 0 : 1) \(ends[2]) \(ends[3])")
  }

  /// Draws a dot where wires are joined.
  mutating func joint(_ u: Double, _ v: Double) {
    let (x, y) = place((u, v))
    canvas.circle("ink", x: x, y: y, radius: 2.6)
  }

  mutating func ring(_ u: Double, _ v: Double, radius: Double) {
    let (x, y) = place((u, v))
    canvas.circle("part", x: x, y: y, radius: radius)
  }

  /// Draws a box with an outline.
  mutating func box(from start: Double, to end: Double, top: Double, bottom: Double, radius: Double = 4) {
    rectangle("part", from: start, to: end, top: top, bottom: bottom, radius: radius)
  }

  /// Draws a filled box.
  mutating func block(from start: Double, to end: Double, top: Double, bottom: Double) {
    rectangle("ink", from: start, to: end, top: top, bottom: bottom, radius: 0)
  }

  /// Draws a small text whose middle is at the height `v`.
  mutating func label(
    _ text: String, _ u: Double, _ v: Double, anchor: SVGCanvas.Anchor = .start, isMuted: Bool = false
  ) {
    let anchor: SVGCanvas.Anchor =
      switch anchor {
      case .start: isMirrored ? .end : .start
      case .middle: .middle
      case .end: isMirrored ? .start : .end
      }
    let (x, y) = place((u, v))
    canvas.text(text, isMuted ? "small dim" : "small ink", x: x, y: y + 3.4, anchor: anchor)
  }

  /// Draws a small text above a wire at the height `v`.
  mutating func labelAbove(
    _ text: String, _ u: Double, _ v: Double, anchor: SVGCanvas.Anchor = .middle, isMuted: Bool = false
  ) {
    label(text, u, v - 7.4, anchor: anchor, isMuted: isMuted)
  }

  /// Draws a resistor with its value inside, which needs at least 38 px.
  mutating func resistor(from start: Double, to end: Double, _ v: Double, _ value: String) {
    box(from: start, to: end, top: v - 7, bottom: v + 7, radius: 2)
    label(value, (start + end) / 2, v, anchor: .middle)
  }

  private func place(_ point: Point) -> SVGCanvas.Point { (originX + direction * point.u, originY + point.v) }

  private mutating func rectangle(
    _ classes: String, from start: Double, to end: Double, top: Double, bottom: Double, radius: Double
  ) {
    let (a, b) = (place((start, top)), place((end, bottom)))
    canvas.rectangle(
      classes, x: min(a.x, b.x), y: a.y, width: abs(b.x - a.x), height: b.y - a.y, radius: radius)
  }
}
