import HardwareDrivers
import HardwareSimulation
import PanelLanguage
import PanelWiring

/// `out: { shift-register: { data: GPIO5, clock: GPIO6, latch: GPIO13 }, registers: 2 }`: up to eight 74HC595 in a
/// chain, with the outputs `out.Q0` to `out.Q15`.
package struct ShiftRegisterKind: DrivenChipKind {
  package static let grammar = FieldSet(
    name: "a shift register", summary: "74HC595, or a chain of up to 8 of them, at three or four lines",
    sample: "out: { shift-register: { data: GPIO5, clock: GPIO6, latch: GPIO13 } }",
    keys: [
      Key(
        name: "shift-register", takes: "its lines: { data: GPIO5, clock: GPIO6, latch: GPIO13 }",
        shape: .fields(wires)),
      Key(
        name: "registers", takes: "the number of registers in the chain: 2", shape: .whole(1...8), usual: "`1`",
        meaning: "number of registers in the chain. Each register has eight outputs"),
    ])
  package static let hasInputs = false

  private static let wires = FieldSet(
    name: "the lines of a shift register",
    keys: [
      Key(
        name: "data", takes: "a line: GPIO5", isRequired: true, shape: .line,
        meaning: "line at DS of the first register"),
      Key(
        name: "clock", takes: "a line: GPIO6", isRequired: true, shape: .line, meaning: "line at SHCP of all registers"),
      Key(
        name: "latch", takes: "a line: GPIO13", isRequired: true, shape: .line, meaning: "line at STCP of all registers"
      ),
      Key(
        name: "enable", takes: "a line: GPIO19", shape: .line, usual: "/OE is wired to ground",
        meaning:
          "line at /OE of all registers, with a pull-up resistor: no output is driven before the panel has started"
      ),
    ])

  private let data: String
  private let clock: String
  private let latch: String
  /// The line at /OE; nil if /OE is wired to ground.
  private let enable: String?
  /// The number of registers, 1...8.
  private let count: Int

  package init?(reading fields: DeviceFields) {
    count = fields.whole("registers") ?? 1
    guard fields["shift-register"] != nil, let wires = fields.inside("shift-register", Self.wires) else { return nil }
    let (data, clock, latch) = (wires.line("data"), wires.line("clock"), wires.line("latch"))
    enable = wires.line("enable")
    guard let data, let clock, let latch, enable != nil || wires["enable"] == nil else { return nil }
    (self.data, self.clock, self.latch) = (data, clock, latch)
  }

  package var lines: [String] { [data, clock, latch] + (enable.map { [$0] } ?? []) }
  package var choices: String { "Q0...Q\(8 * count - 1)" }

  package func line(_ text: String) -> String? {
    let digits = text.hasPrefix("Q") ? text.dropFirst() : text[...]
    return (0..<8 * count).first { digits == "\($0)" }.map { "Q\($0)" }
  }

  private func names(of chip: String) -> [LineName] { (0..<8 * count).map { LineName("\(chip).Q\($0)") } }

  package func chip(in context: ChipContext) -> any GPIOChip {
    let names = names(of: context.name)
    var levels: LineValues = []
    for (output, name) in names.enumerated() where context.high.contains(name.description) { levels[output] = .active }
    let register = ShiftRegister(
      context.base, data: LineName(data), clock: LineName(clock), latch: LineName(latch),
      outputEnable: enable.map { LineName($0) }, settings: .init(chipCount: count))
    return ShiftRegisterChip(register, names: names, levels: levels)
  }

  /// No program requests the lines of this chip: the register drives them.
  package func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld? {
    let outputs = SimulatedChip(chip.bench, label: context.name, names: names(of: context.name))
    let register = SimulatedShiftRegister(
      chip, data: LineName(data), clock: LineName(clock), latch: LineName(latch),
      outputEnable: enable.map { LineName($0) }, chipCount: count)
    let drive = { (levels: LineValues) in
      for line in outputs.lines { line.drive(levels[line.offset].isActive ? .high : .low) }
    }
    drive(register.levels)
    register.onChange { levels, _ in drive(levels) }
    return ChipWorld(lines: outputs, powerUp: { register.powerUp() })
  }

  package var wiringKind: String { count == 1 ? "shift register" : "chain of \(count) shift registers" }

  package func wiring(named name: String) -> WiringPlan.Device? {
    let terminals = [WiringTerminal(data, "DS"), WiringTerminal(clock, "SHCP"), WiringTerminal(latch, "STCP")]
    let resistor = enable == nil ? [] : [WiringPart("resistor 10 kΩ")]
    return WiringPlan.Device(
      name: name, kind: wiringKind, direction: .output,
      circuits: [
        .box(
          "74HC595", terminals: terminals + (enable.map { [WiringTerminal($0, "/OE")] } ?? []),
          supplies: ["VCC": .volts3, "GND": .ground])
      ],
      parts: (count > 1 ? [WiringPart("74HC595", count: count - 1)] : []) + resistor
        + [WiringPart("capacitor 100 nF", count: count)],
      notes: [
        WiringNote(
          """
          Pins of a 74HC595: DS is 14, SHCP 11, STCP 12, /OE 13, /MR 10, GND 8, VCC 16 and Q0 15. Q1 to Q7 are 1 to 7. \
          Connect /MR to 3.3 V, and 100 nF between VCC and GND. An output gives at most 35 mA, and all outputs together 70 mA.
          """)
      ]
        + (count > 1
          ? [
            WiringNote(
              "In a chain, connect Q7S (pin 9) of each 74HC595 to DS of the next one. Connect SHCP and STCP to all of them."
            )
          ] : [])
        + [
          enable == nil
            ? WiringNote(
              "/OE is at ground. From power-on until the panel has started, the outputs have random levels.")
            : WiringNote("Connect 10 kΩ from /OE to 3.3 V: no output is driven until the panel has started.")
        ])
  }
}
