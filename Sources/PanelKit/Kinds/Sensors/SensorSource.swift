import CycleCore
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// Where the number of a sensor comes from, as a panel file says it: `{ w1: 28-00000a1b2c3d }`. A value of the type is the source of
/// one sensor, with its settings.
public protocol SensorSource: Equatable, Sendable {
  /// The keys that a file can write for such a source; the first one names it.
  static var grammar: Place { get }
  /// The shortest and the longest time from one reading to the next, 10 ms...1 h unless a source says otherwise.
  static var intervals: ClosedRange<Duration> { get }
  /// How often the sensor is read unless the file says otherwise; 1 s unless a source says otherwise.
  static var usualInterval: Duration { get }

  /// Reads the settings of one source. Adds a problem for each that is wrong; nil if no source can be made of them.
  init?(reading fields: DeviceFields)

  /// The numbers that the sensor can read, in the unit of its readings, one range at least; any number unless a source says otherwise.
  var readable: [ClosedRange<Double>] { get }
  /// The unit of its readings, as people write it: `°C`; empty, as usual, where none is known.
  var unit: String { get }
  /// What Home Assistant calls the quantity: `temperature`, one of the device classes of its sensors; nil, as usual, where it has no word for
  /// it. It is told of it only if it takes ``unit`` for such a quantity.
  var deviceClass: String? { get }
  /// The GPIO lines of the sensor, as the file names them.
  var lines: [String] { get }
  /// How the sensor is wired; nil for one without wires of its own.
  func wiring(named name: String) -> WiringPlan.Device?
  /// Where the number of a source without wires of its own comes from, in a sentence of the wiring: `its number is in the file
  /// /run/air`; nil, as usual, for one with wires.
  var origin: String? { get }

  /// The lens of the sensor's driver.
  func lenses(in context: SensorLensContext) -> PanelLenses
  /// The world's side of the sensor in a simulation; nil where it is not simulated.
  func world(on chip: SimulatedChip, _ platform: Platform) -> (any SensorWorld)?
  /// How long it takes at most until a number that a simulated sensor senses has been read; zero for one that is read at once.
  static func delay(every interval: Duration) -> Duration
}

extension SensorSource {
  /// The key that names the source: `w1`.
  static var word: String { grammar.keys[0].name }
  public static var intervals: ClosedRange<Duration> { Sensor.shortestInterval...Sensor.longestInterval }
  public static var usualInterval: Duration { .seconds(1) }
  public var readable: [ClosedRange<Double>] { [-.infinity ... .infinity] }
  public var unit: String { "" }
  public var deviceClass: String? { nil }
  public var lines: [String] { [] }
  public func wiring(named name: String) -> WiringPlan.Device? { nil }
  public var origin: String? { nil }
  public static func delay(every interval: Duration) -> Duration { .zero }

  func isEqual(to other: any SensorSource) -> Bool { other as? Self == self }
}

/// The world's side of a simulated sensor: what steps of a scenario do to it.
public protocol SensorWorld {
  /// The sensor senses a number from now on, in the unit of its readings.
  func sense(_ number: Double)
  /// The sensor is there again, and senses what it sensed before.
  func plug()
  /// The sensor is away: it gives no number.
  func unplug()
  /// The sensor is there, and its first number takes until it is sensed; away unless a sensor can do that.
  func silence()
}

extension SensorWorld {
  public func silence() { unplug() }
}

/// A source whose number is at a place of this machine.
public protocol NumberSensorSource: SensorSource {
  /// What says where the number is.
  associatedtype At: NumberPlace
  /// Where the number is.
  var place: At { get }
}

extension NumberSensorSource {
  public var unit: String { place.unit }

  public func lenses(in context: SensorLensContext) -> PanelLenses {
    context.lenses(
      of: Sensor(context.platform.number(at: place), settings: .init(decimals: context.decimals)),
      showing: .every(context.interval)
    ) { event in
      switch event {
      case .reading(let number): .reading(number)
      }
    }
  }

  public func world(on chip: SimulatedChip, _ platform: Platform) -> (any SensorWorld)? {
    let source = platform.simulatedNumber(at: place)
    source?.tellsChanges = true
    return source
  }
}

extension SimulatedNumberSource: SensorWorld {
  /// Sets the number.
  public func sense(_ number: Double) { set(number) }
}

/// What an event of a sensor's driver means to a panel.
public enum SensorReport: Equatable {
  /// The sensor has read a number; one beyond the panel's range, also an infinite one, counts as the end of the range.
  case reading(Double)
  /// Edges of the sensor's lines were lost, so many at least.
  case edgesLost(Int)
}

/// What the lens of one sensor is made with.
public struct SensorLensContext {
  let rules: PanelRules
  /// Gives the hardware that has a port of its own.
  public let platform: Platform
  /// The panel's chip, or chips: where the lines are that the file names.
  public let chip: any GPIOChip
  /// The number of the input in the file, and its name.
  let input: Int
  let name: String
  /// The number of the lens's source of trouble.
  let source: Int
  /// From one reading to the next, in the source's ``SensorSource/intervals``.
  public let interval: Duration
  let scale: ReadingScale
  /// Whether the start fails if the sensor's lines can't be had.
  let isRequired: Bool

  /// How many decimals of the number count, 0 to 3.
  public var decimals: Int { scale.decimals }

  /// The lens of a driver that reads the sensor.
  ///
  /// - Parameters:
  ///   - driver: on lines of the chip, or hardware of its own.
  ///   - model: what the driver does as long as the panel runs.
  ///   - isOnChip: whether the driver is on lines of the panel's chip, and is lost with it.
  ///   - report: what an event means; nil for nothing.
  public func lenses<D: Driver>(
    of driver: D, showing model: D.Model, isOnChip: Bool = false, report: @escaping (D.Event) -> SensorReport?
  ) -> PanelLenses {
    let (rules, input, name, scale) = (rules, input, name, scale)
    let source = PanelTrouble.Source(lens: name, hardware: isOnChip ? .gpio : nil, number: source)
    return PanelLenses(
      lenses: AnyLenses {
        Lens(
          driver, name: name, showing: model,
          on: { frame, event, past in
            switch report(event) {
            case .reading(let number): rules.read(scale.whole(number), of: input, at: past.moment, in: &frame)
            case .edgesLost(let count): frame.noteLoss(of: count, at: input)
            case nil: break
            }
          }, isRequired: isOnChip && isRequired
        ).refusingEvents { event in
          switch report(event) {
          case .reading(let number) where number.isNaN: "a sensor reads numbers"
          case .edgesLost(let count) where !OutsideNumber.counts.contains(count): "\(count) is no number of lost edges"
          case .reading, .edgesLost, nil: nil
          }
        }.onTrouble { frame, trouble, past in
          rules.note(trouble, of: source, at: past.moment, in: &frame)
          switch trouble {
          case .lost, .failed: rules.lose(sensor: input, at: past.moment, in: &frame)
          case .restored, .eventsLost: break
          }
        }
      },
      journal: LensJournal(
        source: source,
        text: { event in
          switch (event as? D.Event).flatMap(report) {
          case .reading(let number) where number.isFinite: "\(name) reads \(number)"
          case .reading: "\(name) reads nothing in range"
          case .edgesLost(let count): "\(name): \(LossLog.text(of: count))"
          case nil: nil
          }
        },
        isTrouble: { event in
          if case .edgesLost? = (event as? D.Event).flatMap(report) { true } else { false }
        }))
  }
}
