import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwarePlatform
import HardwareSimulation
import PanelEngine
import PanelLanguage
import PanelWiring
import Terminal

/// The source of a sensor's number, as a panel file defines it: `{ w1: 28-00000a1b2c3d }`. A value of the type is the
/// source of one sensor, with its settings.
public protocol SensorSource: SensorDeclaration {
  /// The shortest and the longest time from one reading to the next. The default is 10 ms...1 h.
  static var intervals: ClosedRange<Duration> { get }
  /// The time between readings unless the file sets another. The default is 1 s.
  static var usualInterval: Duration { get }

  /// Whether the source is read at an interval, for which the file can have `every`. False for a device that sends by
  /// itself. The default is true.
  static var isPolled: Bool { get }

  /// Reads the settings of one source. Adds a problem for each wrong one. Returns nil if they don't give a source.
  init?(reading fields: DeviceFields)

  /// Those of the ports of its kind that this sensor needs. The default is all of them.
  var usedPorts: [any Port.Type] { get }
  /// The numbers that the sensor can read, in the unit of its readings; at least one range. The default is any number.
  var readable: [ClosedRange<Double>] { get }
  /// The number of the first frame, if the sensor has one before anything is measured: 0 for a counter. The default is
  /// nil, for a sensor that is unknown at the start.
  var numberAtStart: Double? { get }
  /// The unit of its readings for people: `°C`. The default is empty, for an unknown unit.
  var unit: String { get }
  /// Home Assistant's device class of the quantity: `temperature`. The default is nil, for a quantity without a class.
  /// It is sent to Home Assistant only if Home Assistant accepts ``unit`` for that class.
  var deviceClass: String? { get }
  /// The GPIO lines of the sensor, as the file names them.
  var lines: [String] { get }
  /// The hardware with a port of its own that `panel doctor` looks for. The default is none.
  var hardware: [DeviceHardware] { get }
  /// The wiring of the sensor; nil for one without its own wires.
  func wiring(named name: String) -> WiringPlan.Device?
  /// The source of a number without its own wires, as a sentence for the wiring: `its number is in the file /run/air`.
  /// The default is nil, for a sensor with wires.
  var origin: String? { get }

  /// Whether the readings can be filtered: ``SensorLensContext/smoothing``. The default is false.
  static var canSmooth: Bool { get }
  /// The lens of the sensor's driver.
  func lenses(in context: SensorLensContext) -> LensBundle
  /// The simulated side of the sensor; nil if it is not simulated.
  func world(on chip: SimulatedChip, _ platform: Platform) -> (any SimulatedSensor)?
  /// The longest time until the number of a simulated sensor has been read; zero if it is read immediately.
  func delay(every interval: Duration) -> Duration
}

extension SensorSource {
  public static var intervals: ClosedRange<Duration> { Sensor.shortestInterval...Sensor.longestInterval }
  public static var usualInterval: Duration { .seconds(1) }
  public static var isPolled: Bool { true }
  public var usedPorts: [any Port.Type] { Self.ports }
  public var readable: [ClosedRange<Double>] { [-.infinity ... .infinity] }
  public var numberAtStart: Double? { nil }
  public var unit: String { "" }
  public var deviceClass: String? { nil }
  public var lines: [String] { [] }
  public var hardware: [DeviceHardware] { [] }
  public func wiring(named name: String) -> WiringPlan.Device? { nil }
  public var origin: String? { nil }
  public static var canSmooth: Bool { false }
  public func delay(every interval: Duration) -> Duration { .zero }

  func isEqual(to other: any SensorSource) -> Bool { other as? Self == self }
}

/// The simulated side of a sensor, for steps of a scenario.
public protocol SimulatedSensor {
  /// Sets the number that the sensor senses from now on, in the unit of its readings.
  func sense(_ number: Double)
  /// Connects the sensor again; it senses the same number as before.
  func plug()
  /// Disconnects the sensor; it gives no number.
  func unplug()
  /// Connects the sensor without a first number until it senses one. The default disconnects it.
  func silence()
  /// The panel starts again, or another panel replaces it: its driver counts from zero again. The default does nothing.
  func restart()
}

extension SimulatedSensor {
  public func silence() { unplug() }
  public func restart() {}
}

/// A source whose number is at a place on this machine.
public protocol NumberSensorSource: SensorSource {
  /// The type of the place.
  associatedtype At: NumberLocation
  /// The place of the number.
  var place: At { get }
  /// The source of the number on a platform. The default is that of ``HardwareDrivers/NumberSourcePort``.
  func number(on platform: Platform) -> any NumberSource
}

extension NumberSensorSource {
  public static var ports: [any Port.Type] { [NumberSourcePort.self] }
  public static var canSmooth: Bool { true }
  public var unit: String { place.unit }
  public var hardware: [DeviceHardware] { [DeviceHardware(NumberSourcePort(place))] }

  public func number(on platform: Platform) -> any NumberSource { platform.number(at: place) }

  public func lenses(in context: SensorLensContext) -> LensBundle {
    context.lenses(
      of: Sensor(
        number(on: context.platform), settings: .init(decimals: context.decimals, smoothing: context.smoothing)),
      showing: .every(context.interval)
    ) { event in
      switch event {
      case .reading(let number): .reading(number)
      }
    }
  }

  public func world(on chip: SimulatedChip, _ platform: Platform) -> (any SimulatedSensor)? {
    let source = platform.simulatedNumber(at: place)
    source?.tellsChanges = true
    return source
  }
}

extension SimulatedNumberSource: SimulatedSensor {
  /// Sets the number.
  public func sense(_ number: Double) { set(number) }
}

extension SimulatedDeviceNumber: SimulatedSensor {
  /// Sets the number.
  public func sense(_ number: Double) { set(number) }
}

/// The meaning of a sensor driver's event for a panel.
public enum SensorReport: Equatable {
  /// A reading of the sensor. A number beyond the panel's range, including an infinite one, counts as the end of the
  /// range. NaN is no reading: the sensor counts as lost until the next one.
  case reading(Double)
  /// At least this number of edges of the sensor's lines were lost.
  case edgesLost(Int)
  /// This number of messages of the sensor was damaged and dropped.
  case damaged(Int)
}

/// The inputs for making the lens of one sensor.
public struct SensorLensContext {
  let rules: PanelRules
  /// Provides the hardware that has its own port.
  public let platform: Platform
  /// The panel's chip or chips, with the lines that the file names.
  public let chip: any GPIOChip
  /// The number of the input in the file, and its name.
  let input: Int
  let name: String
  /// The number of the lens's source of trouble.
  let source: Int
  /// The time from one reading to the next, in the source's ``SensorSource/intervals``.
  public let interval: Duration
  let scale: SensorNumberRange
  /// The filter of the readings, in the unit of the sensor; nil for none.
  public let smoothing: Smoothing?
  /// Whether the start fails if the sensor's lines are not available.
  let isRequired: Bool

  /// The number of decimals, 0 to 3.
  public var decimals: Int { scale.decimals }

  /// The lens of a driver that reads the sensor.
  ///
  /// - Parameters:
  ///   - driver: the driver, on lines of the chip or on its own hardware.
  ///   - model: the model of the driver while the panel runs.
  ///   - isOnChip: whether the driver uses lines of the panel's chip, and is lost with it.
  ///   - report: converts an event of the driver; nil to ignore it.
  public func lenses<D: Driver>(
    of driver: D, showing model: D.Model, isOnChip: Bool = false, report: @escaping (D.Event) -> SensorReport?
  ) -> LensBundle where D.Event: Codable {
    let (rules, input, name, scale) = (rules, input, name, scale)
    let apply = { (frame: inout PanelFrame, event: D.Event, moment: Moment) in
      switch report(event) {
      case .reading(let number):
        if let whole = scale.whole(number) {
          rules.read(whole, of: input, at: moment, in: &frame)
        } else {
          rules.lose(sensor: input, at: moment, in: &frame)
        }
      case .edgesLost(let count): frame.noteLoss(of: count, at: input)
      case .damaged, nil: break
      }
    }
    let source = PanelTrouble.Source(lens: name, hardware: isOnChip ? .gpio : nil, number: source)
    return LensBundle(
      lenses: AnyLensGroup {
        Lens(
          driver, name: name, showing: model,
          on: { frame, event, past in apply(&frame, event, past.moment) }, isRequired: isOnChip && isRequired
        ).onFound { frame, event, past in apply(&frame, event, past.moment) }.refusingEvents { event in
          switch report(event) {
          case .edgesLost(let count) where !UntrustedNumber.counts.contains(count):
            "\(count) is not a number of lost edges"
          case .damaged(let count) where !UntrustedNumber.counts.contains(count):
            "\(count) is not a number of damaged messages"
          case .reading, .edgesLost, .damaged, nil: nil
          }
        }.onTrouble { frame, trouble, past in
          rules.note(trouble, of: source, at: past.moment, in: &frame)
          switch trouble {
          case .lost, .failed: rules.lose(sensor: input, at: past.moment, in: &frame)
          case .restored, .eventsLost: break
          }
        }
      },
      journal: LensEventFormatter(
        source: source,
        text: { event in
          switch (event as? D.Event).flatMap(report) {
          case .reading(let number) where number.isFinite: "\(name) reads \(scale.rounded(number))"
          case .reading(let number) where number.isNaN: "\(name) reads no number"
          case .reading: "\(name) reads nothing in range"
          case .edgesLost(let count): "\(name): \(LostEdgeLog.text(of: count))"
          case .damaged(let count): "\(name): \(counted(count, "damaged line")) dropped"
          case nil: nil
          }
        },
        isTrouble: { event in
          switch (event as? D.Event).flatMap(report) {
          case .edgesLost, .damaged: true
          case .reading, nil: false
          }
        }))
  }
}
