/// The circuit of a device, or a part of it: what its card shows between the lines and the supplies.
///
/// A device kind uses the circuits that are there (`.button(line:)`, `.leds(lines:)`, `.box(…)`). A kind that needs
/// a symbol of its own has a type that conforms to this protocol, in its own file; no renderer has to know it.
protocol WiringCircuit: Sendable {
  /// The terminals that lead to lines, from the top.
  var terminals: [WiringTerminal] { get }

  /// The rows of the terminals, counted from the circuit's first row, rising. By default each has the next row.
  var terminalRows: [Int] { get }

  /// The terminals that lead to supplies, on the other side of the card.
  var supplies: [SupplyTerminal] { get }

  /// How many rows the circuit is high. By default as many as its terminals need, lines and supplies.
  var rowCount: Int { get }

  /// What is said of the circuit behind the words for the kind, as "NC" or "active low"; nil for nothing.
  var qualifier: String? { get }

  /// How many LEDs are driven by lines. By default none.
  var lampCount: Int { get }

  /// Everything that the circuit draws and somebody has to buy.
  func parts(lamps: LampBudget) -> [WiringPart]

  /// What somebody who builds the circuit has to know. By default nothing.
  var notes: [WiringNote] { get }

  /// What can be checked with a meter before the board is connected. By default nothing.
  ///
  /// - Parameter device: the name of the device.
  func checks(of device: String) -> [WiringCheck]

  /// Draws the circuit, from the ends of the terminals' tabs to the edge where the supplies are.
  func draw(on card: inout CardDrawing)

  /// The circuit as text: the lines that begin behind the name of each terminal's line. Texts beyond the last
  /// terminal have a row of their own. At most 57 characters a text.
  func texts(lamps: LampBudget) -> [CircuitText]
}

extension WiringCircuit {
  var supplies: [SupplyTerminal] { [] }
  var terminalRows: [Int] { Array(terminals.indices) }
  var rowCount: Int { max((terminalRows.last ?? -1) + 1, (supplies.map(\.halfRow).max() ?? 0) / 2 + 1) }
  var qualifier: String? { nil }
  var lampCount: Int { 0 }
  func parts(lamps: LampBudget) -> [WiringPart] { [] }
  var notes: [WiringNote] { [] }
  func checks(of device: String) -> [WiringCheck] { [] }
}

/// A terminal of a device that is wired to a line.
struct WiringTerminal: Hashable, Sendable {
  /// The name of the line, as the panel file has it.
  var line: String

  /// The name of the terminal on the part, as `ECHO`; empty where the part has only one.
  var role = ""

  /// The function of the header that the device uses the line for; nil for a plain input or output. A line that is
  /// used for its own function needs no warning that the function takes it.
  var function: BoardHeader.Function?

  /// The bias that the line is requested with; nil for an output.
  var pull: Pull?

  /// The pin of the header, 1 to 40; nil if the line isn't on the header.
  var pin: Int? { BoardHeader.pin(ofLineNamed: line) }

  /// The words for the place where the wire ends: "pin 11", or the line's name where no header is known.
  var place: String { pin.map { "pin \($0)" } ?? line }
}

extension WiringTerminal {
  init(_ line: String, _ role: String = "", for function: BoardHeader.Function? = nil, pull: Pull? = nil) {
    self.init(line: line, role: role, function: function, pull: pull)
  }

  /// Terminals with the roles 1, 2 and so on; without a role if there is only one.
  static func numbered(_ lines: [String], pull: Pull? = nil) -> [WiringTerminal] {
    lines.enumerated().map { WiringTerminal($1, lines.count > 1 ? "\($0 + 1)" : "", pull: pull) }
  }
}

/// A terminal of a device that is wired to a supply.
struct SupplyTerminal: Hashable, Sendable {
  var net: SupplyNet

  /// Where it leaves the card, in half rows below the circuit's first row. Two terminals of a device never share
  /// one.
  var halfRow: Int

  /// The name of the terminal on the part, as `VCC`; empty where the part has none.
  var role = ""

  init(_ net: SupplyNet, atHalfRow halfRow: Int, role: String = "") {
    self.net = net
    self.halfRow = halfRow
    self.role = role
  }
}
