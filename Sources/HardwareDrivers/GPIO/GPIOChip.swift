import CycleCore

/// The interface between GPIO drivers and a backend: finds lines by name and requests them.
///
/// `LinuxGPIO` is the kernel's GPIO character device, `SimulatedChip` lives in memory.
public protocol GPIOChip: AnyObject {
  /// Requests all lines together, outputs at their initial values from the first instant.
  ///
  /// - Parameters:
  ///   - lines: 1 to 64 lines, each named once. Their settings take at most 10 of the kernel's attributes: one for the
  ///     values of outputs, one for each debounce period, one for each further combination of direction, edges, bias,
  ///     drive and polarity.
  ///   - consumer: the name of the holder, as shown by `gpioinfo`; at most 31 bytes.
  /// - Throws: ``CycleBase/DriverError`` that names the line: held by another program (kind `busy`), no permission
  ///   (`notPermitted`), no such chip (`absent`); a line that the chip doesn't have, or that this application uses
  ///   twice (`misconfigured`). Nothing is held then.
  func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest

  /// Wakes the watcher when lines that were lost may be back. The watch ends when the result is released. Returns nil
  /// if nothing announces their return. They are requested again from time to time in either case.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?
}

extension GPIOChip {
  /// Requests all lines together in the name of this program: see ``request(_:consumer:)``.
  public func request(_ lines: [LineConfiguration]) throws(DriverError) -> any LineRequest {
    try request(lines, consumer: LineConsumer.thisProgram)
  }
}
