import CycleCore

/// The registers of a port expander: how its lines are set up, written and read on the bus. An ``I2CExpander`` does
/// everything else. ``MCP23017`` is one; write another for a chip of your own.
///
/// The functions that take a device are called on the worker's thread; they may block for some milliseconds.
public protocol ExpanderRegisters: Sendable {
  /// The names of the lines; line n is bit n. 1 to 64, no two of them the same.
  var lineNames: [LineName] { get }
  /// The kind of the chip in errors. The default is `port expander`.
  var kind: String { get }

  /// Returns why the chip can't do this with one of its lines; nil if it can.
  func refusal(of line: LineConfiguration) -> String?

  /// Writes all registers, whatever the chip's state is: it may have just got its power. The levels of outputs are
  /// written before their directions, so that no line shows another level on the way.
  func setUp(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError)

  /// Writes the levels of the outputs; nothing else has changed.
  func writeLevels(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError)

  /// Reads the levels of all lines. This also ends the chip's interrupt.
  func read(on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) -> ExpanderReading

  /// Returns the levels that the chip's outputs have; nil if it has not the settings of ``setUp(_:on:_:)`` any more,
  /// because its power was cut.
  func readOutputs(_ pins: ExpanderPins, on chip: I2CDevice, _ clock: WorkClock) throws(DriverError) -> LineValues?
}

extension ExpanderRegisters {
  public var kind: String { "port expander" }
}

/// The settings of all lines of a port expander; bit n is line n.
public struct ExpanderPins: Equatable, Sendable {
  /// The outputs; all others are inputs.
  public var outputs: LineValues = []
  /// The levels of the outputs: active is high voltage.
  public var levels: LineValues = []
  /// The inputs with a pull-up resistor.
  public var pullUps: LineValues = []
  /// The inputs with a pull-down resistor.
  public var pullDowns: LineValues = []
  /// The inputs whose changes raise the chip's interrupt.
  public var watched: LineValues = []

  public init() {}
}

/// The levels of all lines of a port expander; bit n is line n, active is high voltage.
public struct ExpanderReading: Equatable, Sendable {
  /// The levels now.
  public var levels: LineValues
  /// The lines whose change has raised the interrupt, and the levels that the chip has stored at that moment.
  public var changed: LineValues
  public var stored: LineValues

  /// - Parameters:
  ///   - levels: the levels now.
  ///   - changed: the lines whose change has raised the interrupt; none for a chip that doesn't store levels.
  ///   - stored: the levels that the chip has stored at the interrupt.
  public init(levels: LineValues, changed: LineValues = [], stored: LineValues = []) {
    self.levels = levels
    self.changed = changed
    self.stored = stored
  }
}
