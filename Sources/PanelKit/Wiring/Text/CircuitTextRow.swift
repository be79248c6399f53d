/// One line of a circuit in the text form, and the lines below it.
package struct CircuitTextRow: Equatable, Sendable {
  /// The text after the name of the terminal's line. It starts with a wire.
  var line: String

  /// Further lines below it, for example the lower end of a divider.
  var below: [String] = []

  init(_ line: String, below: [String] = []) {
    self.line = line
    self.below = below
  }

  /// The wire that leads to a terminal, with the terminal's role.
  static func wire(to role: String) -> String {
    role.isEmpty ? "───" : "── \(role)\(String(repeating: " ", count: max(0, 2 - role.count))) ──"
  }

  /// The names of a part's terminals, each with its supply: "VCC ── 5 V, GND ── GND".
  static func wires(to supplies: [SupplyTerminal]) -> String {
    supplies.map { "\($0.role.isEmpty ? "" : "\($0.role) ── ")\($0.net.words)" }.joined(separator: ", ")
  }

  /// The same names and supplies in several texts, of 42 characters at most if the names are short.
  static func facts(of supplies: [SupplyTerminal]) -> [String] {
    supplies.map { wires(to: [$0]) }.reduce(into: []) { facts, wire in
      if let last = facts.last, last.count + wire.count + 2 <= 42 {
        facts[facts.count - 1] = "\(last), \(wire)"
      } else {
        facts.append(wire)
      }
    }
  }

  /// The rows of a part, with a fact beside each. Further facts have their own rows below.
  static func rows(_ rows: [String], beside facts: [String]) -> [CircuitTextRow] {
    let column = (rows.map(\.count).max() ?? 0) + 4
    let indentation = String(repeating: " ", count: column)
    return (0..<max(rows.count, facts.count)).map { index in
      let row = index < rows.count ? rows[index] : ""
      guard index < facts.count else { return CircuitTextRow(row) }
      return CircuitTextRow(row + indentation.dropFirst(row.count) + facts[index])
    }
  }
}
