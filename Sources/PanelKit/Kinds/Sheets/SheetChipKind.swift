import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring
import Terminal

/// `pads: { sheet: mpr121, i2c: 0x5A }`: the contacts of a chip with a sheet, as the lines `pads.0` and so on. A closed
/// contact is low, as one to ground.
package struct SheetChipKind: DrivenChipKind {
  package static let grammar = FieldSet(
    name: "a chip with contacts", summary: "touch sensor, or another chip with contacts that a sheet describes",
    sample: "pads: { sheet: mpr121, i2c: 0x5A }",
    keys: [
      Key(
        name: "sheet", takes: "the name of a sheet with contacts: mpr121", shape: .text,
        meaning: "name of a sheet with contacts. `panel sheets` lists those of this program"),
      SheetUse.addressKey, SheetUse.busKey,
      Key(
        name: "every", takes: "a duration 5ms...1s: 20ms", shape: .span(.milliseconds(5) ... .seconds(1)),
        usual: "`20ms`", meaning: "time from one reading to the next. With `interrupt` it is not used"),
      Key(
        name: "interrupt", takes: "a line: GPIO4", shape: .line, usual: "none",
        meaning: "line at the interrupt output of the chip. The chip is then read when a contact changes"),
    ] + SheetUse.settingNames.map { SheetUse.settingKey($0) })
  package static let hasInputs = true
  package static var hasOutputs: Bool { false }
  package static var ports: [any Port.Type] { [I2CBusPort.self] }
  package static var isDriver: Bool { true }

  private let sheet: Sheet
  private let isReplacement: Bool
  private let settings: SheetSettings
  private let bus: Int
  private let address: I2CAddress
  private let interval: Duration
  private let interrupt: String?

  package init?(reading fields: DeviceFields) {
    guard let (sheet, isReplacement) = SheetUse.sheet(of: fields, replacement: Self.replacement) else { return nil }
    guard !sheet.contacts.isEmpty else {
      fields.addProblem(at: "sheet", "\(sheet.name) has no contacts; \(SheetUse.advice(on: sheet))")
      return nil
    }
    let settings = isReplacement ? SheetSettings() : SheetUse.settings(of: fields, sheet)
    let bus = fields.whole("bus") ?? 1
    let interval = fields.has("every") ? fields.duration("every") : .milliseconds(20)
    let interrupt = fields.line("interrupt")
    guard let settings, let interval, (interrupt != nil) == fields.has("interrupt"),
      let address = SheetUse.address(of: fields, sheet, as: "\(sheet.name) of \(fields.name)", bus: bus)
    else { return nil }
    (self.sheet, self.isReplacement, self.bus, self.address) = (sheet, isReplacement, bus, address)
    (self.settings, self.interval, self.interrupt) = (settings, interval, interrupt)
  }

  /// A sheet for a panel that is read without it: it accepts the names of all lines.
  private static func replacement(named name: String, of fields: DeviceFields) -> Sheet {
    Sheet(
      name: name, about: "", source: "", bus: SheetUse.anyBus(of: fields),
      contacts: [Sheet.Contact(name: "0", formula: SheetExpression(0))], valueCount: 0, example: SheetExample())
  }

  package var lines: [String] { interrupt.map { [$0] } ?? [] }
  package var hasPullDowns: Bool { false }

  package func line(_ text: String) -> String? {
    sheet.contacts.contains { $0.name == text } || isReplacement ? text : nil
  }

  package var choices: String {
    let names = sheet.contacts.map(\.name)
    return names.count > 4 ? "\(names[0])...\(names[names.count - 1])" : listed(names)
  }

  // MARK: - Driver

  package func chip(in context: ChipContext) -> any GPIOChip {
    I2CExpander(
      SheetContacts(sheet, settings: settings), context.platform.hardware(at: I2CBusPort(.number(bus))),
      address: address,
      interrupt: interrupt.map { LineName($0) }, on: interrupt == nil ? nil : context.base,
      linePrefix: context.name + ".",
      settings: .init(poll: interval, check: SheetContacts.checkInterval(of: sheet, hasInterrupt: interrupt != nil)))
  }

  package func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld? {
    guard let bus = context.platform.simulated(at: I2CBusPort(.number(bus))) else { return nil }
    let part = SimulatedSheetContacts(
      sheet, on: bus, at: address, interrupt: interrupt.map { chip.line(LineName($0)) },
      linePrefix: context.name + ".", settings: settings)
    return ChipWorld(lines: part.pins, hardware: part, powerUp: { part.powerUp() })
  }

  // MARK: - Wiring

  package func wiring(named name: String) -> WiringPlan.Device? {
    var device = SheetUse.wiring(of: sheet, at: .i2c(bus: bus, address), named: name, isInput: true)
    if let interrupt, bus == 1 {
      device = WiringPlan.Device(
        named: name, kind: sheet.name, isInput: true,
        .i2c(sheet.name.uppercased(), lines: [(interrupt, "interrupt")]))
    }
    return device
  }

  package var wiringKind: String { sheet.name }
  package var contactPart: String? { "pad" }

  package var wiringNotes: [WiringNote] {
    [
      WiringNote(
        "A contact of a touch sensor is a piece of metal or foil at a wire. It needs no ground and no resistor.")
    ]
  }
}
