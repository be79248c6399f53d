import HardwarePlatform
import HardwareSimulation
import Thermometer

/// The temperature that the fan depends on: the processor's, or a simulated one. The port gives the program an option:
/// `--temperature real|simulated`.
struct TemperaturePort: PlatformPort {
  typealias Hardware = any TemperatureSource
  static let name = "temperature"

  func makeReal() -> any TemperatureSource { ThermalFile("/sys/class/thermal/thermal_zone0/temp") }
  func makeSimulated(on bench: Bench) -> SimulatedTemperature { SimulatedTemperature(millidegrees: 42_000) }
  static func hardware(_ simulated: SimulatedTemperature) -> any TemperatureSource { simulated }
}

extension SimulatedTemperature: SimulatedHardware {}
