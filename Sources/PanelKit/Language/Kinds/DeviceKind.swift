import HardwareDrivers
import PanelWiring

/// A kind of device that a panel file can name, such as `button` in `bell: { button: GPIO17 }`. A value of the type is
/// one device of a file, with its settings.
///
/// A kind is one file with its name, its settings, its driver, its scenario steps, and its look. It is either an
/// ``InputKind`` or an ``OutputKind``. A kind on GPIO lines is a `LineInputKind` or a `LineOutputKind`, which
/// require the least code. Add it to the list of kinds for `PanelCommand.main(kinds:)`.
public protocol DeviceKind: Equatable, Sendable {
  /// The keys that a file can write for such a device; the first one names the kind.
  static var grammar: FieldSet { get }
  /// The name of the kind's devices in messages, and of their lens: `buttons`.
  static var plural: String { get }

  /// Reads the settings of one device. Adds a problem for each wrong one. Returns nil if they don't give a device.
  init?(reading fields: DeviceFields)

  /// The GPIO lines of the device, as the file names them.
  var lines: [String] { get }
  /// The hardware with a port of its own that `panel doctor` looks for, such as the PWM channel of a lamp. The default
  /// is none.
  var hardware: [DeviceHardware] { get }
  /// The wiring of the device in the picture of the panel's wiring; nil for a device without its own wires. The default
  /// is a box with a terminal for each line.
  func wiring(named name: String) -> WiringPlan.Device?
}

/// Hardware that one device of a panel uses beside its lines.
public struct DeviceHardware: Sendable {
  public var port: any Port
  /// Whether the device does not work without it.
  public var isRequired: Bool

  public init(_ port: any Port, isRequired: Bool = true) {
    (self.port, self.isRequired) = (port, isRequired)
  }
}

extension DeviceKind {
  public var hardware: [DeviceHardware] { [] }
  public static var plural: String { grammar.keys[0].name + "s" }
  /// The kind with its article: `a button`.
  package static var phrase: String { grammar.name }

  /// A box with a terminal for each line; nil for a device without lines.
  public func wiring(named name: String) -> WiringPlan.Device? {
    lines.isEmpty
      ? nil
      : WiringPlan.Device(
        named: name, kind: Self.grammar.summary, isInput: self is any InputKind,
        .box(Self.grammar.keys[0].name, lines: lines.enumerated().map { ($1, "\($0 + 1)") }))
  }

  package func isEqual(to other: any DeviceKind) -> Bool { other as? Self == self }
}
