/// A watch for a device that is missing: wakes a driver when the device may be back, until the watch is released.
public protocol ReturnWatch: AnyObject {
  /// Clears the pending change, so that the next one wakes the driver again. Returns false if no device was added or
  /// removed since the last call: something else has then woken the driver.
  @discardableResult
  func acknowledge() -> Bool
  /// Ends the watch.
  func release()
}
