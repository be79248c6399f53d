/// Writes values as JSON, always in the same form: no blanks, keys in the order of writing, and integers in decimal
/// digits. Floating-point numbers have the shortest form that reads back as the same number. Strings have only the
/// escapes that JSON requires. Equal values therefore have equal bytes, on every machine and with every compiler.
///
/// It keeps its storage: after the storage has grown, writing allocates nothing.
public struct JSONWriter: ~Copyable {
  @usableFromInline var bytes: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  /// The number of bytes written since the last ``removeAll()``.
  public internal(set) var count = 0
  /// Whether a comma must precede the next value or key.
  @usableFromInline var needsComma = false

  public init() {
    capacity = 256
    bytes = .allocate(capacity: 256)
  }

  deinit { bytes.deallocate() }

  /// The bytes written so far, valid until the next call.
  public var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

  /// The bytes written so far, as a text.
  public var text: String { String(decoding: written, as: UTF8.self) }

  /// Removes what was written; keeps the storage.
  public mutating func removeAll() {
    count = 0
    needsComma = false
  }

  // MARK: - Values

  public mutating func write(_ value: Bool) {
    beginValue()
    append(value ? "true" : "false")
  }

  /// Writes an integer of at most 64 bits.
  @inlinable
  public mutating func write(_ value: some FixedWidthInteger) {
    write(magnitude: UInt64(value.magnitude), isNegative: value < 0)
  }

  @usableFromInline
  mutating func write(magnitude: UInt64, isNegative: Bool) {
    reserve(DecimalDigits.mostBytes + 1)
    addComma()
    if isNegative { add(UInt8(ascii: "-")) }
    count &+= DecimalDigits.write(magnitude, to: bytes + count)
  }

  /// Writes a number. NaN and infinite numbers become strings: `"nan"`, `"inf"`, `"-inf"`.
  public mutating func write(_ value: Double) {
    guard value.isFinite else { return write(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf") }
    beginValue()
    append(value.description)
  }

  /// Writes a number in the shortest form that reads back as the same `Float`. NaN and infinite numbers become strings.
  public mutating func write(_ value: Float) {
    guard value.isFinite else { return write(Double(value)) }
    beginValue()
    append(value.description)
  }

  public mutating func write(_ value: String) {
    beginValue()
    appendQuoted(value)
  }

  /// Writes a text that needs no escapes: no quotation marks, no backslashes, no control characters.
  public mutating func write(plain value: StaticString) {
    let size = value.utf8CodeUnitCount
    reserve(size + 3)
    addComma()
    add(UInt8(ascii: "\""))
    UnsafeMutableRawPointer(bytes + count).copyMemory(from: value.utf8Start, byteCount: size)
    count &+= size
    add(UInt8(ascii: "\""))
  }

  /// Begins a line of a recording, which is an array: `["e"`.
  mutating func begin(_ kind: ParsedRecordingLine.Kind) {
    reserve(4)
    add(UInt8(ascii: "["))
    add(UInt8(ascii: "\""))
    add(kind.rawValue)
    add(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes the numbers of a row that differ from those of the one before, as `[[column,number],…]`.
  mutating func write(changesFrom before: [Int], to after: [Int]) {
    beginArray()
    before.withUnsafeBufferPointer { before in
      for (column, number) in after.enumerated() where number != before[column] {
        reserve(2 * DecimalDigits.mostBytes + 5)
        addComma()
        add(UInt8(ascii: "["))
        count &+= DecimalDigits.write(UInt64(column), to: bytes + count)
        add(UInt8(ascii: ","))
        if number < 0 { add(UInt8(ascii: "-")) }
        count &+= DecimalDigits.write(UInt64(number.magnitude), to: bytes + count)
        add(UInt8(ascii: "]"))
      }
    }
    endArray()
  }

  public mutating func write(_ value: FNV1aHash) {
    reserve(19)
    addComma()
    add(UInt8(ascii: "\""))
    value.writeDigits(to: bytes + count)
    count &+= 16
    add(UInt8(ascii: "\""))
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

  /// Writes a key of an object. Its value must follow.
  public mutating func key(_ name: String) {
    beginValue()
    appendQuoted(name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a key that needs no escapes. Its value must follow.
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

  /// Replaces the bytes from a place on by a range of them: turns `{"pressed":{}` into `"pressed"`.
  mutating func keep(_ range: Range<Int>, from place: Int) {
    (bytes + place).update(from: bytes + range.lowerBound, count: range.count)
    count = place + range.count
  }

  @inline(__always)
  private mutating func begin(_ bracket: UInt8) {
    reserve(2)
    addComma()
    add(bracket)
    needsComma = false
  }

  @inline(__always)
  private mutating func end(_ bracket: UInt8) {
    append(bracket)
    needsComma = true
  }

  // MARK: - Bytes

  @inline(__always)
  private mutating func beginValue() {
    reserve(1)
    addComma()
  }

  /// Adds a comma if one is needed, and notes that the next value needs one. There must be room for it.
  @inline(__always)
  private mutating func addComma() {
    if needsComma { add(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Adds a byte. There must be room for it.
  @inline(__always)
  private mutating func add(_ byte: UInt8) {
    bytes[count] = byte
    count &+= 1
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
    add(byte)
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
}
