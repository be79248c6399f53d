import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// A sensor: a ``HardwareLinux/NumberPlace`` of this machine, or a ``HardwareSimulation/SimulatedNumberSource`` with its name and
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
