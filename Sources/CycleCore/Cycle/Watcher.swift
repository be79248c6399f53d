/// Has one lens woken when something is ready: the part of a context that seams get to see.
public struct Watcher {
  /// The descriptor of a ``Wake/ready(descriptor:)`` that no descriptor of the system is behind.
  public static let simulatedDescriptor: Int32 = -1

  let wiring: Wiring
  let lens: Int

  /// Wakes the driver with ``Wake/ready(descriptor:)`` whenever the descriptor is ready or broken.
  public func watch(_ descriptor: Int32) throws(DriverError) {
    try wiring.loop.watch(descriptor, for: lens)
  }

  /// Stops watching.
  public func unwatch(_ descriptor: Int32) {
    wiring.loop.unwatch(descriptor)
  }

  /// By which a simulated device on the cycle's thread wakes the driver.
  public func makeWaker() -> Waker { Waker(wiring: wiring, lens: lens) }
}

/// Wakes a driver from a simulated device, on the cycle's thread: with the next turn of the cycle, and once however often
/// it is called until then.
public struct Waker {
  let wiring: Wiring
  let lens: Int

  public func wake() {
    wiring.simulatedWakes.add(lens)
  }
}

/// A watch for a device that went away: wakes a driver when the device may be back, until it is released.
public protocol ReturnWatch: AnyObject {
  /// Forgets what it was woken by, so that it can be woken again. False if nothing has come or gone since the last call: then the
  /// driver was woken by something else.
  @discardableResult
  func acknowledge() -> Bool
  /// Ends the watch.
  func release()
}
