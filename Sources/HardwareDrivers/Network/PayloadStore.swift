/// Payloads of waiting messages: memory that is reserved once, in slots of 512 bytes.
///
/// One thread writes a slot before it names it to another, which reads it; it writes it again only when the other has
/// said that it is done.
final class PayloadStore: @unchecked Sendable {
  /// The longest payload.
  static let longest = 512

  private let bytes: UnsafeMutableRawBufferPointer
  /// The lengths of what ``write(_:_:)`` wrote, and with what ``finish(_:_:)`` added.
  private let beginnings: UnsafeMutablePointer<Int>
  private let lengths: UnsafeMutablePointer<Int>

  init(slots: Int) {
    bytes = .allocate(byteCount: slots * Self.longest, alignment: 8)
    beginnings = .allocate(capacity: slots)
    beginnings.initialize(repeating: 0, count: slots)
    lengths = .allocate(capacity: slots)
    lengths.initialize(repeating: 0, count: slots)
  }

  deinit {
    bytes.deallocate()
    beginnings.deallocate()
    lengths.deallocate()
  }

  private func memory(of slot: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: bytes[(slot * Self.longest)...].prefix(Self.longest))
  }

  /// Writes a payload; what is beyond the end of the slot is cut off.
  func write(_ slot: Int, _ write: (inout PayloadWriter) -> Void) {
    var writer = PayloadWriter(memory(of: slot))
    write(&writer)
    beginnings[slot] = writer.count
    lengths[slot] = writer.count
  }

  /// Writes the end of a payload, in the place of an earlier end.
  func finish(_ slot: Int, _ write: (inout PayloadWriter) -> Void) {
    var writer = PayloadWriter(memory(of: slot), count: beginnings[slot])
    write(&writer)
    lengths[slot] = writer.count
  }

  /// The payload of a slot, as long as it is not written again.
  subscript(slot: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory(of: slot).prefix(lengths[slot]))
  }
}

/// Writes the bytes of a payload, without an allocation.
public struct PayloadWriter {
  private let bytes: UnsafeMutableRawBufferPointer
  /// How many bytes there are.
  public private(set) var count: Int

  init(_ bytes: UnsafeMutableRawBufferPointer, count: Int = 0) {
    (self.bytes, self.count) = (bytes, count)
  }

  /// Whether another byte fits.
  var hasRoom: Bool { count < bytes.count }

  /// Appends a byte; nothing if there is no room.
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
  ///   - width: zeros are put before a number with fewer digits.
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

  /// Appends text as a JSON string.
  public mutating func write(quoted text: String) {
    write(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        write(UInt8(ascii: "\\"))
        write(byte)
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        write("\\u00")
        write(digits[Int(byte >> 4)])
        write(digits[Int(byte & 15)])
      default: write(byte)
      }
    }
    write(UInt8(ascii: "\""))
  }
}
