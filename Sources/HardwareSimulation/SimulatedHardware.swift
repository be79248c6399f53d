/// Hardware in memory that can be unplugged and plugged in again.
public protocol SimulatedHardware: AnyObject {
  /// Whether the hardware is plugged in.
  var isPlugged: Bool { get }

  /// Unplugs the hardware. Does nothing if it is unplugged already.
  func unplug()

  /// Plugs the hardware in. Does nothing if it is plugged in already.
  func plug()
}
