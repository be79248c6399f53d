/// A GPIO chip: `LinuxGPIO`, or `SimulatedChip`.
public struct GPIOChipPort: Port {
  public typealias Hardware = any GPIOChip
  public static let name = "gpio"
  public static let help = "Use the GPIO lines of this machine, or simulated ones."
  public static let deviceNodes: DeviceNodes? = DeviceNodes("gpiochip", driver: "char-gpiochip", group: "gpio")

  /// The chip on which lines are searched.
  public enum ChipChoice: Hashable, Sendable {
    /// The chip of a Raspberry Pi's header if there is one, else the first chip that has all the lines. A line that
    /// this chip lacks is searched on all others.
    case auto
    /// The chip with this label (`pinctrl-bcm2711`), name (`gpiochip0`) or path (`/dev/gpiochip0`).
    case named(String)
  }

  /// The chip that is used when the port is real.
  public var choice: ChipChoice
  /// The lines of the simulated chip; nil for those of a Raspberry Pi's header.
  public var simulatedLines: [LineName]?

  public init(_ choice: ChipChoice = .auto, simulatedLines: [LineName]? = nil) {
    self.choice = choice
    self.simulatedLines = simulatedLines
  }
}
