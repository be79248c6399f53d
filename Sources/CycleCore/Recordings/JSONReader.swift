/// Reads values from the JSON of one line of a recording, in one pass and without allocation, except for strings.
///
/// It reads any JSON, with any blanks in it. No text makes it trap or recurse: brackets are counted, and more than
/// ``maximumDepth`` nested ones are rejected.
public struct JSONReader {
  /// The maximum number of nested arrays and objects.
  public static var maximumDepth: Int { 32 }

  /// The text. It must stay valid while the reader is used.
  private let bytes: UnsafeRawBufferPointer
  /// The number of bytes read so far.
  public private(set) var offset: Int
  private var depth = 0
  /// Whether the last bracket was an opening one: no comma precedes the next element.
  private var isFirst = false

  /// - Parameters:
  ///   - bytes: the text; it must stay valid while the reader is used.
  ///   - offset: the position at which reading begins.
  public init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Reads a value from a text.
  public static func read<Value>(
    _ text: String, _ body: (inout JSONReader) throws(RecordingTextFault) -> Value
  ) throws(RecordingTextFault) -> Value {
    var text = text
    let result = text.withUTF8 { utf8 in
      var reader = JSONReader(UnsafeRawBufferPointer(utf8))
      do throws(RecordingTextFault) {
        let value = try body(&reader)
        try reader.expectEnd()
        return Result<Value, RecordingTextFault>.success(value)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  // MARK: - Values

  public mutating func readBool() throws(RecordingTextFault) -> Bool {
    skipBlanks()
    if skip("true") { return true }
    if skip("false") { return false }
    throw fault("true or false is missing")
  }

  /// Reads an integer that the type can hold. Throws for a number with a fraction or an exponent.
  @inlinable
  public mutating func readInteger<Number: FixedWidthInteger>() throws(RecordingTextFault) -> Number {
    let (magnitude, isNegative, start) = try readMagnitude()
    if let number = Number(exactly: magnitude), !isNegative { return number }
    if isNegative, magnitude <= UInt64(Int64.max) + 1,
      let number = Number(exactly: 0 &- Int64(truncatingIfNeeded: magnitude))
    {
      return number
    }
    throw fault("the integer is outside the range of \(Number.self)", at: start)
  }

  /// Reads the magnitude and sign of an integer, and returns them with the position of its first byte.
  @usableFromInline
  mutating func readMagnitude() throws(RecordingTextFault) -> (magnitude: UInt64, isNegative: Bool, start: Int) {
    skipBlanks()
    let start = offset
    let isNegative = peek() == UInt8(ascii: "-")
    if isNegative { offset &+= 1 }
    var magnitude: UInt64 = 0
    let first = offset
    while let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      let (scaled, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carried) = scaled.addingReportingOverflow(UInt64(byte & 15))
      if overflow || carried { throw fault("the integer is too large", at: start) }
      magnitude = sum
      offset &+= 1
    }
    guard offset > first else { throw fault("an integer is missing", at: start) }
    if offset > first + 1, bytes[first] == UInt8(ascii: "0") {
      throw fault("an integer begins with a superfluous 0", at: start)
    }
    if let next = peek(), next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
      throw fault("an integer has a fraction", at: start)
    }
    return (magnitude, isNegative, start)
  }

  public mutating func readDouble() throws(RecordingTextFault) -> Double {
    let start = offset
    guard let text = try readNumber() else { return try readSpecial(from: start) }
    guard let number = Double(text), number.isFinite else { throw fault("the number is too large", at: start) }
    return number
  }

  public mutating func readFloat() throws(RecordingTextFault) -> Float {
    let start = offset
    guard let text = try readNumber() else { return Float(try readSpecial(from: start)) }
    guard let number = Float(text), number.isFinite else { throw fault("the number is too large", at: start) }
    return number
  }

  public mutating func readString() throws(RecordingTextFault) -> String {
    let (content, hasEscapes) = try skipString()
    let raw = UnsafeRawBufferPointer(rebasing: bytes[content])
    guard hasEscapes else {
      guard let text = Self.text(raw) else { throw fault("the string is not UTF-8", at: content.lowerBound) }
      return text
    }
    return try RecordingEscapes(bytes).text(in: content)
  }

  /// Reads a string of one letter, digit or mark without making a text. Returns nil, and reads nothing, for any other
  /// value.
  mutating func readLetter() -> UInt8? {
    guard offset &+ 3 <= bytes.count, bytes[offset] == UInt8(ascii: "\""), bytes[offset &+ 2] == UInt8(ascii: "\"")
    else {
      return nil
    }
    let letter = bytes[offset &+ 1]
    guard letter > 0x20, letter < 0x7f, letter != UInt8(ascii: "\\"), letter != UInt8(ascii: "\"") else { return nil }
    offset &+= 3
    return letter
  }

  /// Reads a digest without making a text. Returns nil, and reads nothing, for any other value.
  mutating func readDigest() -> FNV1aHash? {
    guard offset &+ 18 <= bytes.count, bytes[offset] == UInt8(ascii: "\""), bytes[offset &+ 17] == UInt8(ascii: "\"")
    else {
      return nil
    }
    var number: UInt64 = 0
    for place in offset &+ 1..<offset &+ 17 {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte &- UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte &- UInt8(ascii: "a") &+ 10)
      default: return nil
      }
    }
    offset &+= 18
    return FNV1aHash(number)
  }

  /// Returns whether the next value is `null`, and reads it if it is.
  public mutating func readNull() -> Bool {
    skipBlanks()
    return skip("null")
  }

  // MARK: - Arrays and objects

  public mutating func beginArray() throws(RecordingTextFault) { try begin(UInt8(ascii: "["), "an array is missing") }
  public mutating func beginObject() throws(RecordingTextFault) { try begin(UInt8(ascii: "{"), "an object is missing") }

  /// Returns whether the array that was begun last has another element. If not, reads its end.
  public mutating func hasElement() throws(RecordingTextFault) -> Bool { try hasNext(before: UInt8(ascii: "]")) }

  /// Reads the end of the array. Throws if it has another element.
  public mutating func endArray() throws(RecordingTextFault) {
    if try hasElement() { throw fault("the array should end here") }
  }

  /// Reads the next key of the object that was begun last. If it has no other key, reads its end and returns nil.
  public mutating func nextKey() throws(RecordingTextFault) -> String? {
    guard try hasNext(before: UInt8(ascii: "}")) else { return nil }
    let key = try readString()
    try readColon()
    return key
  }

  /// Reads a key of the object that was begun last: keys must be in the order in which they were written.
  public mutating func readKey(_ name: StaticString) throws(RecordingTextFault) {
    let isThere = try hasNext(before: UInt8(ascii: "}"))
    let start = offset
    guard isThere, skip("\""), skip(name), skip("\"") else { throw fault("the key \"\(name)\" is missing", at: start) }
    try readColon()
  }

  /// Reads the end of the object. Throws if it has another key.
  public mutating func endObject() throws(RecordingTextFault) {
    if try hasNext(before: UInt8(ascii: "}")) { throw fault("the object should end here") }
  }

  // MARK: - Skipping

  /// The kind of the next value, from its first byte.
  public enum Kind: Sendable { case null, bool, number, string, array, object, nothing }

  public mutating func nextKind() -> Kind {
    skipBlanks()
    switch peek() {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "{"): return .object
    case .some(let byte) where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): return .number
    default: return .nothing
    }
  }

  /// Skips the next value of any kind. Returns its range.
  @discardableResult
  public mutating func skipValue() throws(RecordingTextFault) -> Range<Int> {
    skipBlanks()
    let start = offset
    let outside = depth
    // One bit per open bracket: whether it is an object's.
    var objects: UInt64 = 0
    repeat {
      switch nextKind() {
      case .null: guard readNull() else { throw fault("a value is missing") }
      case .bool: _ = try readBool()
      case .string: _ = try skipString()
      case .number: _ = try skipNumber()
      case .array:
        try beginArray()
        objects <<= 1
      case .object:
        try beginObject()
        objects = objects << 1 | 1
      case .nothing: throw fault("a value is missing")
      }
      while depth > outside {
        let isObject = objects & 1 == 1
        if try hasNext(before: UInt8(ascii: isObject ? "}" : "]")) {
          if isObject {
            _ = try skipString()
            try readColon()
          }
          break
        }
        objects >>= 1
      }
    } while depth > outside
    return start..<offset
  }

  /// Returns the bytes of a range of the text.
  package func text(in range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

  /// Returns a reader of the value that begins at an offset.
  func at(_ offset: Int) -> JSONReader {
    var reader = JSONReader(bytes, from: offset)
    reader.depth = depth
    return reader
  }

  /// Checks that only blanks are left.
  public mutating func expectEnd() throws(RecordingTextFault) {
    skipBlanks()
    if offset < bytes.count { throw fault("something follows the value") }
  }

  /// Makes an error at a place of the text; by default, at the next byte to read.
  public func fault(_ reason: String, at place: Int? = nil) -> RecordingTextFault {
    RecordingTextFault(reason, at: place ?? offset)
  }

  // MARK: - Bytes

  @inline(__always)
  private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  @inline(__always)
  private mutating func skipBlanks() {
    while let byte = peek(), byte <= 0x20, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { offset &+= 1 }
  }

  @inline(__always)
  private mutating func skip(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset &+ length <= bytes.count else { return false }
    for index in 0..<length where bytes[offset &+ index] != text.utf8Start[index] { return false }
    offset &+= length
    return true
  }

  private mutating func begin(_ bracket: UInt8, _ reason: StaticString) throws(RecordingTextFault) {
    skipBlanks()
    guard peek() == bracket else { throw fault("\(reason)") }
    guard depth < Self.maximumDepth else {
      throw fault("more than \(Self.maximumDepth) arrays and objects in each other")
    }
    depth &+= 1
    offset &+= 1
    isFirst = true
  }

  private mutating func hasNext(before bracket: UInt8) throws(RecordingTextFault) -> Bool {
    skipBlanks()
    guard let byte = peek() else { throw fault("the text ends before \(Character(Unicode.Scalar(bracket)))") }
    if byte == bracket {
      offset &+= 1
      depth &-= 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    guard byte == UInt8(ascii: ",") else { throw fault("a comma is missing") }
    offset &+= 1
    skipBlanks()
    return true
  }

  private mutating func readColon() throws(RecordingTextFault) {
    skipBlanks()
    guard peek() == UInt8(ascii: ":") else { throw fault("a colon is missing") }
    offset &+= 1
  }

  /// Reads a number in JSON format, and returns its text; nil if a string is next.
  private mutating func readNumber() throws(RecordingTextFault) -> Substring? {
    skipBlanks()
    if peek() == UInt8(ascii: "\"") { return nil }
    return Substring(decoding: bytes[try skipNumber()], as: UTF8.self)
  }

  /// Skips a number in JSON format. Returns its range.
  private mutating func skipNumber() throws(RecordingTextFault) -> Range<Int> {
    let start = offset
    if peek() == UInt8(ascii: "-") { offset &+= 1 }
    let whole = skipDigits()
    let hasZero = whole > 1 && bytes[offset - whole] == UInt8(ascii: "0")
    var isNumber = whole > 0 && !hasZero
    if peek() == UInt8(ascii: ".") {
      offset &+= 1
      if skipDigits() == 0 { isNumber = false }
    }
    if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
      offset &+= 1
      if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset &+= 1 }
      if skipDigits() == 0 { isNumber = false }
    }
    guard isNumber else { throw fault("a number is missing", at: start) }
    return start..<offset
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = peek(), (0x30...0x39).contains(byte) { offset &+= 1 }
    return offset - start
  }

  /// Reads a number that JSON can't express with digits.
  private mutating func readSpecial(from start: Int) throws(RecordingTextFault) -> Double {
    switch try readString() {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    default: throw fault("a number is missing", at: start)
    }
  }

  /// Skips a string. Returns the range of its content, and whether it contains escapes.
  private mutating func skipString() throws(RecordingTextFault) -> (content: Range<Int>, hasEscapes: Bool) {
    skipBlanks()
    guard peek() == UInt8(ascii: "\"") else { throw fault("a string is missing") }
    offset &+= 1
    let start = offset
    var hasEscapes = false
    while let byte = peek(), byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw fault("a control character in a string") }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        offset &+= 1
      }
      offset &+= 1
    }
    guard offset < bytes.count else {
      offset = bytes.count
      throw fault("a string has no end", at: start - 1)
    }
    defer { offset &+= 1 }
    return (start..<offset, hasEscapes)
  }

  static func text(_ utf8: UnsafeRawBufferPointer) -> String? {
    String(validating: utf8, as: UTF8.self)
  }
}
