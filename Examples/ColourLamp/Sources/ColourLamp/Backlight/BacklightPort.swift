import HardwareDrivers

/// The light of a screen, by its name in `/sys/class/backlight`.
public struct BacklightPort: Port {
  public typealias Hardware = any Backlight
  public static let name = "backlight"
  public static let help = "Use the screen's light of this machine, or a simulated one."

  public var screen: String

  public init(_ screen: String) { self.screen = screen }
}
