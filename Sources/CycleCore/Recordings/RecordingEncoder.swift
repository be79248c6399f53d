/// Writes `Codable` values as the JSON of a recording. Keys are in the order in which the type encodes them. A case of
/// an enumeration without payload is its bare name. Sets and dictionaries are in the order of their bytes, because
/// their own order differs from run to run.
struct RecordingEncoder: Encoder {
  /// The text that all containers of one value write to.
  final class Output {
    var writer = JSONWriter()
    /// The containers that have been begun and not ended, from the outermost to the innermost.
    var open: [Container] = []
    var fault: RecordingTextFault?

    struct Container {
      var isObject: Bool
      /// The position of its first byte.
      var start: Int
      var keys = 0
      /// The position of the name of its only key, if the value may be a case of an enumeration without payload.
      var caseName: Range<Int>?
    }
  }

  let output: Output
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  static func encode(_ value: some Encodable, with output: Output, to recording: inout JSONWriter)
    throws(RecordingTextFault)
  {
    output.writer.removeAll()
    output.open.removeAll(keepingCapacity: true)
    do { try output.encode(value) } catch {
      throw error as? RecordingTextFault ?? RecordingTextFault("it can't be encoded: \(error)")
    }
    recording.write(written: output.writer.written)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordingKeyedEncoding<Key>(output: output, depth: output.begin(isObject: true)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    RecordingUnkeyedEncoding(output: output, depth: output.begin(isObject: false))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { RecordingSingleEncoding(output: output) }
}

extension RecordingEncoder.Output {
  /// Begins a container inside the open ones. Returns the number of containers that are open then.
  func begin(isObject: Bool) -> Int {
    let start = writer.count
    if isObject { writer.beginObject() } else { writer.beginArray() }
    open.append(Container(isObject: isObject, start: start))
    return open.count
  }

  /// Ends the containers inside the outermost `depth` ones.
  func end(downTo depth: Int) {
    while open.count > depth {
      let container = open.removeLast()
      let isEmptyPayload = container.isObject && container.keys == 0
      if container.isObject { writer.endObject() } else { writer.endArray() }
      guard let outer = open.last else { continue }
      if !isEmptyPayload || outer.keys != 1 { open[open.count - 1].caseName = nil }
      if isEmptyPayload, open.count > depth, let name = open[open.count - 1].caseName {
        // {"pressed":{}} is the case `pressed`.
        let place = open.removeLast().start
        writer.keep(name, from: place + separator(at: place))
      }
    }
  }

  /// Returns 1 if a comma precedes the value that begins at a place, or 0.
  private func separator(at place: Int) -> Int { writer.written[place] == UInt8(ascii: ",") ? 1 : 0 }

  func key(_ name: String, isCase: Bool, at depth: Int) {
    end(downTo: depth)
    let start = writer.count + (writer.needsComma ? 1 : 0)
    writer.key(name)
    open[depth - 1].keys += 1
    open[depth - 1].caseName = isCase && open[depth - 1].keys == 1 ? start..<writer.count - 1 : nil
  }

  func encode(_ value: some Encodable) throws {
    if let recorded = value as? any Recordable {
      recorded.write(to: &writer)
    } else if let unordered = value as? any UnorderedForRecording {
      try unordered.encodeOrdered(to: self)
    } else {
      let depth = open.count
      try value.encode(to: RecordingEncoder(output: self))
      end(downTo: depth)
    }
  }
}

/// A collection whose order differs from run to run.
private protocol UnorderedForRecording {
  func encodeOrdered(to output: RecordingEncoder.Output) throws
}

extension RecordingEncoder.Output {
  /// Returns the bytes of each element, in ascending order.
  fileprivate func ordered(_ elements: some Sequence<any Encodable>) throws -> [[UInt8]] {
    try elements.map { element in
      let part = RecordingEncoder.Output()
      try part.encode(element)
      return Array(part.writer.written)
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  fileprivate func write(_ texts: [[UInt8]]) {
    for text in texts { text.withUnsafeBytes { writer.write(written: $0) } }
  }
}

extension Set: UnorderedForRecording where Element: Encodable {
  func encodeOrdered(to output: RecordingEncoder.Output) throws {
    let elements = try output.ordered(map { $0 as any Encodable })
    output.writer.beginArray()
    output.write(elements)
    output.writer.endArray()
  }
}

extension Dictionary: UnorderedForRecording where Key: Encodable, Value: Encodable {
  func encodeOrdered(to output: RecordingEncoder.Output) throws {
    let names = [String: Value](compactMap { key, value in name(of: key).map { ($0, value) } }) { $1 }
    if names.count == count, isKeyedByName {
      output.writer.beginObject()
      for (name, value) in names.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        output.writer.key(name)
        try output.encode(value)
      }
      output.writer.endObject()
    } else {
      // As the standard library encodes it: keys and values alternate.
      let pairs = try map { key, value in
        let (keyPart, valuePart) = (RecordingEncoder.Output(), RecordingEncoder.Output())
        try keyPart.encode(key)
        try valuePart.encode(value)
        return (Array(keyPart.writer.written), Array(valuePart.writer.written))
      }
      output.writer.beginArray()
      output.write(pairs.sorted { $0.0.lexicographicallyPrecedes($1.0) }.flatMap { [$0.0, $0.1] })
      output.writer.endArray()
    }
  }

  /// Whether the standard library encodes it as an object.
  private var isKeyedByName: Bool { Key.self == String.self || Key.self == Int.self }

  private func name(of key: Key) -> String? { (key as? String) ?? (key as? Int).map(String.init) }
}

private struct RecordingKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: RecordingEncoder.Output
  let depth: Int
  let codingPath: [any CodingKey] = []

  mutating func encodeNil(forKey key: Key) {
    write(key)
    output.writer.writeNull()
  }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    write(key)
    try output.encode(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    output.key(key.stringValue, isCase: true, at: depth)
    return KeyedEncodingContainer(RecordingKeyedEncoding<Nested>(output: output, depth: output.begin(isObject: true)))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    write(key)
    return RecordingUnkeyedEncoding(output: output, depth: output.begin(isObject: false))
  }

  mutating func superEncoder() -> any Encoder {
    output.key("super", isCase: false, at: depth)
    return RecordingEncoder(output: output)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    write(key)
    return RecordingEncoder(output: output)
  }

  private func write(_ key: Key) { output.key(key.stringValue, isCase: false, at: depth) }
}

private struct RecordingUnkeyedEncoding: UnkeyedEncodingContainer {
  let output: RecordingEncoder.Output
  let depth: Int
  let codingPath: [any CodingKey] = []
  var count = 0

  mutating func encodeNil() {
    beginElement()
    output.writer.writeNull()
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    beginElement()
    try output.encode(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
    beginElement()
    return KeyedEncodingContainer(RecordingKeyedEncoding<Nested>(output: output, depth: output.begin(isObject: true)))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    beginElement()
    return RecordingUnkeyedEncoding(output: output, depth: output.begin(isObject: false))
  }

  mutating func superEncoder() -> any Encoder {
    beginElement()
    return RecordingEncoder(output: output)
  }

  private mutating func beginElement() {
    output.end(downTo: depth)
    count += 1
  }
}

private struct RecordingSingleEncoding: SingleValueEncodingContainer {
  let output: RecordingEncoder.Output
  let codingPath: [any CodingKey] = []

  mutating func encodeNil() { output.writer.writeNull() }
  mutating func encode<T: Encodable>(_ value: T) throws { try output.encode(value) }
}
