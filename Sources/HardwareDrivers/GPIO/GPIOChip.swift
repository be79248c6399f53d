import CycleCore

/// The seam below every GPIO driver: finds lines by name and requests them.
///
/// `LinuxGPIO` is the kernel's GPIO character device, `SimulatedChip` lives in memory.
public protocol GPIOChip: AnyObject {
  /// Requests all lines together, outputs at their initial values from the first instant.
  ///
  /// - Parameters:
  ///   - lines: 1 to 64 lines, each named once.
  ///   - consumer: who holds them, as `gpioinfo` shows it; at most 31 bytes.
  /// - Throws: ``CycleCore/DriverError`` that names the line: held by another program (kind `busy`), no permission
  ///   (`notPermitted`), no such chip (`absent`); a line that the chip doesn't have, or that this application uses
  ///   twice (`misconfigured`). Nothing is held then.
  func request(_ lines: [LineConfiguration], consumer: String) throws(DriverError) -> any LineRequest

  /// Has the watcher woken when lines that were lost may be back. The watch ends when the result is released.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> any ReturnWatch
}

extension GPIOChip {
  /// Requests all lines together in the name of this program: see ``request(_:consumer:)``.
  public func request(_ lines: [LineConfiguration]) throws(DriverError) -> any LineRequest {
    try request(lines, consumer: LineConsumer.thisProgram)
  }
}

/// Who holds a line, as `gpioinfo` shows it.
public enum LineConsumer {
  /// The name of this program's file, `doorbell` for `/opt/doorbell/doorbell`; `panel` where the system gives none.
  public static var thisProgram: String {
    guard let path = CommandLine.arguments.first, let name = path.split(separator: "/").last else { return "panel" }
    return String(name)
  }
}

/// Lines that are held together. Used on one thread; a released request is not used any more.
public protocol LineRequest: AnyObject {
  /// What the backend and the kernel below it can tell and do.
  var abilities: LineAbilities { get }

  /// Has the watcher woken with ``CycleCore/Wake/ready(descriptor:)`` when there are edges, or the chip is gone, until
  /// the lines are released. One watcher at a time.
  func watch(_ watcher: Watcher) throws(DriverError)

  /// The values of all lines now: one call for all of them.
  func readValues() throws(DriverError) -> LineValues

  /// Sets the values of the output lines in `mask`, all in one call.
  func write(_ values: LineValues, mask: LineValues) throws(DriverError)

  /// Gives the lines another direction, bias, drive, value or polarity: for lines that turn at run time, as for a
  /// 1-wire bus, an acknowledge or charlieplexing.
  ///
  /// Edges that were queued before stay and are read; edges that the change itself makes are not reported by the lines
  /// that it changes. Numbers of edges go on.
  ///
  /// The kernel's second interface (libgpiod 2) changes all lines with one system call and holds them all the time. In
  /// its first one (libgpiod 1.6) that is so for lines that report no edges: `GPIOHANDLE_SET_CONFIG`, Linux 5.5. An
  /// input with edges is released and requested anew when it turns or its settings change; so are, the first time only,
  /// lines that share their settings and shall differ now. That takes a millisecond or more, and meanwhile nobody holds
  /// the line: edges are missed, another program may request it, and an output's level is what the chip makes of a line
  /// that nobody holds. Lines that turn often should have ``LineConfiguration/reportsEdges`` false.
  ///
  /// Calls `gpiod_line_request_reconfigure_lines` (libgpiod 2), `gpiod_line_set_config_bulk` (1.6).
  ///
  /// - Parameter lines: the lines that were requested, in the same order; another order is a programmer's mistake and
  ///   traps.
  /// - Throws: ``CycleCore/DriverError`` that names the lines. Some of them may have changed then: reconfigure them
  ///   again, or release them.
  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError)

  /// Reads edges that have been queued, oldest first, without waiting: as many as there are and fit.
  ///
  /// - Returns: how many were written to the beginning of `edges`; less than its count when the queue is empty.
  /// - Throws: kind `lost` when the chip is gone.
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int

  /// Gives the lines back. Does nothing when they are released already.
  func release()
}

/// What differs between generations of the kernel's interface.
public struct LineAbilities: Equatable, Sendable {
  /// The kernel debounces: ``LineConfiguration/debounce`` has been handed to it.
  public var debounces: Bool
  /// Edges carry sequence numbers.
  public var numbersEdges: Bool
  /// How many edges the kernel keeps for a reader that is late: of each line, or, where it numbers them, of the
  /// request.
  public var queueDepth: Int

  public init(debounces: Bool, numbersEdges: Bool, queueDepth: Int) {
    self.debounces = debounces
    self.numbersEdges = numbersEdges
    self.queueDepth = queueDepth
  }
}
