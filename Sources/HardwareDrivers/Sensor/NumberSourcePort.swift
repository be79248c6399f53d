/// A sensor: a ``NumberLocation`` of this machine, or a `SimulatedNumberSource` with its name and
/// unit, initially 0.
public struct NumberSourcePort: Port {
  public typealias Hardware = any NumberSource
  public static let name = "sensor"
  public static let help = "Use the sensors of this machine, or simulated ones."

  /// The location of the number.
  public let place: any NumberLocation

  /// - Parameter place: the location on this machine; a simulated source gets its name and unit.
  public init(_ place: any NumberLocation) {
    self.place = place
  }

  public static func == (first: NumberSourcePort, second: NumberSourcePort) -> Bool {
    AnyHashable(first.place) == AnyHashable(second.place)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(place)) }
}
