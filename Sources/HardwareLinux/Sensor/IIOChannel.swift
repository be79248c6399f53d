import CycleCore
import HardwareDrivers

/// A channel of Industrial I/O: an analog-to-digital converter, a thermometer, a light sensor, an accelerometer.
///
///     IIOChannel("ads1015", "voltage0")              // in_voltage0_raw, in_voltage0_scale; in V
///     IIOChannel("0", "temp")                        // of iio:device0; in °C
///     IIOChannel("mcp3008", "voltage0-voltage1", conversion: NumberConversion(scale: 100 / 3.3, unit: "%"))
///
/// Reads `in_CHANNEL_input`, which the kernel has converted, or else `in_CHANNEL_raw`. Then the number is `(raw +
/// offset) × scale`. The offset and the scale are each from the channel's own file, that of its type, or that of the
/// whole device; the defaults are 0 and 1. The kernel's thousandths are converted to volts, amperes, watts, degrees
/// Celsius and percent.
///
/// Source: kernel document `ABI/testing/sysfs-bus-iio`.
public struct IIOChannel: NumberLocation, NumberSource {
  private let device: String
  private let channel: String
  private let conversion: NumberConversion
  private let folder: String

  /// Doesn't open the channel.
  ///
  /// - Parameters:
  ///   - device: the content of `iio:device0/name` or `iio:device0/label`, or `iio:device0`, or `0`. A name is better
  ///     than a number, which may change when the system starts.
  ///   - channel: the text between `in_` and `_raw` or `_input`: `voltage0`, `temp`, `humidityrelative`, `accel_x`.
  ///   - conversion: applied to the kernel's number, in ``unit``.
  ///   - folder: the kernel's folder of the devices.
  public init(
    _ device: String, _ channel: String, conversion: NumberConversion = NumberConversion(),
    folder: String = "/sys/bus/iio/devices"
  ) {
    self.device = device
    self.channel = channel
    self.conversion = conversion
    self.folder = folder
  }

  public var name: String { "\(device) \(channel)" }
  public var unit: String { conversion.unit ?? quantity.unit }

  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    let fault = NumberErrorFactory(name)
    let folders = SensorFolders(
      root: folder, prefix: "iio:device", nameFiles: ["name", "label"], device: "IIO device")
    let path = try folders.find(device, for: fault)
    // A name with a slash would name a file of another folder.
    guard !channel.contains("/") else { throw noChannel(path, fault) }
    let number: Double
    if let input = try value("in_\(channel)_input", path, fault) {
      number = input
    } else if let raw = try value("in_\(channel)_raw", path, fault) {
      let offset = try shared("offset", path, fault) ?? 0
      let scale = try shared("scale", path, fault) ?? 1
      number = (raw + offset) * scale
    } else {
      throw noChannel(path, fault)
    }
    return conversion.apply(to: number / quantity.divisor)
  }

  /// The number in a file of the device; nil if the file is missing.
  private func value(_ file: String, _ path: String, _ fault: NumberErrorFactory) throws(DriverError) -> Double? {
    do throws(DriverError) {
      return try SensorFile("\(path)/\(file)").number(for: fault)
    } catch {
      if error.kind == .absent { return nil }
      throw error
    }
  }

  /// An attribute of the channel, or else of its type or of the device.
  private func shared(_ attribute: String, _ path: String, _ fault: NumberErrorFactory) throws(DriverError) -> Double? {
    for prefix in Self.prefixes(of: channel) {
      if let number = try value("\(prefix)\(attribute)", path, fault) { return number }
    }
    return nil
  }

  /// The prefixes of a channel's attributes, its own first. For `voltage0-voltage1` they are `in_voltage0-voltage1_`,
  /// `in_voltage-voltage_`, `in_voltage_`, `in_` and the empty one of the device.
  static func prefixes(of channel: String) -> [String] {
    let withoutNumbers = channel.filter { !$0.isNumber }
    var names: [String] = []
    for name in [channel, withoutNumbers, KernelQuantity.type(of: channel)] where !names.contains(name) {
      names.append(name)
    }
    return names.map { "in_\($0)_" } + ["in_", ""]
  }

  private func noChannel(_ path: String, _ fault: NumberErrorFactory) -> DriverError {
    SensorFolders.noChannel(channel, in: path, for: fault) { file in
      guard file.hasPrefix("in_") else { return nil }
      for suffix in ["_raw", "_input"] where file.hasSuffix(suffix) {
        return String(file.dropFirst("in_".count).dropLast(suffix.count))
      }
      return nil
    }
  }

  /// The kernel's word for the quantity: the letters at the beginning of the channel's name.
  package var quantityType: String { KernelQuantity.type(of: channel) }

  private var quantity: KernelQuantity { Self.quantities[quantityType] ?? KernelQuantity() }

  /// The divisors and units of the kernel's numbers, by the type of the channel. The kernel defines no unit for light
  /// intensity, proximity and counts.
  private static let quantities: [String: KernelQuantity] = [
    "voltage": KernelQuantity(1000, "V"),
    "altvoltage": KernelQuantity(1000, "V"),
    "current": KernelQuantity(1000, "A"),
    "power": KernelQuantity(1000, "W"),
    "capacitance": KernelQuantity(1, "nF"),
    "resistance": KernelQuantity(1, "Ω"),
    "temp": KernelQuantity(1000, "°C"),
    "humidityrelative": KernelQuantity(1000, "%"),
    "pressure": KernelQuantity(1, "kPa"),
    "illuminance": KernelQuantity(1, "lx"),
    "concentration": KernelQuantity(1, "%"),
    "accel": KernelQuantity(1, "m/s²"),
    "gravity": KernelQuantity(1, "m/s²"),
    "anglvel": KernelQuantity(1, "rad/s"),
    "angl": KernelQuantity(1, "rad"),
    "incli": KernelQuantity(1, "°"),
    "magn": KernelQuantity(1, "G"),
    "distance": KernelQuantity(1, "m"),
    "energy": KernelQuantity(1, "J"),
    "positionrelative": KernelQuantity(1000, "%"),
  ]
  /// The quantities, for the documentation: the beginning of a channel's name, the divisor of the kernel's number, and
  /// the resulting unit.
  package static var units: [(channel: String, divisor: Double, unit: String)] {
    quantities.map { (channel: $0.key, divisor: $0.value.divisor, unit: $0.value.unit) }.sorted {
      $0.channel < $1.channel
    }
  }
}
