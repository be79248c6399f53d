/// The contents of a wiring picture: the devices of a panel, their circuits, and their lines.
///
/// A plan doesn't depend on the panel file or the drivers. A device kind describes a device with the existing circuits:
///
///     WiringPlan.Device(name: "bell", kind: "push button", direction: .input, circuits: [.button(line: "GPIO17")])
public struct WiringPlan: Sendable {
  /// The name of the panel.
  var title: String

  /// The devices, in the order of the panel file.
  package var devices: [Device]

  /// Other chips than the header, with the devices on their lines.
  package var chips: [Chip] = []

  /// Whether the panel plays sounds, which may need the lines of an I2S sound card.
  var playsSounds = false

  /// Notes that concern several devices, for example an interlock.
  var sharedNotes: [SharedNote] = []

  package init(
    title: String, devices: [Device], chips: [Chip] = [], playsSounds: Bool = false, sharedNotes: [SharedNote] = []
  ) {
    (self.title, self.devices, self.chips, self.playsSounds, self.sharedNotes) = (
      title, devices, chips, playsSounds, sharedNotes
    )
  }

  /// The wiring of one device.
  public struct Device: Sendable {
    /// Whether the panel reads the device or drives it. It decides the side of the header for a device whose pins don't
    /// decide it.
    package enum Direction: Sendable { case input, output }

    package var name: String

    /// The words for the kind, for example "push button" or "distance, HC-SR04". The qualifiers of the circuits are
    /// added to them.
    package var kind: String

    package var direction: Direction

    /// The circuits of the device, drawn below each other on one card.
    package var circuits: [any WiringCircuit]

    /// The identity of a board that several devices read, which is drawn once; nil for a device with its own.
    package var board: String?

    /// Parts besides those that the circuits draw.
    package var parts: [WiringPart] = []

    /// Notes besides those of the circuits.
    package var notes: [WiringNote] = []

    /// Checks besides those of the circuits.
    var checks: [ContinuityCheck] = []

    package init(
      name: String, kind: String, direction: Direction, circuits: [any WiringCircuit], parts: [WiringPart] = [],
      notes: [WiringNote] = [], checks: [ContinuityCheck] = []
    ) {
      (self.name, self.kind, self.direction, self.circuits, self.parts, self.notes, self.checks) = (
        name, kind, direction, circuits, parts, notes, checks
      )
    }
  }

  package struct Chip: Sendable {
    package var name: String

    /// The words for the kind, for example "port expander pcf8574".
    package var kind: String

    /// The devices on its lines, in the order of the panel file.
    package var devices: [Device]

    /// Notes for wiring devices to the chip.
    package var notes: [WiringNote] = []

    /// Whether the chip has pull-down resistors.
    package var hasPullDowns = true

    /// The chip itself in the parts list; nil for a chip with a card of its own, which lists its parts.
    package var part: WiringPart?

    package init(
      name: String, kind: String, devices: [Device], notes: [WiringNote] = [], hasPullDowns: Bool = true,
      part: WiringPart? = nil
    ) {
      (self.name, self.kind, self.devices, self.notes, self.hasPullDowns, self.part) = (
        name, kind, devices, notes, hasPullDowns, part
      )
    }

    /// The headline of its devices, for example "Devices at "more" (port expander mcp23017)".
    var title: String { "Devices at \"\(name)\" (\(kind))" }
  }

  package struct SharedNote: Sendable {
    package var note: WiringNote

    /// The names of the devices that it concerns.
    package var devices: [String]

    package init(note: WiringNote, devices: [String]) {
      (self.note, self.devices) = (note, devices)
    }
  }

  /// The devices on the header's lines, then those on each chip's.
  var allDevices: [Device] { devices + chips.flatMap(\.devices) }

  /// The chips with devices, each with the index of its first device in ``allDevices``.
  var usedChips: [(first: Int, chip: Chip)] {
    var first = devices.count
    return chips.filter { !$0.devices.isEmpty }.map { chip in
      defer { first += chip.devices.count }
      return (first, chip)
    }
  }

  /// Whether all lines are on the 40-pin header. If false, the board is unknown, and only the text form is available.
  var isOnHeader: Bool { devices.allSatisfy { $0.terminals.allSatisfy { $0.pin != nil } } }

  /// The LEDs on all lines of the header, and the resistor that limits their current.
  var lamps: SeriesResistor { SeriesResistor(count: devices.reduce(0) { $0 + $1.lampCount }) }

  /// The supplies that devices are wired to, in the order of ``SupplyNet``.
  var nets: [SupplyNet] {
    SupplyNet.allCases.filter { net in allDevices.contains { $0.supplies.contains { $0.net == net } } }
  }
}

extension WiringPlan.Device {
  /// The words for the kind, with the qualifiers of the circuits: "relay board, active low".
  var words: String { ([kind] + circuits.compactMap(\.qualifier)).joined(separator: ", ") }

  /// The terminals of all circuits, from the top of the card.
  var terminals: [WiringTerminal] { circuits.flatMap(\.terminals) }

  /// The rows of the card that the terminals are in.
  var terminalRows: [Int] {
    var first = 0
    return circuits.flatMap { circuit in
      defer { first += circuit.rowCount }
      return circuit.terminalRows.map { first + $0 }
    }
  }

  /// The supply terminals of all circuits, with their half rows counted from the first row of the card.
  var supplies: [SupplyTerminal] {
    var first = 0
    return circuits.flatMap { circuit in
      defer { first += 2 * circuit.rowCount }
      return circuit.supplies.map { SupplyTerminal($0.net, atHalfRow: first + $0.halfRow, role: $0.role) }
    }
  }

  /// The rows of all circuits together, at least one.
  var rowCount: Int { max(1, circuits.reduce(0) { $0 + $1.rowCount }) }

  /// The suffix of the device's name for a terminal's role, for example " A"; empty if the device has only one
  /// terminal.
  func roleSuffix(_ terminal: WiringTerminal) -> String {
    terminals.count > 1 && !terminal.role.isEmpty ? " \(terminal.role)" : ""
  }

  var lampCount: Int { circuits.reduce(0) { $0 + $1.lampCount } }
}
