import HardwareDrivers
import HardwareSimulation

/// Hardware that an application asks its ``Platform`` for: which one it means, how the real one is found, and what stands in for it.
///
///     struct TemperaturePort: Port {
///       static let name = "temperature"
///       func makeReal() -> any TemperatureSource { ThermalFile("/sys/class/thermal/thermal_zone0/temp") }
///       func makeSimulated(on bench: Bench) -> SimulatedTemperature { SimulatedTemperature(millidegrees: 42_000) }
///       static func hardware(_ simulated: SimulatedTemperature) -> any TemperatureSource { simulated }
///     }
///
///     let source = platform.hardware(at: TemperaturePort())
///
/// Equal values are the same hardware. A port has no open file and no thread: it is asked once, when the application is made.
public protocol Port: Hashable, Sendable {
  /// What drivers use: `any GPIOChip`.
  associatedtype Hardware
  /// What stands in for it, with the side of the world.
  associatedtype Simulated: SimulatedHardware

  /// The word for hardware of this kind: the option `--gpio` chooses it, and `unplug: gpio` takes it away. Lower case letters and digits.
  static var name: String { get }
  /// What the option's help says.
  static var help: String { get }
  /// The end of a file's name, `.wav`, where a file can take the place of the hardware; nil where none can.
  static var fileSuffix: String? { get }

  /// The hardware of this machine. Opens nothing.
  func makeReal() -> Hardware
  /// The hardware that stands in for it.
  func makeSimulated(on bench: Bench) -> Simulated
  /// Hardware that writes into a file whose name ends in ``fileSuffix``. Called only where there is such a suffix. Opens nothing.
  func makeFile(at path: String) -> Hardware
  /// The simulated hardware as drivers use it.
  static func hardware(_ simulated: Simulated) -> Hardware
}

extension Port {
  public static var help: String { "Where \(name) is: real or simulated." }
  public static var fileSuffix: String? { nil }
  public func makeFile(at path: String) -> Hardware { preconditionFailure("\(Self.name) is never a file") }
}
