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
  public func makeWaker() -> Waker { Waker(cycleContext: cycleContext, lens: lens) }
}

/// Wakes a driver from a simulated device, on the cycle's thread. Several calls before the next turn of the cycle wake
/// the driver once.
public struct Waker {
  let cycleContext: CycleContext
  let lens: Int

  public func wake() {
    cycleContext.simulatedWakes.add(lens)
  }
}

/// A watch for a device that is missing: wakes a driver when the device may be back, until the watch is released.
public protocol ReturnWatch: AnyObject {
  /// Clears the pending change, so that the next one wakes the driver again. Returns false if no device was added or
  /// removed since the last call: something else has then woken the driver.
  @discardableResult
  func acknowledge() -> Bool
  /// Ends the watch.
  func release()
}
