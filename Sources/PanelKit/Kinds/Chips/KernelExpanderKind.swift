import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `more: { expander: mcp23017 }`: a port expander that the kernel drives. Its lines are `more.0` and so on, or have
/// the names of the kernel or the data sheet: `more.GPA0`. The name in the file is used everywhere.
///
/// The kernel's drivers for such chips include `pinctrl-mcp23s08`, `gpio-pca953x` and `gpio-pcf857x`.
package struct KernelExpanderKind: DrivenChipKind {
  package static let grammar = FieldSet(
    name: "an expander", summary: "GPIO chip that Linux drives, such as an MCP23017, a PCF8574 or a TCA9555",
    sample: "more: { expander: mcp23017 }",
    keys: [Key(name: "expander", takes: "the label, name or path of a GPIO chip: mcp23017", shape: .text)])
  package static let hasInputs = true
  package static var ports: [any Port.Type] { [GPIOChipPort.self] }

  /// The kernel's label, name or path of the chip.
  private let chip: String

  package init?(reading fields: DeviceFields) {
    guard let field = fields["expander"], let chip = fields.text("expander") else { return nil }
    guard chip.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), chip != "auto" else {
      fields.problems.add(
        field.node.position,
        "\(quoted(chip)) is not a GPIO chip; write its label, name or path, as gpiodetect prints it")
      return nil
    }
    guard fields.take("the chip \(chip)", at: "expander") else { return nil }
    self.chip = chip
  }

  private var model: ExpanderModel { ExpanderModel(of: chip) }
  package var lines: [String] { [] }
  package var choices: String { model.choices }
  package var hasPullDowns: Bool { model.hasPullDowns }

  package func line(_ text: String) -> String? {
    if model.number(of: text) != nil { return text }
    // The kernel may name a line `P20`, but not on a chip whose data sheet has `P0` to `P17`.
    return LineUsers.isName(text) && !(model.isKnown && ExpanderModel.isOfDataSheet(text)) ? text : nil
  }

  /// `gpiochip1:3` if the file gives the chip that name; `more.3` for any other.
  package func identity(of line: String, on name: String) -> String {
    guard let number = model.number(of: line) else { return "\(name).\(line)" }
    let chip = chip.hasPrefix("/dev/") ? String(chip.dropFirst("/dev/".count)) : chip
    return LineUsers.canonical("\(chip):\(number)") ?? "\(name).\(number)"
  }

  package func port(with lines: [String]) -> GPIOChipPort? { makePort(lines) }

  private func makePort(_ lines: [String]) -> GPIOChipPort {
    GPIOChipPort(.named(chip), simulatedLines: lines.map { LineName($0) })
  }

  package func chip(in context: ChipContext) -> any GPIOChip {
    let port = makePort(context.lines)
    return context.platform.simulated(at: port)
      ?? renamed(context.platform.hardware(at: port))
  }

  /// The chip of this machine, with the line names of the file.
  func renamed(_ chip: any GPIOChip) -> RenamedLines {
    let model = model
    return RenamedLines(of: chip) { line in
      let own = LineUsers.parts(of: line).map { String($0.line) } ?? line
      return model.number(of: own).map { "\(self.chip):\($0)" } ?? own
    }
  }

  package func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld? {
    context.platform.simulated(at: makePort(context.lines)).map { ChipWorld(lines: $0) }
  }

  package func wiring(named name: String) -> WiringPlan.Device? { nil }
  package var wiringKind: String { "port expander \(chip)" }

  package var wiringNotes: [WiringNote] {
    let bus = WiringNote(
      """
      Connect the port expander to 3.3 V, to ground, and to the bus of its overlay in config.txt. For inputs, also connect its \
      interrupt output to the line that the overlay names.
      """)
    guard chip.hasPrefix("pcf857") else { return [bus] }
    return [
      bus,
      WiringNote(
        """
        Outputs of a PCF8574 give only 0.1 mA while they are high. Wire LEDs to 3.3 V and write "active: low". For contacts, \
        write "pull: none": they need no resistor there.
        """),
    ]
  }
}
