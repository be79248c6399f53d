import CycleCore
import HardwareDrivers

/// A port whose hardware this machine can have.
///
///     extension TemperaturePort: RealPort {
///       func makeReal() -> any TemperatureSource { ThermalFile("/sys/class/thermal/thermal_zone0/temp") }
///     }
///
/// `makeReal` opens no file and starts no thread. For equal ports, the platform calls it once, when the application
/// first requests the hardware.
public protocol RealPort: Port {
  /// The hardware of this machine. Opens nothing.
  func makeReal() -> Hardware
  /// Hardware that writes to a file whose name ends with `fileSuffix`. Called only if the port has a suffix. Opens
  /// nothing.
  func makeFile(at path: String) -> Hardware
  /// Throws the error that the hardware would give now, for example because it is absent. May read it, but changes
  /// nothing. Takes less than 2 s. The default finds no error.
  func inspect() throws(DriverError)
}

extension RealPort {
  public func inspect() throws(DriverError) {}
  public func makeFile(at path: String) -> Hardware { programmerError("\(Self.name) is never a file") }
}
