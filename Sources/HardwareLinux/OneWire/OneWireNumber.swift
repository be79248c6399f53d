import CycleCore
import HardwareDrivers

/// The temperature of a sensor on a 1-wire bus as a number, for ``HardwareDrivers/Sensor`` with a DS18B20.
///
///     Sensor(platform.number(at: OneWireNumber("28-0316a2f1e4ff")))
///
/// A reading takes up to 750 ms. Its errors are those of ``LinuxOneWireSensor``, and the value 85 °C right after the
/// power-up is rejected. `OneWireThermometer` can set the sensor's resolution, too.
public struct OneWireNumber: NumberPlace {
  private let sensor: String?
  private let conversion: NumberConversion
  private let folder: String

  /// Doesn't open the sensor.
  ///
  /// - Parameters:
  ///   - sensor: the name of its folder; nil for the first thermometer in the order of their names.
  ///   - conversion: applied to the temperature in °C.
  ///   - folder: the kernel's folder of the sensors.
  public init(
    _ sensor: String? = nil, conversion: NumberConversion = NumberConversion(), folder: String = "/sys/bus/w1/devices"
  ) {
    self.sensor = sensor
    self.conversion = conversion
    self.folder = folder
  }

  public var name: String { LinuxOneWireSensor(sensor).name }
  public var unit: String { conversion.unit ?? "°C" }

  public func makeSource() -> any NumberSource {
    OneWireNumberSource(LinuxOneWireSensor(sensor, folder: folder), conversion, unit)
  }
}

/// A source that keeps the last temperature, to distinguish a real 85 °C from the value after a power-up.
private final class OneWireNumberSource: NumberSource {
  private var reader: OneWireReader
  private let conversion: NumberConversion
  let unit: String
  let needsThread: Bool

  init(_ sensor: any OneWireSensor, _ conversion: NumberConversion, _ unit: String) {
    reader = OneWireReader(sensor)
    self.conversion = conversion
    self.unit = unit
    needsThread = sensor.needsThread
  }

  var name: String { reader.name }

  func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    conversion.apply(to: try reader.read(on: clock).celsius)
  }
}
