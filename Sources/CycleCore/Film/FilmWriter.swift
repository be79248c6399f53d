/// Writes values as JSON, always in one form: no blanks, keys in the order of writing, integers in decimal digits,
/// floating-point numbers in the shortest form that reads back as the same number, and in strings only the escapes that
/// JSON requires. So equal values are equal bytes, on every machine and with every compiler.
///
/// It keeps its storage: once that has grown, writing allocates nothing.
public struct FilmWriter: ~Copyable {
  @usableFromInline var bytes: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  /// How many bytes have been written since the last ``removeAll()``.
  public internal(set) var count = 0
  /// Whether a comma has to come before the next value or key.
  @usableFromInline var needsComma = false

  public init() {
    capacity = 256
    bytes = .allocate(capacity: 256)
  }

  deinit { bytes.deallocate() }

  /// What has been written. It is valid until the next call.
  public var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

  /// What has been written, as a text.
  public var text: String { String(decoding: written, as: UTF8.self) }

  /// Forgets what has been written; the storage stays.
  public mutating func removeAll() {
    count = 0
    needsComma = false
  }

  // MARK: - Values

  public mutating func write(_ value: Bool) {
    beginValue()
    append(value ? "true" : "false")
  }

  /// An integer of at most 64 bits.
  @inlinable
  public mutating func write(_ value: some FixedWidthInteger) {
    write(magnitude: UInt64(value.magnitude), isNegative: value < 0)
  }

  @usableFromInline
  mutating func write(magnitude: UInt64, isNegative: Bool) {
    beginValue()
    reserve(40)
    var magnitude = magnitude
    var place = count
    if isNegative {
      bytes[place] = UInt8(ascii: "-")
      place &+= 1
    }
    // Digits come out last one first.
    place &+= Self.digits(of: magnitude)
    count = place
    repeat {
      place &-= 1
      bytes[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude % 10)
      magnitude /= 10
    } while magnitude > 0
  }

  /// A number that is none, or infinite, becomes a string: `"nan"`, `"inf"`, `"-inf"`.
  public mutating func write(_ value: Double) {
    guard value.isFinite else { return write(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf") }
    beginValue()
    append(value.description)
  }

  /// As ``write(_:)-(Double)``, in the shortest form that reads back as the same `Float`.
  public mutating func write(_ value: Float) {
    guard value.isFinite else { return write(Double(value)) }
    beginValue()
    append(value.description)
  }

  public mutating func write(_ value: String) {
    beginValue()
    appendQuoted(value)
  }

  /// A text that needs no escapes: no quotation marks, no backslashes, no control characters.
  public mutating func write(plain value: StaticString) {
    beginValue()
    append(UInt8(ascii: "\""))
    append(value)
    append(UInt8(ascii: "\""))
  }

  public mutating func write(_ value: FilmDigest) {
    beginValue()
    reserve(18)
    let first = bytes + count
    first[0] = UInt8(ascii: "\"")
    var number = value.number
    var place = 16
    while place > 0 {
      let digit = UInt8(truncatingIfNeeded: number) & 15
      first[place] = digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10)
      number &>>= 4
      place &-= 1
    }
    first[17] = UInt8(ascii: "\"")
    count &+= 18
  }

  public mutating func writeNull() {
    beginValue()
    append("null")
  }

  // MARK: - Arrays and objects

  public mutating func beginArray() { begin(UInt8(ascii: "[")) }
  public mutating func endArray() { end(UInt8(ascii: "]")) }
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }
  public mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Writes a key of an object; its value comes next.
  public mutating func key(_ name: String) {
    beginValue()
    appendQuoted(name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// As ``key(_:)-(String)``, of a name that needs no escapes.
  public mutating func key(plain name: StaticString) {
    write(plain: name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Adds a value that another writer has written.
  public mutating func write(written value: UnsafeRawBufferPointer) {
    beginValue()
    append(value)
  }

  /// Adds whole lines that another writer has written.
  mutating func add(_ lines: UnsafeRawBufferPointer) { append(lines) }

  mutating func endLine() {
    append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Replaces what was written behind a place by what was written at its end: turns `{"pressed":{}` into `"pressed"`.
  mutating func keep(_ range: Range<Int>, from place: Int) {
    (bytes + place).update(from: bytes + range.lowerBound, count: range.count)
    count = place + range.count
  }

  private mutating func begin(_ bracket: UInt8) {
    beginValue()
    append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    append(bracket)
    needsComma = true
  }

  // MARK: - Bytes

  @inline(__always)
  private mutating func beginValue() {
    if needsComma { append(UInt8(ascii: ",")) }
    needsComma = true
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if count &+ more > capacity { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    var size = capacity
    while size < count + more { size *= 2 }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    larger.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = larger
    capacity = size
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    reserve(1)
    bytes[count] = byte
    count &+= 1
  }

  private mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  private mutating func append(_ added: UnsafeRawBufferPointer) {
    guard let start = added.baseAddress else { return }
    reserve(added.count)
    UnsafeMutableRawPointer(bytes + count).copyMemory(from: start, byteCount: added.count)
    count &+= added.count
  }

  private mutating func appendQuoted(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      reserve(utf8.count + 2)
      append(UInt8(ascii: "\""))
      for byte in utf8 {
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          append(byte)
        } else {
          appendEscape(of: byte)
        }
      }
      append(UInt8(ascii: "\""))
    }
  }

  private mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0a: append(UInt8(ascii: "n"))
    case 0x0c: append(UInt8(ascii: "f"))
    case 0x0d: append(UInt8(ascii: "r"))
    default:
      let low = byte & 15
      append(byte < 16 ? "u000" : "u001")
      append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") - 10 + low)
    }
  }

  private static func digits(of magnitude: UInt64) -> Int {
    var (digits, rest) = (1, magnitude)
    while rest >= 10_000 {
      digits &+= 4
      rest /= 10_000
    }
    if rest >= 1_000 { return digits &+ 3 }
    if rest >= 100 { return digits &+ 2 }
    return rest >= 10 ? digits &+ 1 : digits
  }
}
