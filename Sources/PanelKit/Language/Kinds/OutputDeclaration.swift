import HardwareDrivers
import PanelWiring

/// A word that names an output in a file, like ``InputDeclaration``.
public protocol OutputDeclaration: Sendable {
  /// The keys that a file can write; the first one is the word itself.
  static var grammar: FieldSet { get }
  /// Whether the devices are a group, whose members are numbered from 1.
  static var isGroup: Bool { get }
  /// The appearances that a file can give such an output.
  static var shown: Shape { get }

  /// Reads the devices. Adds a problem for each wrong setting. Returns nil if the settings don't give a device.
  static func members(reading fields: DeviceFields) -> [any OutputKind]?
  /// The ports of the hardware that such devices need beside the lines of a chip: `[I2CBusPort.self]`. A command has an
  /// option for each, `--i2c real|simulated`, and a scenario the step `unplug: i2c`. The default is none.
  static var ports: [any Port.Type] { get }
}

extension OutputDeclaration {
  public static var ports: [any Port.Type] { [] }
  /// The keys that a file can write for such an output: its own, and those of all outputs.
  package static var place: FieldSet { FieldSet(name: grammar.name, keys: grammar.keys + [Grammar.shownBy]) }
  package static var word: String { grammar.keys[0].name }
  public static var isGroup: Bool { true }
}
