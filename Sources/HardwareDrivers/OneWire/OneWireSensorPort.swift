/// A thermometer on a 1-wire bus: `LinuxOneWireSensor`, or `SimulatedOneWireSensor`.
public struct OneWireSensorPort: Port {
  public typealias Hardware = any OneWireSensor
  public static let name = "onewire"
  public static let help = "Use the 1-wire thermometers of this machine, or simulated ones."

  /// The name of the sensor's folder in `/sys/bus/w1/devices`; nil for the first one.
  public var sensor: String?

  public init(_ sensor: String? = nil) {
    self.sensor = sensor
  }
}
