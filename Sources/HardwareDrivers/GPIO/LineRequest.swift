import CycleCore

/// Lines that are held together. Used on one thread, and not after ``release()``.
public protocol LineRequest: AnyObject {
  /// The abilities of the backend and of its kernel interface.
  var abilities: EdgeCapabilities { get }

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

/// A request of lines that can be released one by one. The kernel's GPIO lines are released together.
package protocol SeparableLineRequest: LineRequest {
  /// Releases the lines at these places. They are not used any more.
  func release(at places: [Int])
}
