import CycleCore

/// The interface between drivers of serial devices and a backend: a serial line, which opens for one program.
///
/// `LinuxSerial` is the kernel's `/dev/ttyUSB0`, `SimulatedSerial` lives in memory. A driver for a device that sends by
/// itself uses it on the cycle's thread, where no call waits: the connection wakes the driver when bytes have arrived. A
/// driver that waits for replies uses it in the step of a ``CycleCore/Worker``, with a ``SerialDevice``.
public protocol SerialLine: AnyObject {
  /// The name of the line in messages: `/dev/ttyUSB0`.
  var name: String { get }

  /// Whether reads with a clock block their thread while they wait: true for a real line. Pass it to
  /// ``CycleCore/Worker/init(_:for:onThread:commandCapacity:reportCapacity:in:alarm:)``.
  var needsThread: Bool { get }

  /// The reader of text that the drivers of this line share. A backend stores one: `let text = SerialTextReader()`.
  var text: SerialTextReader { get }

  /// Opens the line. Nothing is sent; bytes that have arrived before are discarded.
  ///
  /// - Throws: ``CycleBase/DriverError`` that names the line: no such device (kind `absent`), no permission
  ///   (`notPermitted`), another program uses it (`busy`), settings that it can't have (`unsupported`).
  func open(_ settings: SerialSettings) throws(DriverError) -> any SerialConnection

  /// Wakes the watcher when a line that was absent or lost may be back; returns nil if nothing announces that. The watch
  /// ends when the result is released. Used on the cycle's thread.
  func watchForReturn(_ watcher: Watcher) throws(DriverError) -> (any ReturnWatch)?
}

/// A serial line that is open. Used by one thread at a time, and not after ``close()``.
public protocol SerialConnection: AnyObject {
  /// Wakes the watcher's driver with ``CycleCore/Wake/ready(descriptor:)`` while there are bytes to read, when there is
  /// room again after a ``write(_:)`` that took less than all, and when the line is gone. A second call passes the watch
  /// to another driver.
  func watch(_ watcher: Watcher) throws(DriverError)

  /// Reads the bytes that have arrived, without waiting.
  ///
  /// - Parameter buffer: gets the bytes; at least one byte long.
  /// - Returns: the number of bytes; 0 if there are none.
  /// - Throws: kind `lost` if the line is gone: close the connection, and open it again later.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriverError) -> Int

  /// Writes the bytes that fit into the sender, without waiting. If it takes less than all, the watcher is woken when
  /// there is room again: write the rest then, or call it with no bytes to end that.
  ///
  /// - Returns: the number of bytes that it has taken; 0 if the sender is full.
  /// - Throws: kind `lost` if the line is gone.
  func write(_ bytes: UnsafeRawBufferPointer) throws(DriverError) -> Int

  /// Reads the bytes that have arrived, in the step of a worker. Waits for the first one until a moment.
  ///
  /// - Parameters:
  ///   - buffer: gets the bytes; at least one byte long.
  ///   - moment: the latest moment at which it returns.
  ///   - clock: the worker's clock. A simulated line advances it by the time that it waits.
  /// - Returns: the number of bytes; 0 if there are none at that moment.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, until moment: Moment, on clock: WorkClock
  ) throws(DriverError) -> Int

  /// Writes the bytes that fit into the sender, in the step of a worker: see ``write(_:)``.
  func write(_ bytes: UnsafeRawBufferPointer, on clock: WorkClock) throws(DriverError) -> Int

  /// Closes the line. Bytes that were not sent yet are dropped. Does nothing if it is closed already.
  func close()
}

extension SerialConnection {
  /// Reads at most `limit` bytes that have arrived: see ``read(into:)``.
  public func read(_ limit: Int) throws(DriverError) -> [UInt8] {
    guard limit > 0 else { return [] }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
    defer { buffer.deallocate() }
    let count = try read(into: buffer)
    return Array(buffer.prefix(count))
  }

  /// Writes the bytes that fit: see ``write(_:)``.
  public func write(_ bytes: [UInt8]) throws(DriverError) -> Int {
    var result: Result<Int, DriverError> = .success(0)
    bytes.withUnsafeBytes { buffer in
      do throws(DriverError) { result = .success(try write(buffer)) } catch { result = .failure(error) }
    }
    return try result.get()
  }

  /// Writes the bytes that fit, in the step of a worker: see ``write(_:on:)``.
  public func write(_ bytes: [UInt8], on clock: WorkClock) throws(DriverError) -> Int {
    var result: Result<Int, DriverError> = .success(0)
    bytes.withUnsafeBytes { buffer in
      do throws(DriverError) { result = .success(try write(buffer, on: clock)) } catch { result = .failure(error) }
    }
    return try result.get()
  }
}
