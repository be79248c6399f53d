import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelLanguage
import PanelWiring

/// `{ distance: [GPIO23, GPIO24], scale: 0.1, unit: cm }`: an ultrasonic sensor like the HC-SR04. Its number is in
/// millimetres unless it is converted.
///
/// If nothing is near, the sensor receives no echo. This counts as an infinite distance: the greatest number of the
/// sensor, or the least if the scale is negative. A sensor is lost if its ECHO never rises or stays high, because it
/// has no supply or a wire is broken.
package struct DistanceSource: SensorSource {
  package static let grammar = FieldSet(
    name: "a distance sensor",
    summary:
      "ultrasonic sensor like the HC-SR04, at the lines TRIG and ECHO: millimetres. If nothing is near, it reads `max`, or `min` with a negative `scale`",
    sample: "{ distance: [GPIO23, GPIO24] }",
    keys: [
      Key(
        name: "distance", takes: "a list of two lines, at TRIG and ECHO: [GPIO23, GPIO24]",
        shape: .list(of: .line, count: 2...2))
    ] + NumberConversion.keys)
  /// A measurement that is too soon after the last one might receive the last echo.
  package static let intervals = Duration.milliseconds(60)...Sensor.longestInterval
  package static let usualInterval = Duration.milliseconds(100)

  let trigger: String
  let echo: String
  /// The conversion from millimetres.
  private let conversion: NumberConversion

  package init?(reading fields: DeviceFields) {
    let conversion = NumberConversion(reading: fields)
    guard let lines = fields.lines("distance"), let conversion else { return nil }
    (trigger, echo) = (lines[0], lines[1])
    self.conversion = conversion
  }

  /// The numbers for 0 to 6 m, whose echo takes up to 35 ms, and the number for an infinite distance without an echo.
  package var readable: [ClosedRange<Double>] {
    let (near, far) = (conversion.apply(to: 0), conversion.apply(to: 6_000))
    let endless = conversion.apply(to: .infinity)
    return [min(near, far)...max(near, far), endless...endless]
  }

  package var unit: String { conversion.unit ?? "mm" }
  package var deviceClass: String? { "distance" }
  package var lines: [String] { [trigger, echo] }

  package func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "distance, HC-SR04", direction: .input, circuits: [.distance(trigger: trigger, echo: echo)])
  }

  package func lenses(in context: SensorLensContext) -> LensBundle {
    // Each echo gives a number, which min...max of the panel file limits.
    let settings = DistanceSensor.Settings(
      interval: context.interval, rangeMillimetres: 0...10_000, resolutionMillimetres: 1)
    let sensor = DistanceSensor(context.chip, trigger: LineName(trigger), echo: LineName(echo), settings: settings)
    return context.lenses(of: LineDriver(sensor), showing: .measuring, isOnChip: true) { event in
      switch event {
      case .distance(let millimetres): .reading(conversion.apply(to: Double(millimetres)))
      case .outOfRange, .noEcho: .reading(conversion.apply(to: .infinity))
      case .edgesLost(let count): .edgesLost(count ?? 1)
      }
    }
  }

  package func world(on chip: SimulatedChip, _ platform: Platform) -> (any SimulatedSensor)? {
    DistanceWorld(
      sensor: SimulatedDistanceSensor(chip, trigger: LineName(trigger), echo: LineName(echo)), conversion: conversion)
  }

  /// The longest delay: the next measurement begins within the interval, and takes 36 ms without an echo.
  package func delay(every interval: Duration) -> Duration { interval + .milliseconds(40) }
}

/// The simulated side of a distance sensor whose numbers are converted.
private struct DistanceWorld: SimulatedSensor {
  let sensor: SimulatedDistanceSensor
  let conversion: NumberConversion

  /// Sets the distance of the nearest object to the number.
  func sense(_ number: Double) { sensor.distanceMillimetres = conversion.invert(number) }
  /// Connects the sensor's supply.
  func plug() { sensor.isSilent = false }
  /// Disconnects the sensor's supply; it does not answer.
  func unplug() { sensor.isSilent = true }
}
