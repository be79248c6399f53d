import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A kind of chip that `chips` of a panel file can name, as `expander` in `more: { expander: mcp23017 }`. A value of the type is one
/// chip. Devices are on its lines as on those of the panel's own chip; a line is called by the chip's name, a dot, and a name of the
/// kind's: `more.GPA0`.
public protocol ChipKind: Equatable, Sendable {
  /// The keys that a file can write for such a chip; the first one names the kind.
  static var grammar: Place { get }
  /// Whether its lines can be inputs.
  static var hasInputs: Bool { get }

  /// Reads the settings of one chip. Adds a problem for each that is wrong; nil if no chip can be made of them.
  init?(reading fields: DeviceFields)

  /// The lines of another chip that it is wired to, as the file names them: it is lost with that chip. None for a chip that can be
  /// lost by itself.
  var lines: [String] { get }
  /// What messages, drivers and wirings call a line, without the chip's name, of which the file has this text; nil if the chip has no such
  /// line.
  func line(_ text: String) -> String?
  /// The lines in a message: `Q0...Q7`.
  var choices: String { get }
  /// What is the same for all names of a line, also for that of the panel's own chip: a line has one use. With the chip's name before it,
  /// `more.3`, which it is unless a kind says otherwise.
  func identity(of line: String, on chip: String) -> String
  /// Whether it has resistors that can pull an input low; true unless a kind says otherwise.
  var hasPullDowns: Bool { get }

  /// Where the chip is on this machine, with those of its lines that devices are on; nil, as usual, for a chip that is wired to lines.
  func port(with lines: [String]) -> GPIOChipPort?
  /// The chip as drivers use it: its lines are called as in the file, with the chip's name. Opens nothing.
  func chip(in context: ChipContext) -> any GPIOChip
  /// The world's side of the chip; nil on a real one.
  ///
  /// - Parameters:
  ///   - context: as for ``chip(in:)``.
  ///   - chip: the simulated chip that its own lines are on.
  func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld?
  /// How the chip is wired; nil, as usual, for one without wires to lines.
  func wiring(named name: String) -> WiringPlan.Device?
  /// The words for the kind where devices are wired to it: `shift register`.
  var wiringKind: String { get }
  /// What somebody has to know who wires devices to it.
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

/// What a chip is made with.
public struct ChipContext {
  /// The chip's name in the file.
  public let name: String
  /// Gives the hardware that has a port of its own.
  public let platform: Platform
  /// The chip that its own lines are on.
  public let base: any GPIOChip
  /// The lines that devices of the panel are on, with the chip's name before them.
  public let lines: [String]
  /// The lines that are high while all outputs are in their safe state.
  public let high: Set<String>
}

/// The world's side of a simulated chip.
public struct ChipWorld {
  /// A chip whose lines have the levels of this one's: they are called as in the file.
  public let lines: SimulatedChip
  /// Cuts the power and restores it.
  public let powerUp: () -> Void

  /// - Parameters:
  ///   - lines: a chip whose lines have the levels of this one's: they are called as in the file.
  ///   - powerUp: cuts the power and restores it; nothing for a chip that keeps nothing.
  public init(lines: SimulatedChip, powerUp: @escaping () -> Void = {}) {
    self.lines = lines
    self.powerUp = powerUp
  }
}
