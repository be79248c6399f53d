/// A chip that a driver of the kernel reads, and the overlay of a Raspberry Pi that loads this driver.
///
/// **Source.** `arch/arm/boot/dts/overlays/README` of the Raspberry Pi's kernel, and the kernel's drivers.
public struct KernelSensorOverlay: Sendable {
  /// The part of the kernel that has the chip's numbers.
  public enum Interface: String, Sendable {
    case iio, hwmon
  }

  /// The name of the chip, in small letters: `sht40`.
  public let chip: String
  public let interface: Interface
  /// The name of the device in the kernel: `sht4x`.
  public let device: String
  /// The overlay with its parameters: `i2c-sensor,sht4x`.
  public let overlay: String
  /// The channels that are read most, with their units.
  public let channels: [(name: String, unit: String)]

  /// The line for `config.txt`.
  public var line: String { "dtoverlay=\(overlay)" }

  /// The overlay of a device with this name in the kernel, or of the chip with this name.
  public static func named(_ name: String) -> KernelSensorOverlay? {
    // `dht11@11` is a DHT11 at a place of the device tree.
    let name = name.prefix { $0 != "@" }
    return all.first { $0.device == name } ?? all.first { $0.chip == name }
  }

  private init(
    _ chip: String, _ interface: Interface, as device: String? = nil, _ overlay: String? = nil,
    channels: [(name: String, unit: String)]
  ) {
    (self.chip, self.interface, self.channels) = (chip, interface, channels)
    self.device = device ?? chip
    self.overlay = overlay ?? "i2c-sensor,\(chip)"
  }

  private static let air: [(name: String, unit: String)] = [("temp", "°C"), ("humidityrelative", "%")]
  private static let weather: [(name: String, unit: String)] = [("temp", "°C"), ("pressure", "kPa")]
  private static let thermometer: [(name: String, unit: String)] = [("temp1", "°C")]
  private static let hygrometer: [(name: String, unit: String)] = [("temp1", "°C"), ("humidity1", "%")]
  private static let motion: [(name: String, unit: String)] = [
    ("accel_x", "m/s²"), ("anglvel_x", "rad/s"), ("temp", "°C"),
  ]
  private static let light: [(name: String, unit: String)] = [("illuminance", "lx")]

  /// All of them, in the order of the alphabet.
  public static let all: [KernelSensorOverlay] = [
    .init("ads1015", .iio, "ads1015,cha_enable", channels: [("voltage0", "V")]),
    .init("ads1115", .iio, as: "ads1015", "ads1115,cha_enable", channels: [("voltage0", "V")]),
    .init("adt7410", .hwmon, channels: [("temp1", "°C")]), .init("aht10", .hwmon, channels: hygrometer),
    .init("bh1750", .iio, channels: light),
    .init("bme280", .iio, channels: [("temp", "°C"), ("humidityrelative", "%"), ("pressure", "kPa")]),
    .init(
      "bme680", .iio, channels: [("temp", "°C"), ("humidityrelative", "%"), ("pressure", "kPa"), ("resistance", "Ω")]),
    .init("bmp085", .iio, channels: weather), .init("bmp180", .iio, channels: weather),
    .init("bmp280", .iio, channels: weather),
    .init("bmp380", .iio, channels: weather), .init("bno055", .iio, channels: [("accel_x", "m/s²"), ("temp", "°C")]),
    .init("ccs811", .iio, channels: [("concentration_co2", "%")]),
    .init("dht11", .iio, "dht11,gpiopin=17", channels: air),
    .init("dht22", .iio, as: "dht11", "dht11,gpiopin=17", channels: air),
    .init("ds1621", .hwmon, channels: thermometer),
    .init("hdc1080", .iio, as: "1-0040", "i2c-sensor,hdc100x", channels: air),
    .init("htu21d", .iio, as: "htu21", "i2c-sensor,htu21", channels: air), .init("lm75", .hwmon, channels: thermometer),
    .init("max30102", .iio, channels: [("temp", "°C")]),
    .init("max31855", .iio, as: "maxim_thermocouple", "maxtherm,spi0-0,max31855k", channels: [("temp", "°C")]),
    .init("mcp3008", .iio, "mcp3008:spi0-0-present", channels: [("voltage0", "V")]),
    .init("mcp3208", .iio, "mcp3208:spi0-0-present", channels: [("voltage0", "V")]),
    .init("mcp9801", .hwmon, as: "mcp980x", "i2c-sensor,mcp980x", channels: thermometer),
    .init("mcp9808", .hwmon, as: "jc42", "i2c-sensor,jc42", channels: thermometer),
    .init("mpu6050", .iio, channels: motion),
    .init("mpu9250", .iio, channels: motion), .init("ms5637", .iio, channels: weather),
    .init("ms5803", .iio, channels: weather),
    .init("ms5805", .iio, channels: weather), .init("ms5837", .iio, channels: weather),
    .init("ms8607", .iio, as: "ms8607-temppressure", "i2c-sensor,ms8607", channels: weather),
    .init("sgp30", .iio, channels: [("concentration_co2", "%")]),
    .init("sht31", .hwmon, as: "sht3x", "i2c-sensor,sht3x", channels: hygrometer),
    .init("sht40", .hwmon, as: "sht4x", "i2c-sensor,sht4x", channels: hygrometer),
    .init("si7021", .iio, as: "1-0040", "i2c-sensor,si7020", channels: air),
    .init("sps30", .iio, channels: [("massconcentration_pm2p5", "")]), .init("tmp102", .hwmon, channels: thermometer),
    .init("tsl4531", .iio, channels: light), .init("veml6070", .iio, channels: [("uvindex", "")]),
  ]
}
