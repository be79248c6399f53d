import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A thermometer on a 1-wire bus: ``HardwareLinux/LinuxOneWireSensor``, or ``HardwareSimulation/SimulatedOneWireSensor``.
public struct OneWireSensorPort: Port {
  public static let name = "onewire"
  public static let help = "Use the 1-wire thermometers of this machine, or simulated ones."

  /// The name of the sensor's folder in `/sys/bus/w1/devices`; nil for the first one.
  public var sensor: String?

  public init(_ sensor: String? = nil) {
    self.sensor = sensor
  }

  public func makeReal() -> any OneWireSensor { LinuxOneWireSensor(sensor) }

  public func makeSimulated(on bench: Bench) -> SimulatedOneWireSensor {
    SimulatedOneWireSensor(bench, name: sensor ?? "28-000000000001")
  }

  public static func hardware(_ simulated: SimulatedOneWireSensor) -> any OneWireSensor { simulated }
}
