/// Writes the elements of an SVG picture, one for each line of the file.
///
/// Numbers are in px and have at most one decimal, so that the bytes are the same on all processors.
struct SVGCanvas {
  typealias Point = (x: Double, y: Double)

  /// The part of a text that is at its `x`.
  enum Anchor: String {
    case start = ""
    case middle = " mid"
    case end = " end"
  }

  private(set) var elements: [String] = []

  /// The data of a path: a line through the points of each row.
  static func path(_ rows: [[Point]]) -> String {
    rows.map { row in "M" + row.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: "L") }.joined()
  }

  /// A number with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
  }

  /// Text for the inside of an element or an attribute. Control characters are not valid in XML, and become spaces.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\u{0}"..<" ", "\u{7f}", "\u{fffe}", "\u{ffff}": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  mutating func path(_ classes: String, _ rows: [Point]...) { path(classes, data: Self.path(rows)) }

  mutating func path(_ classes: String, data: String) { add("<path class=\"\(classes)\" d=\"\(data)\"/>") }

  mutating func rectangle(
    _ classes: String, x: Double, y: Double, width: Double, height: Double, radius: Double = 0
  ) {
    let (x, y, width, height) = (Self.number(x), Self.number(y), Self.number(width), Self.number(height))
    let corner = radius == 0 ? "" : " rx=\"\(Self.number(radius))\""
    add("<rect class=\"\(classes)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"\(corner)/>")
  }

  mutating func circle(_ classes: String, x: Double, y: Double, radius: Double) {
    let (x, y, radius) = (Self.number(x), Self.number(y), Self.number(radius))
    add("<circle class=\"\(classes)\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\"/>")
  }

  /// Draws a text on the baseline `y`.
  ///
  /// - Parameter more: Words that follow after 9 px, muted, in the class `kind`.
  mutating func text(
    _ text: String, _ classes: String, x: Double, y: Double, anchor: Anchor = .start, more: String = ""
  ) {
    let span = more.isEmpty ? "" : "<tspan class=\"kind dim\" dx=\"9\">\(Self.escaped(more))</tspan>"
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    add("<text class=\"\(classes)\(anchor.rawValue)\" \(place)>\(Self.escaped(text))\(span)</text>")
  }

  /// Draws a group of elements, with a title that viewers show beside the pointer.
  mutating func group(title: String = "", _ draw: (inout SVGCanvas) -> Void) {
    add(title.isEmpty ? "<g>" : "<g><title>\(Self.escaped(title))</title>")
    draw(&self)
    add("</g>")
  }

  private mutating func add(_ element: String) { elements.append(element) }
}
