import CycleCore
import HardwareDrivers
import HardwareSimulation

/// Describes hardware that an application requests from its ``Platform``: its type, the real object for it, and the
/// simulated one.
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
/// Equal ports represent the same hardware. A port opens no file and starts no thread. The platform requests the
/// hardware of each port once, when the application first requests it.
public protocol Port: Hashable, Sendable {
  /// The type that drivers use: `any GPIOChip`.
  associatedtype Hardware
  /// The type of the simulated hardware, with the functions by which a test operates and inspects it.
  associatedtype Simulated: SimulatedHardware

  /// The name of this kind of hardware, in lower case letters and digits: `gpio` for the option `--gpio` and the step
  /// `unplug: gpio`.
  static var name: String { get }
  /// The help text of the option.
  static var help: String { get }
  /// The suffix of files that can replace the hardware, `.wav`; nil for none.
  static var fileSuffix: String? { get }

  /// The hardware of this machine. Opens nothing.
  func makeReal() -> Hardware
  /// The simulated hardware, on this bench.
  func makeSimulated(on bench: Bench) -> Simulated
  /// Hardware that writes to a file whose name ends with ``fileSuffix``. Called only if the port has a suffix. Opens
  /// nothing.
  func makeFile(at path: String) -> Hardware
  /// The simulated hardware as drivers use it.
  static func hardware(_ simulated: Simulated) -> Hardware
}

extension Port {
  public static var help: String { "Use real \(name) hardware, or simulated." }
  public static var fileSuffix: String? { nil }
  public func makeFile(at path: String) -> Hardware { programmerError("\(Self.name) is never a file") }
}
