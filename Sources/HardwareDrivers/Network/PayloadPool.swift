/// Payloads of waiting messages: memory that is reserved once, in slots of 512 bytes for events, and of 1024 for
/// values.
///
/// One thread writes a slot, then passes its number to another thread, which reads it. The first thread writes the slot
/// again only after the other has reported that it is done.
final class PayloadPool: @unchecked Sendable {
  /// The longest payload of an event.
  static let longest = 512
  /// The longest payload of a value: a list of 64 numbers of nine digits and a sign has 705 bytes.
  static let longestValue = 1024

  private let bytes: UnsafeMutableRawBufferPointer
  /// The number of slots for events; the slots for values follow them.
  private let eventCount: Int
  /// The lengths of the bytes from ``write(_:_:)``, and the lengths including the bytes from ``finish(_:_:)``.
  private let beginnings: UnsafeMutablePointer<Int>
  private let lengths: UnsafeMutablePointer<Int>

  init(slots: Int, values: Int = 0) {
    eventCount = slots
    let count = slots + values
    bytes = .allocate(byteCount: slots * Self.longest + values * Self.longestValue, alignment: 8)
    beginnings = .allocate(capacity: count)
    beginnings.initialize(repeating: 0, count: count)
    lengths = .allocate(capacity: count)
    lengths.initialize(repeating: 0, count: count)
  }

  deinit {
    bytes.deallocate()
    beginnings.deallocate()
    lengths.deallocate()
  }

  private func memory(of slot: Int) -> UnsafeMutableRawBufferPointer {
    let begin = min(slot, eventCount) * Self.longest + max(0, slot - eventCount) * Self.longestValue
    return UnsafeMutableRawBufferPointer(
      rebasing: bytes[begin...].prefix(slot < eventCount ? Self.longest : Self.longestValue))
  }

  /// Writes a payload; bytes beyond the end of the slot are dropped.
  func write(_ slot: Int, _ write: (inout PayloadWriter) -> Void) {
    var writer = PayloadWriter(memory(of: slot))
    write(&writer)
    beginnings[slot] = writer.count
    lengths[slot] = writer.count
  }

  /// Writes the end of a payload, replacing an earlier end.
  func finish(_ slot: Int, _ write: (inout PayloadWriter) -> Void) {
    var writer = PayloadWriter(memory(of: slot), count: beginnings[slot])
    write(&writer)
    lengths[slot] = writer.count
  }

  /// The payload of a slot, valid until the slot is written again.
  subscript(slot: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory(of: slot).prefix(lengths[slot]))
  }
}

/// Writes the bytes of a payload, without an allocation.
public struct PayloadWriter {
  private let bytes: UnsafeMutableRawBufferPointer
  /// The number of bytes written.
  public private(set) var count: Int

  /// - Parameters:
  ///   - bytes: the memory to write to; bytes beyond its end are dropped.
  ///   - count: the number of bytes that are there already.
  public init(_ bytes: UnsafeMutableRawBufferPointer, count: Int = 0) {
    (self.bytes, self.count) = (bytes, count)
  }

  /// Whether another byte fits.
  var hasRoom: Bool { count < bytes.count }

  /// Appends a byte; drops it if it doesn't fit.
  public mutating func write(_ byte: UInt8) {
    guard hasRoom else { return }
    bytes[count] = byte
    count += 1
  }

  /// Appends text as UTF-8.
  public mutating func write(_ text: StaticString) {
    for place in 0..<text.utf8CodeUnitCount { write(text.utf8Start[place]) }
  }

  /// Appends text as UTF-8.
  public mutating func write(_ text: String) {
    for byte in text.utf8 { write(byte) }
  }

  /// Appends a number, with a sign if it is negative.
  ///
  /// - Parameters:
  ///   - number: the number.
  ///   - width: the minimum number of digits; a shorter number gets leading zeros.
  public mutating func write(_ number: Int, width: Int = 1) {
    if number < 0 { write(UInt8(ascii: "-")) }
    let magnitude = number.magnitude
    var (power, digits) = (UInt(1), 1)
    while magnitude / power >= 10 { (power, digits) = (power * 10, digits + 1) }
    for _ in stride(from: digits, to: width, by: 1) { write(UInt8(ascii: "0")) }
    while power > 0 {
      write(UInt8(ascii: "0") + UInt8(magnitude / power % 10))
      power /= 10
    }
  }

  /// Appends text as a JSON string with both quotation marks; text that doesn't fit is cut off.
  ///
  /// - Parameters:
  ///   - text: the text to quote.
  ///   - spare: the number of bytes that are left free after it.
  public mutating func write(quoted text: String, leaving spare: Int = 0) {
    write(UInt8(ascii: "\""))
    let end = bytes.count - spare - 1
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        guard count + 2 <= end else { return write(UInt8(ascii: "\"")) }
        write(UInt8(ascii: "\\"))
        write(UInt8(scalar.value))
      case "\0"..<" ":
        guard count + 6 <= end else { return write(UInt8(ascii: "\"")) }
        write("\\u00")
        write(Self.digit(scalar.value >> 4))
        write(Self.digit(scalar.value & 15))
      default:
        guard count + UTF8.width(scalar) <= end else { return write(UInt8(ascii: "\"")) }
        for byte in UTF8.encode(scalar)! { write(byte) }
      }
    }
    write(UInt8(ascii: "\""))
  }

  /// The hexadecimal digit of a number below 16.
  private static func digit(_ number: UInt32) -> UInt8 {
    UInt8(number < 10 ? 0x30 + number : 0x61 + number - 10)
  }
}
