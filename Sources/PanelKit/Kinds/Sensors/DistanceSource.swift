import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// `{ distance: [GPIO23, GPIO24] }`: an ultrasonic sensor like the HC-SR04, whose number is in millimetres.
///
/// Where nothing is near, no echo comes back: that counts as the greatest number of the sensor. A sensor whose ECHO never rises, or
/// stays high, is lost: it has no supply, or a wire is broken.
struct DistanceSource: SensorSource {
  static let grammar = Place(
    name: "a distance sensor",
    summary:
      "ultrasonic sensor like the HC-SR04, at the lines TRIG and ECHO: millimetres. Nothing near counts as `max`",
    sample: "{ distance: [GPIO23, GPIO24] }",
    keys: [
      Key(
        name: "distance", takes: "a list of two lines, at TRIG and ECHO: [GPIO23, GPIO24]",
        shape: .list(of: .line, count: 2...2))
    ])
  /// A measurement sooner after the last one might hear its echo.
  static let intervals = Duration.milliseconds(60)...Sensor.longestInterval
  static let usualInterval = Duration.milliseconds(100)

  let trigger: String
  let echo: String

  init?(reading fields: DeviceFields) {
    guard let lines = fields.lines("distance") else { return nil }
    (trigger, echo) = (lines[0], lines[1])
  }

  var lines: [String] { [trigger, echo] }

  func wiring(named name: String) -> WiringPlan.Device? {
    WiringPlan.Device(
      name: name, kind: "distance, HC-SR04", direction: .input, circuits: [.distance(trigger: trigger, echo: echo)])
  }

  func lenses(in context: SensorLensContext) -> PanelLenses {
    // Each echo is a number, which min...max of the panel file limit.
    let settings = DistanceSensor.Settings(
      interval: context.interval, rangeMillimetres: 0...10_000, resolutionMillimetres: 1)
    let sensor = DistanceSensor(context.chip, trigger: LineName(trigger), echo: LineName(echo), settings: settings)
    return context.lenses(of: LineDriver(sensor), showing: .measuring, isOnChip: true) { event in
      switch event {
      case .distance(let millimetres): .reading(Double(millimetres))
      case .outOfRange, .noEcho: .reading(.infinity)
      case .edgesLost(let count): .edgesLost(count ?? 1)
      }
    }
  }

  func world(on chip: SimulatedChip, _ platform: Platform) -> (any SensorWorld)? {
    SimulatedDistanceSensor(chip, trigger: LineName(trigger), echo: LineName(echo))
  }

  /// The next measurement begins after the interval at most; without an echo it takes 36 ms.
  static func delay(every interval: Duration) -> Duration { interval + .milliseconds(40) }
}

extension SimulatedDistanceSensor: SensorWorld {
  /// The nearest thing is so many millimetres away.
  public func sense(_ number: Double) { distanceMillimetres = number }
  /// The sensor has its supply.
  public func plug() { isSilent = false }
  /// The sensor has no supply, and answers nothing.
  public func unplug() { isSilent = true }
}
