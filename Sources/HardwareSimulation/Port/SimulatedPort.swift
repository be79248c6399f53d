import HardwareDrivers

/// A port whose hardware can be simulated.
///
///     extension TemperaturePort: SimulatedPort {
///       func makeSimulated(on bench: Bench) -> SimulatedTemperature { SimulatedTemperature(millidegrees: 42_000) }
///       static func hardware(_ simulated: SimulatedTemperature) -> any TemperatureSource { simulated }
///     }
///
/// For equal ports, the platform calls `makeSimulated` once, when the application first requests the hardware.
public protocol SimulatedPort: Port {
  /// The type of the simulated hardware, with the functions by which a test operates and inspects it.
  associatedtype Simulated: SimulatedHardware

  /// The simulated hardware, on this bench.
  func makeSimulated(on bench: Bench) -> Simulated
  /// The simulated hardware as drivers use it.
  static func hardware(_ simulated: Simulated) -> Hardware
}
