import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A GPIO chip: ``HardwareLinux/LinuxGPIO``, or ``HardwareSimulation/SimulatedChip``.
public struct GPIOChipPort: Port {
  public static let name = "gpio"
  public static let help = "Use the GPIO lines of this machine, or simulated ones."

  /// The chip that is used when the port is real.
  public var choice: LinuxGPIO.ChipChoice
  /// The lines of the simulated chip; nil for those of a Raspberry Pi's header.
  public var simulatedLines: [LineName]?

  public init(_ choice: LinuxGPIO.ChipChoice = .auto, simulatedLines: [LineName]? = nil) {
    self.choice = choice
    self.simulatedLines = simulatedLines
  }

  public func makeReal() -> any GPIOChip { LinuxGPIO(choice) }
  public func makeSimulated(on bench: Bench) -> SimulatedChip { SimulatedChip(bench, names: simulatedLines) }
  public static func hardware(_ simulated: SimulatedChip) -> any GPIOChip { simulated }
}

extension Platform {
  /// The chip that the application's lines are on, found automatically: ``GPIOChipPort`` with its default choice.
  public var chip: any GPIOChip { hardware(at: GPIOChipPort()) }
  /// The simulated chip of ``chip``, to press its contacts and read its lines; nil if the chip is not simulated.
  public var simulatedChip: SimulatedChip? { simulated(at: GPIOChipPort()) }
}
