/// The reason for a wake.
@frozen
public enum Wake: Equatable, Sendable {
  /// This descriptor, which the driver watches, is ready or broken. ``Watcher/simulatedDescriptor`` for a simulated
  /// device.
  case ready(descriptor: Int32)
  /// The moment set with ``DriverContext/setAlarm(_:)`` is due.
  case alarm
  /// The driver's own thread has posted: receive the messages from the ``Postbox``.
  case posted
  /// An earlier wake threw: repeat what failed.
  case retry
}
