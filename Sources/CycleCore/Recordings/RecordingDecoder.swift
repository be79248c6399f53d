/// Reads `Codable` values from the JSON that ``RecordingEncoder`` has written.
struct RecordingDecoder: Decoder {
  /// A reader at the value to read.
  let reader: JSONReader
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  static func decode<Value: Decodable>(
    _ type: Value.Type, from recording: inout JSONReader
  ) throws(RecordingTextFault) -> Value {
    let start = recording
    // Checks that the text is valid JSON before any type reads it.
    try recording.skipValue()
    do {
      return try decode(type, at: start)
    } catch let fault as RecordingTextFault {
      throw fault
    } catch let error as DecodingError {
      throw RecordingTextFault("not a \(type): \(error.shortText)", at: start.offset)
    } catch {
      throw RecordingTextFault("not a \(type): \(error)", at: start.offset)
    }
  }

  fileprivate static func decode<Value: Decodable>(_ type: Value.Type, at reader: JSONReader) throws -> Value {
    if let recorded = type as? any Recordable.Type {
      var reader = reader
      // The cast can't fail: the type is the same.
      return try recorded.init(from: &reader) as! Value
    }
    return try type.init(from: RecordingDecoder(reader: reader))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try RecordingKeyedDecoding<Key>(reader))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try RecordingUnkeyedDecoding(reader) }

  func singleValueContainer() -> any SingleValueDecodingContainer { RecordingSingleDecoding(reader: reader) }
}

extension DecodingError {
  fileprivate var shortText: String {
    switch self {
    case .keyNotFound(let key, _): "the key \"\(key.stringValue)\" is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.debugDescription
    @unknown default: "\(self)"
    }
  }
}

private struct RecordingKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let codingPath: [any CodingKey] = []
  /// Each key with a reader of its value; nil for a case of an enumeration without payload.
  private var values: [(key: String, value: JSONReader?)] = []

  init(_ reader: JSONReader) throws(RecordingTextFault) {
    var reader = reader
    if reader.nextKind() == .string {
      values = [(try reader.readString(), nil)]
      return
    }
    try reader.beginObject()
    while let key = try reader.nextKey() {
      values.append((key, reader))
      try reader.skipValue()
    }
  }

  /// Makes an object without keys.
  init() {}

  var allKeys: [Key] { values.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { values.contains { $0.key == key.stringValue } }

  private func value(of key: any CodingKey) throws -> JSONReader {
    guard let entry = values.first(where: { $0.key == key.stringValue }) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: ""))
    }
    guard let value = entry.value else { throw RecordingTextFault("\"\(entry.key)\" has no value") }
    return value
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    var reader = try value(of: key)
    return reader.nextKind() == .null
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try RecordingDecoder.decode(type, at: value(of: key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    if let entry = values.first(where: { $0.key == key.stringValue }), entry.value == nil {
      return KeyedDecodingContainer(RecordingKeyedDecoding<Nested>())
    }
    return KeyedDecodingContainer(try RecordingKeyedDecoding<Nested>(value(of: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try RecordingUnkeyedDecoding(value(of: key))
  }

  func superDecoder() throws -> any Decoder { RecordingDecoder(reader: try value(of: NamedKey(stringValue: "super"))) }
  func superDecoder(forKey key: Key) throws -> any Decoder { RecordingDecoder(reader: try value(of: key)) }
}

private struct NamedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

private struct RecordingUnkeyedDecoding: UnkeyedDecodingContainer {
  let codingPath: [any CodingKey] = []
  private var elements: [JSONReader] = []
  private(set) var currentIndex = 0

  init(_ reader: JSONReader) throws(RecordingTextFault) {
    var reader = reader
    try reader.beginArray()
    while try reader.hasElement() {
      elements.append(reader)
      try reader.skipValue()
    }
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  private func current() throws -> JSONReader {
    guard !isAtEnd else { throw RecordingTextFault("the array has only \(elements.count) elements") }
    return elements[currentIndex]
  }

  private mutating func next() throws -> JSONReader {
    let reader = try current()
    currentIndex += 1
    return reader
  }

  mutating func decodeNil() throws -> Bool {
    var reader = try current()
    guard reader.nextKind() == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // An element that can't be read stays the current one.
    let value = try RecordingDecoder.decode(type, at: current())
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(try RecordingKeyedDecoding<Nested>(next()))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try RecordingUnkeyedDecoding(next()) }

  mutating func superDecoder() throws -> any Decoder { RecordingDecoder(reader: try next()) }
}

private struct RecordingSingleDecoding: SingleValueDecodingContainer {
  let reader: JSONReader
  let codingPath: [any CodingKey] = []

  func decodeNil() -> Bool {
    var reader = reader
    return reader.nextKind() == .null
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // A type that reads itself as its own single value would recurse without end.
    if type is any Recordable.Type { return try RecordingDecoder.decode(type, at: reader) }
    return try type.init(from: RecordingDecoder(reader: reader))
  }
}
