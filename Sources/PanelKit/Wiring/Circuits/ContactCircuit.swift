/// Push buttons, switches or parts that give pulses, one per line, all connected to one supply.
///
/// A contact connects its line to the level opposite to the pull: to ground, or with `pull: down` to 3.3 V. If the chip
/// has neither pull, the picture has a resistor of 10 kΩ that holds the inactive level.
package struct ContactCircuit: WiringCircuit {
  enum Style: Sendable {
    case button, `switch`
    /// A part with a reed contact or a transistor, which opens and closes by itself.
    case pulses

    /// The name of the part.
    var part: String {
      switch self {
      case .button: "push button"
      case .switch: "switch"
      case .pulses: "part with a pulse output"
      }
    }
  }

  var style: Style
  var lines: [String]

  /// Whether the input is active at a high level.
  var isActiveHigh = false

  var pull: Pull = .up

  /// The panel's word for an active input: "pressed" for buttons, the file's own word for switches.
  var word: String

  /// Whether the contacts are closed at rest (NC). Then the pull alone makes the input active.
  var isClosedAtRest: Bool { pull == .up && isActiveHigh || pull == .down && !isActiveHigh }

  package var terminals: [WiringTerminal] { WiringTerminal.numbered(lines, pull: pull) }

  /// The contacts share one supply terminal. With external resistors, each contact has two rows: one for the contact
  /// and one for its resistor, each with its own supply.
  package var supplies: [SupplyTerminal] {
    guard pull == .none else { return [SupplyTerminal(net, atHalfRow: lines.count - 1)] }
    return terminalRows.flatMap { row in
      [SupplyTerminal(net, atHalfRow: 2 * row), SupplyTerminal(resistorNet, atHalfRow: 2 * row + 2)]
    }
  }

  package var terminalRows: [Int] { lines.indices.map { pull == .none ? 2 * $0 : $0 } }

  package var qualifier: String? { isClosedAtRest ? "NC" : nil }

  package func parts(lamps: SeriesResistor) -> [WiringPart] {
    let name = style.part
    let contact = WiringPart(isClosedAtRest ? "\(name), normally closed (NC)" : name, count: lines.count)
    return pull == .none ? [contact, WiringPart("resistor 10 kΩ", count: lines.count)] : [contact]
  }

  package var notes: [WiringNote] {
    (isClosedAtRest ? [.normallyClosed(openWord: word)] : []) + (pull == .none ? [.externalPull] : [])
  }

  package func checks(of device: String) -> [ContinuityCheck] {
    terminals.map { terminal in
      let name = terminal.role.isEmpty ? device : "\(device) \(terminal.role)"
      let ends = "between the wire for \(terminal.place) and \(net.words) the meter beeps"
      if style == .pulses {
        return ContinuityCheck(
          group: "pulses", text: "Pulses: move \(name) slowly; with a reed contact, \(ends) once per pulse",
          advice: "A part with a transistor gives pulses only with its supply, so this check is not for it.")
      }
      return isClosedAtRest
        ? ContinuityCheck(group: "NC", text: "Normally closed: \(ends) at rest, and not while \(name) is \(word)")
        : ContinuityCheck(
          group: "contacts", text: "Contacts: \(ends) only while \(name) is \(word)",
          advice: style == .button ? "Of the four legs of a push button, use two on a diagonal." : "")
    }
  }

  package func draw(on card: inout CircuitCanvas) {
    let isJoined = lines.count > 1 && pull != .none
    let common = 226.0
    for (terminal, row) in zip(terminals, terminalRows) {
      let v = CircuitCanvas.row * Double(row)
      if !terminal.role.isEmpty { card.labelAbove(terminal.role, 86, v) }
      card.stroke((CircuitCanvas.tabEnd, v), (140, v))
      drawContact(on: &card, v)
      card.stroke((174, v), (isJoined ? common : CircuitCanvas.edge, v))
      if isClosedAtRest { card.labelAbove("NC", 190, v, isMuted: true) }
      if pull == .none {
        let below = v + CircuitCanvas.row
        card.joint(112, v)
        card.stroke((112, v), (112, below), (CircuitCanvas.edge, below))
        card.resistor(from: 135, to: 179, below, "10 kΩ")
      }
    }
    if isJoined { card.drawCommon(u: common, rows: lines.count) }
  }

  package func texts(lamps: SeriesResistor) -> [CircuitTextRow] {
    let symbol =
      switch (style, isClosedAtRest) {
      case (.button, false): "○ ┴ ○"
      case (.button, true): "○─┴─○"
      case (.switch, false), (.pulses, false): "○  /○"
      case (.switch, true), (.pulses, true): "○───○"
      }
    let remark = (isClosedAtRest ? "   opens (NC)" : "") + (pull == .none ? "   and 10 kΩ to \(resistorNet.words)" : "")
    return terminals.map { CircuitTextRow("\(CircuitTextRow.wire(to: $0.role)) \(symbol) ── \(net.words)\(remark)") }
  }

  /// The supply of the contacts.
  private var net: SupplyNet { pull == .down || pull == .none && isActiveHigh ? .volts3 : .ground }

  /// The supply of the resistors.
  private var resistorNet: SupplyNet { net == .ground ? .volts3 : .ground }

  /// Draws two contacts and the moving part between them: a bar with a plunger, or a lever.
  private func drawContact(on card: inout CircuitCanvas, _ v: Double) {
    card.ring(142, v, radius: 2.4)
    card.ring(172, v, radius: 2.4)
    switch (style, isClosedAtRest) {
    case (.button, _):
      let bar = isClosedAtRest ? v + 3.6 : v - 7
      card.stroke((139, bar), (175, bar))
      card.stroke((157, bar), (157, v - 12))
      card.stroke((152, v - 12), (162, v - 12))
    case (.switch, true), (.pulses, true): card.stroke((143, v - 2.4), (176, v - 3.4))
    case (.switch, false), (.pulses, false): card.stroke((144, v - 1.6), (170, v - 12))
    }
  }
}

extension CircuitCanvas {
  /// Draws the wire that joins the rows of a group, and its path to the card's outer edge in the middle of the rows.
  mutating func drawCommon(u: Double, rows: Int) {
    let (bottom, exit) = (Self.row * Double(rows - 1), Self.v(halfRow: rows - 1))
    stroke((u, 0), (u, bottom))
    stroke((u, exit), (Self.edge, exit))
    for row in 1..<max(1, rows - 1) { joint(u, Self.row * Double(row)) }
    if rows % 2 == 0 { joint(u, exit) }
  }
}

extension WiringCircuit where Self == ContactCircuit {
  /// - Parameters:
  ///   - isActiveHigh: Whether a pressed button gives a high level; nil for the level of a contact that closes when it
  ///     is pressed.
  ///   - word: The panel's word for the state in which the button isn't at rest.
  package static func button(
    line: String, isActiveHigh: Bool? = nil, pull: Pull = .up, word: String = "pressed"
  ) -> Self { buttons(lines: [line], isActiveHigh: isActiveHigh, pull: pull, word: word) }

  static func buttons(
    lines: [String], isActiveHigh: Bool? = nil, pull: Pull = .up, word: String = "pressed"
  ) -> Self {
    ContactCircuit(
      style: .button, lines: lines, isActiveHigh: isActiveHigh ?? (pull == .down), pull: pull, word: word)
  }

  /// The output of a part that gives pulses, such as a flow meter.
  package static func pulses(line: String, pull: Pull) -> Self {
    ContactCircuit(style: .pulses, lines: [line], isActiveHigh: pull == .down, pull: pull, word: "closed")
  }

  /// - Parameter word: The panel's word for the position in which the switch is on.
  package static func `switch`(
    line: String, isActiveHigh: Bool? = nil, pull: Pull = .up, word: String = "on"
  ) -> Self {
    ContactCircuit(
      style: .switch, lines: [line], isActiveHigh: isActiveHigh ?? (pull == .down), pull: pull, word: word)
  }
}
