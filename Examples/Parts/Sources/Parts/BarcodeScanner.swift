import CycleCore

/// A scanner of barcodes that sends each code as text and a carriage return.
///
/// **Wiring.** A scanner on USB in the mode "virtual serial port", such as `/dev/ttyACM0`.
///
/// **Timing.** A code is an event when its carriage return has arrived. A scanner that is unplugged is
/// ``CycleCore/Trouble/lost(_:)``, and what it has sent of a code is dropped.
///
///     Lens(BarcodeScanner(DeviceFile("/dev/ttyACM0")), on: { frame, event in frame.code = event.code })
public struct BarcodeScanner: Driver {
  public struct Event: Codable, Equatable, Sendable {
    /// The code: 1 to 64 printable characters of ASCII.
    public var code: String

    public init(code: String) { self.code = code }
  }

  /// The greatest number of bytes of a code. Longer ones are dropped: it is noise.
  private static let longest = 64
  /// The greatest number of bytes that a wake reads, so that it is short.
  private static let mostBytes = 256

  private let source: any ByteSource
  private var context: DriverContext<Event>?
  /// The bytes of the code that has not ended yet, one more than the longest code at most.
  private var code: [UInt8] = []

  public init(_ source: any ByteSource) { self.source = source }

  public mutating func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
    try source.open(for: context.watcher)
  }

  public mutating func wake(_ wake: Wake) throws(DriverError) {
    guard let context else { return }
    // A byte ends one code at most. What does not fit stays in the kernel, and wakes the driver again.
    for byte in try source.read(min(Self.mostBytes, context.room)) {
      guard byte == UInt8(ascii: "\r") else {
        if code.count <= Self.longest { code.append(byte) }
        continue
      }
      let event = Event(code: String(decoding: code, as: UTF8.self))
      if refusal(of: event) == nil { context.emit(event) }
      code.removeAll()
    }
  }

  public mutating func stop() {
    source.close()
    code.removeAll()
    context = nil
  }

  public func refusal(of event: Event) -> String? {
    let isCode = (1...Self.longest).contains(event.code.utf8.count)
    return isCode && event.code.utf8.allSatisfy { (0x20...0x7e).contains($0) } ? nil : "a code has 1 to 64 characters"
  }
}

/// A source of bytes that another device sends: a ``DeviceFile``, or a simulated one.
public protocol ByteSource: AnyObject {
  /// Opens the source without waiting. From then on, the watcher wakes the driver when bytes have arrived, or when the
  /// device is gone.
  func open(for watcher: Watcher) throws(DriverError)
  /// The bytes that have arrived, `limit` at most; empty if there are none. Does not wait. The driver is woken again
  /// while some are left.
  ///
  /// - Throws: an error of the kind `lost` if the device is gone.
  func read(_ limit: Int) throws(DriverError) -> [UInt8]
  /// Closes the source. Does nothing if it is not open.
  func close()
}
