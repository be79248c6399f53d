import CycleCore
import HardwareDrivers

/// The temperature of a sensor on a 1-wire bus as a number, for ``HardwareDrivers/Sensor`` with a DS18B20.
///
///     Sensor(platform.number(at: OneWireChannel("28-0316a2f1e4ff")))
///
/// The source is a `OneWireThermometer`.
public struct OneWireChannel: NumberLocation {
  private let sensor: String?
  private let resolution: Int?
  private let conversion: NumberConversion
  private let folder: String

  /// Doesn't open the sensor.
  ///
  /// - Parameters:
  ///   - sensor: the name of its folder; nil for the first thermometer in the order of their names.
  ///   - resolution: 9 to 12 bits; nil keeps the sensor's.
  ///   - conversion: applied to the temperature in °C.
  ///   - folder: the kernel's folder of the sensors.
  public init(
    _ sensor: String? = nil, resolution: Int? = nil, conversion: NumberConversion = NumberConversion(),
    folder: String = "/sys/bus/w1/devices"
  ) {
    self.sensor = sensor
    self.resolution = resolution
    self.conversion = conversion
    self.folder = folder
  }

  public var name: String { LinuxOneWireSensor(sensor).name }
  public var unit: String { conversion.unit ?? "°C" }

  public func makeSource() -> any NumberSource {
    ConvertedThermometer(
      thermometer: OneWireThermometer(LinuxOneWireSensor(sensor, folder: folder), resolution: resolution),
      conversion: conversion, unit: unit)
  }
}

/// A thermometer with a conversion.
private struct ConvertedThermometer: NumberSource {
  let thermometer: OneWireThermometer
  let conversion: NumberConversion
  let unit: String

  var name: String { thermometer.name }
  var needsThread: Bool { thermometer.needsThread }
  var refusal: DriverError? { thermometer.refusal }

  func readNumber(on clock: WorkClock) throws(DriverError) -> Double {
    conversion.apply(to: try thermometer.readNumber(on: clock))
  }
}
