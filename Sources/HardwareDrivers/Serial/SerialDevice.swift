import CycleCore

/// A device on a serial line that answers requests, for the step of a ``CycleCore/Work``. The first call opens the line,
/// and the first one after an error opens it again.
///
///     let meter = SerialDevice(line, SerialSettings(baud: 9600))
///     try meter.write([0xFF, 0x01, 0x86, 0, 0, 0, 0, 0, 0x79], on: context.clock)
///     let answer = try meter.receive(frame, within: .milliseconds(500), on: context.clock)
///
/// Used by one thread at a time.
public final class SerialDevice {
  public let line: any SerialLine
  public let settings: SerialSettings
  private var connection: (any SerialConnection)?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)

  /// Doesn't open the line.
  public init(_ line: any SerialLine, _ settings: SerialSettings) {
    (self.line, self.settings) = (line, settings)
  }

  deinit {
    connection?.close()
    buffer.deallocate()
  }

  /// Drops the bytes that have arrived.
  ///
  /// - Parameters:
  ///   - clock: the worker's clock.
  ///   - silence: the time without a byte after which a device has ended; zero to wait for none.
  public func dropArrived(on clock: WorkClock, until silence: Duration = .zero) throws(DriverError) {
    // A device that never stops sending must not hold the worker.
    let mostReads = silence > .zero ? SerialFrame.longest : 16
    for _ in 0..<mostReads {
      if try arrived(until: clock.now + silence, on: clock).isEmpty { return }
    }
  }

  /// Sends bytes, all of which fit into the kernel's buffer.
  ///
  /// - Throws: kind `failed` if the sender is full because the device takes nothing.
  public func write(_ bytes: [UInt8], on clock: WorkClock) throws(DriverError) {
    let count = try perform { connection throws(DriverError) in try connection.write(bytes, on: clock) }
    guard count == bytes.count else {
      close()
      throw SerialErrorFactory(line.name).failed("the device takes no bytes")
    }
  }

  /// The bytes that have arrived. Waits for the first one until a moment; empty if none has arrived then.
  public func arrived(until moment: Moment, on clock: WorkClock) throws(DriverError) -> [UInt8] {
    let count = try perform { [buffer] connection throws(DriverError) in
      try connection.read(into: buffer, until: moment, on: clock)
    }
    return Array(buffer.prefix(count))
  }

  /// Waits for a frame.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - device: the name of the device in errors: `mh-z19 on /dev/serial0`; nil for that of the line.
  ///   - span: the longest time until the end of the frame.
  ///   - clock: the worker's clock.
  /// - Throws: kind `failed` if no frame has arrived within the time. The reason names what has arrived.
  public func receive(
    _ frame: SerialFrame, of device: String? = nil, within span: Duration, on clock: WorkClock
  ) throws(DriverError) -> [UInt8] {
    var reader = FrameReader(frame)
    var found: [UInt8]?
    var count = 0
    let end = clock.now + span
    while found == nil {
      let bytes = try arrived(until: end, on: clock)
      if bytes.isEmpty { break }
      count += bytes.count
      bytes.withUnsafeBytes { reader.take($0) { if found == nil { found = $0 } } }
      // A device that sends other bytes without end.
      if clock.now >= end { break }
    }
    if let found { return found }
    throw SerialErrorFactory(line.name).noFrame(
      of: device, within: span, byteCount: count, wrongCount: reader.wrongCount)
  }

  private func perform<Result>(
    _ body: (any SerialConnection) throws(DriverError) -> Result
  ) throws(DriverError) -> Result {
    do throws(DriverError) {
      return try body(try open())
    } catch {
      close()
      throw error
    }
  }

  private func open() throws(DriverError) -> any SerialConnection {
    if let connection { return connection }
    let opened = try line.open(settings)
    connection = opened
    return opened
  }

  /// Closes the line. The next call opens it again.
  public func close() {
    connection?.close()
    connection = nil
  }
}
