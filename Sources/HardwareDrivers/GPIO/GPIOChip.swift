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

/// The name of a line's holder, as shown by `gpioinfo`.
public enum LineConsumer {
  /// The name of this program's file, `doorbell` for `/opt/doorbell/doorbell`; `panel` if the system provides none.
  public static var thisProgram: String {
    guard let path = CommandLine.arguments.first, let name = path.split(separator: "/").last else { return "panel" }
    return String(name)
  }
}

/// Lines that are held together. Used on one thread, and not after ``release()``.
public protocol LineRequest: AnyObject {
  /// The abilities of the backend and of its kernel interface.
  var abilities: LineAbilities { get }

  /// Wakes the watcher with ``CycleCore/Wake/ready(descriptor:)`` when edges have arrived or the chip is gone, until
  /// the lines are released. One watcher at a time. Unread edges may wake it again only when others arrive. So a driver
  /// reads until ``readEdges(into:)`` returns fewer edges than fit, or wakes itself.
  func watch(_ watcher: Watcher) throws(DriverError)

  /// The values of all lines now: one call for all of them.
  func readValues() throws(DriverError) -> LineValues

  /// Sets the values of the output lines in `mask`, all in one call.
  func write(_ values: LineValues, mask: LineValues) throws(DriverError)

  /// Changes the direction, bias, drive, value or polarity of lines at run time, for example for a 1-wire bus, an
  /// acknowledge or charlieplexing.
  ///
  /// Edges that were queued before can still be read; the lines that change report no edges caused by the change.
  /// Sequence numbers continue.
  ///
  /// The kernel's second interface (libgpiod 2) changes all lines with one system call and holds them throughout. Its
  /// first interface (libgpiod 1.6) does that only for lines that report no edges: `GPIOHANDLE_SET_CONFIG`, Linux 5.5.
  /// It releases an input with edges and requests it again when its direction or settings change; the first time only,
  /// it does the same with lines that shared their settings and get different ones. That takes a millisecond or more,
  /// during which no program holds the line: edges are missed, another program may request it, and the level of an
  /// output depends on the chip. Set ``LineConfiguration/edges`` to none for lines that change often.
  ///
  /// Calls `gpiod_line_request_reconfigure_lines` (libgpiod 2), `gpiod_line_set_config_bulk` (1.6).
  ///
  /// - Parameter lines: the lines that were requested, in the same order; a different order is a programmer's mistake
  ///   and traps.
  /// - Throws: ``CycleBase/DriverError`` that names the lines. Some of them may have changed then: reconfigure them
  ///   again, or release them.
  func reconfigure(_ lines: [LineConfiguration]) throws(DriverError)

  /// Reads queued edges, oldest first, without waiting: as many as there are and fit.
  ///
  /// - Returns: the number of edges that were written to the beginning of `edges`; less than its count when the queue
  ///   is empty.
  /// - Throws: kind `lost` when the chip is gone.
  func readEdges(into edges: UnsafeMutableBufferPointer<LineEdge>) throws(DriverError) -> Int

  /// Releases the lines. Does nothing when they are released already.
  func release()
}

/// The abilities of a backend and of its generation of the kernel's interface.
public struct LineAbilities: Equatable, Sendable {
  /// Whether the kernel debounces: then it has received ``LineConfiguration/debounce``.
  public var debounces: Bool
  /// Whether edges carry sequence numbers.
  public var numbersEdges: Bool
  /// The number of edges that the kernel queues for a late reader: for each line, or for the whole request if it
  /// numbers edges.
  public var queueDepth: Int

  public init(debounces: Bool, numbersEdges: Bool, queueDepth: Int) {
    self.debounces = debounces
    self.numbersEdges = numbersEdges
    self.queueDepth = queueDepth
  }
}
