import CycleCore
import HardwareDrivers
import HardwarePlatform
import HardwareSimulation
import PanelLanguage

/// A kind of chip with its driver. Add it to the list of kinds for `PanelCommand.main(kinds:)`.
public protocol DrivenChipKind: ChipKind {
  /// The place of the chip on this machine, with those of its lines that devices use. The default is nil, for a chip
  /// that is wired to lines.
  func port(with lines: [String]) -> GPIOChipPort?
  /// The chip for drivers. Its lines have the names that the file uses, with the chip's name. Opens nothing.
  ///
  /// A chip that is a driver itself (`isDriver`), such as an ``HardwareDrivers/I2CExpander``, gets a lens of the chip's
  /// name before those of the devices. Its driver has no models and no events. A chip that continues its requests when
  /// another application starts it again keeps its outputs while the panel is reloaded.
  func chip(in context: ChipContext) -> any GPIOChip
  /// The simulated side of the chip; nil on a real one.
  ///
  /// - Parameters:
  ///   - context: as for ``chip(in:)``.
  ///   - chip: the simulated chip of its own lines.
  func world(in context: ChipContext, wiredTo chip: SimulatedChip) -> ChipWorld?
}

extension DrivenChipKind {
  public func port(with lines: [String]) -> GPIOChipPort? { nil }
}

extension ChipKind {
  /// The kind with its driver.
  package var driven: any DrivenChipKind {
    guard let driven = self as? any DrivenChipKind else { programmerError("\(Self.self) is not a DrivenChipKind") }
    return driven
  }
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

  package init(name: String, platform: Platform, base: any GPIOChip, lines: [String], high: Set<String>) {
    (self.name, self.platform, self.base, self.lines, self.high) = (name, platform, base, lines, high)
  }
}

/// The simulated side of a chip.
public struct ChipWorld {
  /// A chip whose lines have the same levels as this one's, and the names that the file uses.
  public let lines: SimulatedChip
  /// The hardware that is unplugged by the chip's name, and by a power cut.
  public let hardware: any SimulatedHardware
  /// Turns the power off and on.
  public let powerUp: () -> Void

  /// - Parameters:
  ///   - lines: a chip whose lines have the same levels as this one's, and the names that the file uses.
  ///   - hardware: the hardware that is unplugged by the chip's name; nil for the chip `lines`.
  ///   - powerUp: turns the power off and on; does nothing for a chip without memory. A power cut calls it while the
  ///     hardware is unplugged.
  public init(lines: SimulatedChip, hardware: (any SimulatedHardware)? = nil, powerUp: @escaping () -> Void = {}) {
    self.lines = lines
    self.hardware = hardware ?? lines
    self.powerUp = powerUp
  }
}
