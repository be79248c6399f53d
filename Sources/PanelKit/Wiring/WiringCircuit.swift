/// The circuit of a device, or a part of it, as drawn on its card between the lines and the supplies.
///
/// A device kind uses the existing circuits (`.button(line:)`, `.leds(lines:)`, `.box(…)`). For its own symbol, it has
/// a type that conforms to this protocol, in its own file. Renderers need no change for it.
package protocol WiringCircuit: Sendable {
  /// The terminals that are wired to lines, from the top.
  var terminals: [WiringTerminal] { get }

  /// The rows of the terminals in ascending order, from the circuit's first row. By default, each terminal is in the
  /// next row.
  var terminalRows: [Int] { get }

  /// The terminals that are wired to supplies, on the other side of the card.
  var supplies: [SupplyTerminal] { get }

  /// The number of rows of the circuit. By default, the number that its terminals need, for lines and supplies.
  var rowCount: Int { get }

  /// The words after those for the kind, for example "NC" or "active low"; nil for none.
  var qualifier: String? { get }

  /// The number of LEDs on lines. By default 0.
  var lampCount: Int { get }

  /// All parts in the drawing that must be bought.
  func parts(lamps: SeriesResistor) -> [WiringPart]

  /// Notes for building the circuit. By default none.
  var notes: [WiringNote] { get }

  /// Checks with a meter before the board is connected. By default none.
  ///
  /// - Parameter device: the name of the device.
  func checks(of device: String) -> [ContinuityCheck]

  /// Draws the circuit, from the ends of the terminals' tabs to the edge with the supplies.
  func draw(on card: inout CircuitCanvas)

  /// The circuit as text: the text after the name of each terminal's line. Texts after the last terminal have their own
  /// row. A text has at most 57 characters.
  func texts(lamps: SeriesResistor) -> [CircuitTextRow]
}

extension WiringCircuit {
  package var supplies: [SupplyTerminal] { [] }
  package var terminalRows: [Int] { Array(terminals.indices) }
  package var rowCount: Int { max((terminalRows.last ?? -1) + 1, (supplies.map(\.halfRow).max() ?? 0) / 2 + 1) }
  package var qualifier: String? { nil }
  package var lampCount: Int { 0 }
  package func parts(lamps: SeriesResistor) -> [WiringPart] { [] }
  package var notes: [WiringNote] { [] }
  package func checks(of device: String) -> [ContinuityCheck] { [] }
}

/// A terminal of a device that is wired to a line.
package struct WiringTerminal: Hashable, Sendable {
  /// The name of the line, as the panel file has it.
  package var line: String

  /// The name of the terminal on the part, for example `ECHO`; empty if the part has only one.
  package var role = ""

  /// The function of the header that the device uses the line for; nil for a plain input or output. A line with this
  /// use needs no warning that the function uses it.
  var function: BoardHeader.Function?

  /// The bias that the line is requested with; nil for an output.
  var pull: Pull?

  /// The pin of the header, 1 to 40; nil if the line isn't on the header.
  var pin: Int? { BoardHeader.pin(ofLineNamed: line) }

  /// The place where the wire ends: "pin 11", or the line's name if the header isn't known.
  var place: String { pin.map { "pin \($0)" } ?? line }
}

extension WiringTerminal {
  package init(_ line: String, _ role: String = "", for function: BoardHeader.Function? = nil, pull: Pull? = nil) {
    self.init(line: line, role: role, function: function, pull: pull)
  }

  /// Terminals with the roles 1, 2 and so on, or without a role for a single one.
  package static func numbered(_ lines: [String], pull: Pull? = nil) -> [WiringTerminal] {
    lines.enumerated().map { WiringTerminal($1, lines.count > 1 ? "\($0 + 1)" : "", pull: pull) }
  }
}

/// A terminal of a device that is wired to a supply.
package struct SupplyTerminal: Hashable, Sendable {
  var net: SupplyNet

  /// The height at which it leaves the card, in half rows from the circuit's first row. It differs for all terminals of
  /// a device.
  var halfRow: Int

  /// The name of the terminal on the part, for example `VCC`; empty if it has none.
  var role = ""

  init(_ net: SupplyNet, atHalfRow halfRow: Int, role: String = "") {
    self.net = net
    self.halfRow = halfRow
    self.role = role
  }
}
