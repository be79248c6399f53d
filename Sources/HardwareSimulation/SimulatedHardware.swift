/// Hardware in memory that can be taken away and brought back.
public protocol SimulatedHardware: AnyObject {
  /// Whether it is there.
  var isPlugged: Bool { get }

  /// Takes it away. Does nothing when it is away already.
  func unplug()

  /// Brings it back. Does nothing when it is there already.
  func plug()
}
