import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation
import Terminal

/// `more: { expander: mcp23017 }`: a port expander that the kernel drives, with the lines `more.0` and so on, or as the kernel or the
/// data sheet calls them: `more.GPA0`.
struct ExpanderKind: ChipKind {
  static let grammar = Place(
    name: "an expander", summary: "GPIO chip that Linux drives, as an MCP23017, a PCF8574 or a TCA9555",
    sample: "more: { expander: mcp23017 }",
    keys: [Key(name: "expander", takes: "the label, name or path of a GPIO chip: mcp23017", shape: .text)])
  static let hasInputs = true

  /// The kernel's label, name or path of the chip.
  private let chip: String

  init?(reading fields: DeviceFields) {
    guard let field = fields["expander"], let chip = fields.text("expander") else { return nil }
    guard chip.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), chip != "auto" else {
      fields.problems.add(
        field.node.position, "\(quoted(chip)) is no chip; write its label, name or path, as gpiodetect prints it")
      return nil
    }
    guard fields.take("the chip \(chip)", at: field.node.position) else { return nil }
    self.chip = chip
  }

  var lines: [String] { [] }
  var choices: String { "0...63, GPA0...GPB7, P0...P17, or the kernel's name of a line" }

  /// The numbers of the lines that data sheets have names for: of the MCP23017, the PCF8574 and PCF8575, and the TCA9555.
  private static let dataSheets: [String: Int] = {
    var numbers: [String: Int] = [:]
    for bit in 0..<8 {
      numbers["GPA\(bit)"] = bit
      numbers["GPB\(bit)"] = 8 + bit
      numbers["P\(bit)"] = bit
      numbers["P0\(bit)"] = bit
      numbers["P1\(bit)"] = 8 + bit
    }
    return numbers
  }()

  func line(_ text: String) -> String? {
    if let number = Self.dataSheets[text] ?? (0..<64).first(where: { text == "\($0)" }) { return "\(number)" }
    return LineUsers.isName(text) ? text : nil
  }

  /// `gpiochip1:3` of a chip that the file calls by that name.
  func otherName(of line: String) -> String? {
    let name = chip.hasPrefix("/dev/") ? String(chip.dropFirst("/dev/".count)) : chip
    return Int(line).flatMap { LineUsers.canonical("\(name):\($0)") }
  }

  func port(with lines: [String]) -> GPIOChipPort? { makePort(lines) }

  private func makePort(_ lines: [String]) -> GPIOChipPort {
    GPIOChipPort(.named(chip), simulatedLines: lines.map { LineName($0) })
  }

  func chip(in context: ChipContext) -> any GPIOChip {
    let port = makePort(context.lines)
    return context.platform.simulated(at: port)
      ?? renamed(context.platform.hardware(at: port), context.name)
  }

  /// The chip of this machine with its lines called as in the file.
  func renamed(_ chip: any GPIOChip, _ name: String) -> RenamedLines {
    RenamedLines(of: chip) { line in
      let own = line.dropFirst(name.utf8.count + 1)
      return Int(own) == nil ? String(own) : "\(self.chip):\(own)"
    }
  }

  func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld? {
    context.platform.simulated(at: makePort(context.lines)).map { ChipWorld(lines: $0) }
  }

  func wiring(named name: String) -> WiringPlan.Device? { nil }
  var wiringKind: String { "port expander \(chip)" }

  var wiringNotes: [WiringNote] {
    let bus = WiringNote(
      """
      A port expander is wired to the bus that its overlay in config.txt names, with 3.3 V as its supply. For inputs its interrupt \
      must be wired, and be in the overlay.
      """)
    guard chip.hasPrefix("pcf857") else { return [bus] }
    return [
      bus,
      WiringNote(
        """
        Outputs of a PCF8574 give 0.1 mA while they are high: wire LEDs to 3.3 V with "active: low", and write "pull: none" at \
        contacts, which need no resistor there.
        """),
    ]
  }
}
