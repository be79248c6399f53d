import HardwareDrivers
import PanelWiring

/// A kind of chip that a panel file can name under `chips`, such as `expander` in `more: { expander: mcp23017 }`. A
/// value of the type is one chip. Devices use its lines like those of the panel's own chip. The name of a line is the
/// chip's name, a dot, and a name of the kind: `more.GPA0`.
public protocol ChipKind: Equatable, Sendable {
  /// The keys that a file can write for such a chip; the first one names the kind.
  static var grammar: FieldSet { get }
  /// Whether its lines can be inputs.
  static var hasInputs: Bool { get }
  /// Whether its lines can be outputs. The default is true.
  static var hasOutputs: Bool { get }
  /// The ports of the hardware that such chips need beside the lines of a chip: `[I2CBusPort.self]`. A command has an
  /// option for each, `--i2c real|simulated`, and a scenario the step `unplug: i2c`. The default is none.
  static var ports: [any Port.Type] { get }
  /// Whether the chip for drivers is a driver itself, such as a port expander on a bus. The default is false.
  static var isDriver: Bool { get }

  /// Reads the settings of one chip. Adds a problem for each wrong one. Returns nil if they don't give a chip.
  init?(reading fields: DeviceFields)

  /// The lines of another chip that this chip is wired to, as the file names them. A chip without ``ports`` is lost
  /// together with that chip. A chip on a port, such as an expander on a bus with an interrupt line, is lost alone.
  var lines: [String] { get }
  /// The name of a line in messages, drivers and wirings, without the chip's name, for the text in the file. Returns
  /// nil if the chip has no such line.
  func line(_ text: String) -> String?
  /// The names of the lines in a message: `Q0...Q7`.
  var choices: String { get }
  /// A text that is the same for all names of a line, also for its name on the panel's own chip. It ensures that a line
  /// has only one use. The default is the line's name after the chip's name: `more.3`.
  func identity(of line: String, on chip: String) -> String
  /// Whether the chip has resistors that can pull an input low. The default is true.
  var hasPullDowns: Bool { get }
  /// The PWM channel of a line, by the name that ``line(_:)`` returns. The default is nil, for a chip without PWM.
  func pwmChannel(of line: String) -> PWMPort?
  /// The frequency of all PWM channels of the chip, in hertz. The default is nil: each channel has its own frequency.
  var pwmHertz: Int? { get }

  /// The part at each of its lines, if the lines are contacts of the chip itself: `pad`. The devices on such lines have
  /// no parts of their own. The default is nil.
  var contactPart: String? { get }
  /// The wiring of the chip. The default is nil, for a chip without wires to lines.
  func wiring(named name: String) -> WiringPlan.Device?
  /// The name of the kind in the wiring of devices: `shift register`.
  var wiringKind: String { get }
  /// Notes for a person who wires devices to the chip.
  var wiringNotes: [WiringNote] { get }
}

extension ChipKind {
  /// The key that names the kind: `expander`.
  package static var word: String { grammar.keys[0].name }
  public static var ports: [any Port.Type] { [] }
  public static var isDriver: Bool { false }
  public static var hasOutputs: Bool { true }
  public var lines: [String] { [] }
  public func identity(of line: String, on chip: String) -> String { "\(chip).\(line)" }
  public var hasPullDowns: Bool { true }
  public func pwmChannel(of line: String) -> PWMPort? { nil }
  public var pwmHertz: Int? { nil }
  public var contactPart: String? { nil }
  public func wiring(named name: String) -> WiringPlan.Device? { nil }
  public var wiringNotes: [WiringNote] { [] }

  /// Whether the chip can be lost alone; if not, it is lost with the chip of its ``lines``.
  package var isLostAlone: Bool { lines.isEmpty || !Self.ports.isEmpty }

  func isEqual(to other: any ChipKind) -> Bool { other as? Self == self }
}
