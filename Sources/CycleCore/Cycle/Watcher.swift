/// Wakes one lens when a descriptor is ready: the part of a driver's context that its ports get.
public struct Watcher {
  /// The descriptor in the ``Wake/ready(descriptor:)`` of a simulated device. The system never uses this number.
  public static let simulatedDescriptor: Int32 = -1

  let cycleContext: CycleContext
  let lens: Int

  /// Wakes the driver with ``Wake/ready(descriptor:)`` whenever the descriptor is ready or broken.
  public func watch(_ descriptor: Int32) throws(DriverError) {
    try cycleContext.loop.watch(descriptor, for: lens)
  }

  /// Watches like ``watch(_:)``, for a driver that at each wake reads everything that the descriptor holds, or wakes
  /// itself with ``makeWaker()`` for the rest. On Linux the kernel then doesn't check the descriptor again after each
  /// wake (`EPOLLET`).
  public func watchArrivals(_ descriptor: Int32) throws(DriverError) {
    try cycleContext.loop.watchArrivals(descriptor, for: lens)
  }

  /// Stops watching.
  public func unwatch(_ descriptor: Int32) {
    cycleContext.loop.unwatch(descriptor)
  }

  /// Makes a waker, with which a simulated device on the cycle's thread wakes the driver.
  public func makeWaker() -> DriverWaker { DriverWaker(cycleContext: cycleContext, lens: lens) }
}
