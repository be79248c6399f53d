import HardwareDrivers
import PanelWiring

/// A word that names an input in a file: a kind of device, or several devices under one name.
public protocol InputDeclaration: Sendable {
  /// The keys that a file can write; the first one is the word itself.
  static var grammar: FieldSet { get }
  /// Whether the devices are a group, whose members are numbered from 1.
  static var isGroup: Bool { get }

  /// Reads the devices. Adds a problem for each wrong setting. Returns nil if the settings don't give a device.
  static func members(reading fields: DeviceFields) -> [any InputKind]?

  /// The ``grammar`` with those keys whose values depend on the other kinds of the list.
  static func place(in kinds: KindList) -> FieldSet
  /// The ports of the hardware that such devices need beside the lines of a chip: `[I2CBusPort.self]`. A command has an
  /// option for each, `--i2c real|simulated`, and a scenario the step `unplug: i2c`. The default is none.
  static var ports: [any Port.Type] { get }
}

extension InputDeclaration {
  public static var ports: [any Port.Type] { [] }
  public static func place(in kinds: KindList) -> FieldSet { grammar }
  /// The key that names the devices: `button`.
  package static var word: String { grammar.keys[0].name }
  public static var isGroup: Bool { true }
}
