import CycleCore
import HardwareDrivers

/// A channel of hardware monitoring: the processor's temperature, a fan's speed, a supply's voltage or current.
///
///     HwmonChannel("cpu_thermal", "temp1")       // temp1_input; in °C
///     HwmonChannel("pwmfan", "fan1")             // in RPM
///     HwmonChannel("ina219", "power1")           // in W
///
/// Reads `CHANNEL_input`, or else `CHANNEL_average`, or the file `CHANNEL` itself (for example `pwm1`, 0 to 255). The
/// kernel's thousandths and millionths are converted to volts, amperes, watts, joules, degrees Celsius and percent. A
/// channel whose `CHANNEL_fault` is 1 gives no number, for example with an open diode.
///
/// Source: kernel document `hwmon/sysfs-interface`.
public struct HwmonChannel: NumberLocation, NumberSource {
  private let chip: String
  private let channel: String
  private let conversion: NumberConversion
  private let folder: String

  /// Doesn't open the channel.
  ///
  /// - Parameters:
  ///   - chip: the content of `hwmon0/name`, or `hwmon0`, or `0`. A name is better than a number, which may change when
  ///     the system starts.
  ///   - channel: the text before `_input`: `temp1`, `in0`, `curr1`, `fan1`, `humidity1`.
  ///   - conversion: applied to the kernel's number, in ``unit``.
  ///   - folder: the kernel's folder of the chips.
  public init(
    _ chip: String, _ channel: String, conversion: NumberConversion = NumberConversion(),
    folder: String = "/sys/class/hwmon"
  ) {
    self.chip = chip
    self.channel = channel
    self.conversion = conversion
    self.folder = folder
  }

  public var name: String { "\(chip) \(channel)" }
  public var unit: String { conversion.unit ?? quantity.unit }

  public func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    let fault = NumberErrorFactory(name)
    let folders = SensorFolders(root: folder, prefix: "hwmon", nameFiles: ["name"], device: "hwmon chip")
    let path = try folders.find(chip, for: fault)
    // A name with a slash would name a file of another folder.
    guard !channel.contains("/") else { throw noChannel(path, fault) }
    if SensorFile("\(path)/\(channel)_fault").word == "1" {
      throw fault.failed(
        "the chip reports a fault of its input", remedy: "Check what is connected there, and its wires.")
    }
    for suffix in ["_input", "_average", ""] {
      do throws(DriverError) {
        let number = try SensorFile("\(path)/\(channel)\(suffix)").number(for: fault)
        return conversion.apply(to: number / quantity.divisor)
      } catch {
        if error.kind != .absent { throw error }
      }
    }
    throw noChannel(path, fault)
  }

  private func noChannel(_ path: String, _ fault: NumberErrorFactory) -> DriverError {
    SensorFolders.noChannel(channel, in: path, for: fault) { file in
      for suffix in ["_input", "_average"] where file.hasSuffix(suffix) { return String(file.dropLast(suffix.count)) }
      return file.hasPrefix("pwm") && Int(file.dropFirst("pwm".count)) != nil ? file : nil
    }
  }

  /// The kernel's word for the quantity: the letters at the beginning of the channel's name.
  package var quantityType: String { KernelQuantity.type(of: channel) }

  private var quantity: KernelQuantity { Self.quantities[quantityType] ?? KernelQuantity() }

  /// The divisors and units of the kernel's numbers, by the type of the channel; a `pwm` is 0 to 255.
  private static let quantities: [String: KernelQuantity] = [
    "in": KernelQuantity(1000, "V"),
    "curr": KernelQuantity(1000, "A"),
    "power": KernelQuantity(1_000_000, "W"),
    "energy": KernelQuantity(1_000_000, "J"),
    "temp": KernelQuantity(1000, "°C"),
    "humidity": KernelQuantity(1000, "%"),
    "fan": KernelQuantity(1, "RPM"),
  ]
  /// The quantities, for the documentation: the beginning of a channel's name, the divisor of the kernel's number, and
  /// the resulting unit.
  package static var units: [(channel: String, divisor: Double, unit: String)] {
    quantities.map { (channel: $0.key, divisor: $0.value.divisor, unit: $0.value.unit) }.sorted {
      $0.channel < $1.channel
    }
  }
}
