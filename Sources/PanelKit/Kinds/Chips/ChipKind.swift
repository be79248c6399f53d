import HardwareDrivers
import HardwarePlatform
import HardwareSimulation

/// A kind of chip that a panel file can name under `chips`, such as `expander` in `more: { expander: mcp23017 }`. A
/// value of the type is one chip. Devices use its lines like those of the panel's own chip. The name of a line is the
/// chip's name, a dot, and a name of the kind: `more.GPA0`.
public protocol ChipKind: Equatable, Sendable {
  /// The keys that a file can write for such a chip; the first one names the kind.
  static var grammar: Place { get }
  /// Whether its lines can be inputs.
  static var hasInputs: Bool { get }

  /// Reads the settings of one chip. Adds a problem for each wrong one. Returns nil if they don't give a chip.
  init?(reading fields: DeviceFields)

  /// The lines of another chip that this chip is wired to, as the file names them. The chip is lost together with that
  /// chip. Empty for a chip that can be lost alone.
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

  /// The place of the chip on this machine, with those of its lines that devices use. The default is nil, for a chip
  /// that is wired to lines.
  func port(with lines: [String]) -> GPIOChipPort?
  /// The chip for drivers. Its lines have the names that the file uses, with the chip's name. Opens nothing.
  func chip(in context: ChipContext) -> any GPIOChip
  /// The simulated side of the chip; nil on a real one.
  ///
  /// - Parameters:
  ///   - context: as for ``chip(in:)``.
  ///   - chip: the simulated chip of its own lines.
  func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld?
  /// The wiring of the chip. The default is nil, for a chip without wires to lines.
  func wiring(named name: String) -> WiringPlan.Device?
  /// The name of the kind in the wiring of devices: `shift register`.
  var wiringKind: String { get }
  /// Notes for a person who wires devices to the chip.
  var wiringNotes: [WiringNote] { get }
}

extension ChipKind {
  /// The key that names the kind: `expander`.
  static var word: String { grammar.keys[0].name }
  public var lines: [String] { [] }
  public func identity(of line: String, on chip: String) -> String { "\(chip).\(line)" }
  public var hasPullDowns: Bool { true }
  public func port(with lines: [String]) -> GPIOChipPort? { nil }
  public func wiring(named name: String) -> WiringPlan.Device? { nil }
  public var wiringNotes: [WiringNote] { [] }

  func isEqual(to other: any ChipKind) -> Bool { other as? Self == self }
}

/// The inputs for making a chip.
public struct ChipContext {
  /// The chip's name in the file.
  public let name: String
  /// Provides the hardware that has its own port.
  public let platform: Platform
  /// The chip of its own lines.
  public let base: any GPIOChip
  /// The lines that devices of the panel use, with the chip's name before them.
  public let lines: [String]
  /// The lines that are high while all outputs are in their safe state.
  public let high: Set<String>
}

/// The simulated side of a chip.
public struct ChipWorld {
  /// A chip whose lines have the same levels as this one's, and the names that the file uses.
  public let lines: SimulatedChip
  /// Turns the power off and on.
  public let powerUp: () -> Void

  /// - Parameters:
  ///   - lines: a chip whose lines have the same levels as this one's, and the names that the file uses.
  ///   - powerUp: turns the power off and on; does nothing for a chip without memory.
  public init(lines: SimulatedChip, powerUp: @escaping () -> Void = {}) {
    self.lines = lines
    self.powerUp = powerUp
  }
}
