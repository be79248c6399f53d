import CycleCore
import HardwareDrivers

/// A file of the kernel or of another program, with a number.
///
///     NumberFile("/sys/class/thermal/thermal_zone0/temp", conversion: NumberConversion(scale: 0.001, unit: "°C"))
///     NumberFile("/run/air/humidity", conversion: NumberConversion(unit: "%"))
///
/// Reads the first decimal number in the first 4 096 bytes of the file: `21.5 °C` and `t=21.5` are 21.5. A program that
/// writes the file should write a new one and rename it; otherwise a reading may find half of it. Only a regular file
/// is opened, not a pipe or a device.
public struct NumberFile: NumberLocation, NumberSource {
  private let path: String
  private let conversion: NumberConversion

  /// Doesn't open the file.
  ///
  /// - Parameters:
  ///   - path: the file; links are followed.
  ///   - conversion: applied to the number in the file.
  public init(_ path: String, conversion: NumberConversion = NumberConversion()) {
    self.path = path
    self.conversion = conversion
  }

  public var name: String { path }
  public var unit: String { conversion.unit ?? "" }

  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    conversion.apply(to: try SensorFile(path).number(for: NumberErrorFactory(path)))
  }
}
