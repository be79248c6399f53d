import HardwareDrivers
import HardwareSimulation

/// The location of a number on this machine: ``IIOChannel``, ``HwmonChannel``, ``NumberFile``, ``OneWireNumber``, or a
/// type of your own. Equal places give the same number.
public protocol NumberPlace: Hashable, Sendable {
  /// The place's name in errors, as ``HardwareDrivers/NumberSource/name``.
  var name: String { get }
  /// The unit of its numbers, as ``HardwareDrivers/NumberSource/unit``.
  var unit: String { get }

  /// Creates the source that reads the number. Opens nothing.
  func makeSource() -> any NumberSource
}

/// A place that opens its files for each reading is its own source.
extension NumberPlace where Self: NumberSource {
  public var needsThread: Bool { true }
  public func makeSource() -> any NumberSource { self }
}

/// A sensor: a ``NumberPlace`` of this machine, or a ``HardwareSimulation/SimulatedNumberSource`` with its name and
/// unit, initially 0.
public struct NumberSourcePort: Port {
  public static let name = "sensor"
  public static let help = "Use the sensors of this machine, or simulated ones."

  /// The location of the number.
  public let place: any NumberPlace

  /// - Parameter place: the location on this machine; a simulated source gets its name and unit.
  public init(_ place: any NumberPlace) {
    self.place = place
  }

  public static func == (first: NumberSourcePort, second: NumberSourcePort) -> Bool {
    AnyHashable(first.place) == AnyHashable(second.place)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(place)) }

  public func makeReal() -> any NumberSource { place.makeSource() }

  public func makeSimulated(on bench: Bench) -> SimulatedNumberSource {
    SimulatedNumberSource(place.name, unit: place.unit)
  }

  public static func hardware(_ simulated: SimulatedNumberSource) -> any NumberSource { simulated }
}

extension Platform {
  /// The source of the number at a place of this machine, or a simulated one: ``NumberSourcePort``.
  public func number(at place: some NumberPlace) -> any NumberSource { hardware(at: NumberSourcePort(place)) }

  /// The simulated source at a place, for a test to set; nil if sensors are not simulated.
  public func simulatedNumber(at place: some NumberPlace) -> SimulatedNumberSource? {
    simulated(at: NumberSourcePort(place))
  }
}
