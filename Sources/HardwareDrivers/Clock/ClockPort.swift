/// The clock of the machine: `LinuxClock`, or `SimulatedClock`.
public struct ClockPort: Port {
  public typealias Hardware = any WallClock
  public static let name = "clock"
  public static let help = "Use the clock of this machine, or a simulated one."

  /// When the time is known.
  public enum Trust: Hashable, Sendable {
    /// A time server has synchronised the clock, or a battery clock has set it at boot.
    case synchronised
    /// Always: a user sets the clock.
    case machine
  }

  /// The zone: a name of the time zone database (`Europe/Berlin`), or a text with rules
  /// (`CET-1CEST,M3.5.0,M10.5.0/3`). Nil for the zone of the machine.
  public var zone: String?
  public var trust: Trust

  public init(zone: String? = nil, trust: Trust = .synchronised) {
    (self.zone, self.trust) = (zone, trust)
  }
}
