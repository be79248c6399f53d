import HardwareLinux
import HardwareSimulation
import Thermometer

/// What the fan is there for: the temperature of the processor, or one that is simulated. The program has an option of its own for it:
/// `--temperature real|simulated`.
struct TemperaturePort: Port {
  static let name = "temperature"

  func makeReal() -> any TemperatureSource { ThermalFile("/sys/class/thermal/thermal_zone0/temp") }
  func makeSimulated(on bench: Bench) -> SimulatedTemperature { SimulatedTemperature(millidegrees: 42_000) }
  static func hardware(_ simulated: SimulatedTemperature) -> any TemperatureSource { simulated }
}

extension SimulatedTemperature: SimulatedHardware {}
