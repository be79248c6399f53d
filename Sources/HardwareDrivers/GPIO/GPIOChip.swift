import CycleCore

/// The seam below every GPIO driver: finds lines by name and requests them.
///
/// `LinuxGPIO` is the kernel's GPIO character device, `SimulatedChip` lives in memory.
public protocol GPIOChip: AnyObject {
  /// Takes all lines together, outputs at their initial values from the first instant.
  ///
  /// - Parameters:
  ///   - lines: 1 to 64 lines, each named once.
  ///   - consumer: who holds them, as `gpioinfo` shows it; at most 31 bytes.
  /// - Throws: ``CycleCore/DriverError`` that names the line: no such line, held by another program, no permission.
  ///   Nothing is held then.
  func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest

  /// Has the watcher woken when lines that were lost may be back. The watch ends when the result is released.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> any ReturnWatch
}

/// Lines that are held together. Used on one thread; a released request is not used any more.
public protocol LineRequest: AnyObject {
  /// What the backend and the kernel below it can tell and do.
  var abilities: LineAbilities { get }

  /// Has the watcher woken with ``CycleCore/Wake/ready(descriptor:)`` when there are edges, or the chip is gone.
  func watch(_ watcher: Watcher) throws(DriverError)

  /// The values of all lines now: one call for all of them.
  func readValues() throws(DriverError) -> LineValues

  /// Sets the values of the output lines in `mask`, all in one call.
  func write(_ values: LineValues, mask: LineValues) throws(DriverError)

  /// Reads edges that have been queued, oldest first, without waiting: as many as there are and fit.
  ///
  /// - Returns: how many were written to the beginning of `edges`; less than its count when the queue is empty.
  /// - Throws: kind `lost` when the chip is gone.
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int

  /// Uses the same lines, in the same order, in another way.
  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError)

  /// Gives the lines back. Does nothing when they are released already.
  func release()
}

/// What differs between generations of the kernel's interface.
public struct LineAbilities: Equatable, Sendable {
  /// The kernel debounces: ``LineConfiguration/debounce`` has been handed to it.
  public var debounces: Bool
  /// Edges carry sequence numbers.
  public var numbersEdges: Bool
  /// How many edges the kernel keeps for a reader that is late: of each line, or, where it numbers them, of the request.
  public var queueDepth: Int

  public init(debounces: Bool, numbersEdges: Bool, queueDepth: Int) {
    self.debounces = debounces
    self.numbersEdges = numbersEdges
    self.queueDepth = queueDepth
  }
}

extension LineRequest {
  public func reconfigure(_ lines: [LineConfiguration]) throws(DriverError) {}
}
