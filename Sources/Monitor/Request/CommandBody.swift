import CycleCore

/// The fields of a command: a JSON object whose keys are all known, each of them at most once.
struct CommandBody {
  private var fields: [String: String] = [:]

  /// - Parameter keys: the allowed keys.
  init(_ bytes: UnsafeBufferPointer<UInt8>, keys: Set<String>) throws(MonitorRefusal) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw MonitorRefusal(400, "the body is not UTF-8")
    }
    let utf8 = Array(text.utf8)
    do throws(RecordingTextFault) {
      fields = try JSONReader.read(text) { (reader) throws(RecordingTextFault) in
        var fields: [String: String] = [:]
        try reader.beginObject()
        while let key = try reader.nextKey() {
          guard keys.contains(key) else { throw reader.fault("\"\(key.prefix(40))\" is not a key of this command") }
          let value = String(decoding: utf8[try reader.skipValue()], as: UTF8.self)
          guard fields.updateValue(value, forKey: key) == nil else { throw reader.fault("\"\(key)\" is there twice") }
        }
        return fields
      }
    } catch {
      throw MonitorRefusal(400, "the body can't be read: \(error)")
    }
  }

  func has(_ key: String) -> Bool { fields[key] != nil }

  /// Returns a value as JSON.
  func json(_ key: String) throws(MonitorRefusal) -> String {
    guard let value = fields[key] else { throw MonitorRefusal(400, "\"\(key)\" is missing") }
    return value
  }

  /// Returns a count from 0 to 2^53.
  func number(_ key: String) throws(MonitorRefusal) -> Int {
    let number: Int = try read(key) { (reader) throws(RecordingTextFault) in try reader.readInteger() }
    guard (0...1 << 53).contains(number) else { throw MonitorRefusal(400, "\"\(key)\" is a number from 0 on") }
    return number
  }

  /// Returns a text of up to `limit` bytes.
  func text(_ key: String, atMost limit: Int = 1_000) throws(MonitorRefusal) -> String {
    let text: String = try read(key) { (reader) throws(RecordingTextFault) in try reader.readString() }
    guard text.utf8.count <= limit else { throw MonitorRefusal(400, "\"\(key)\" has more than \(limit) bytes") }
    return text
  }

  func bool(_ key: String) throws(MonitorRefusal) -> Bool {
    try read(key) { (reader) throws(RecordingTextFault) in try reader.readBool() }
  }

  /// Returns a list of up to `limit` texts.
  func texts(_ key: String, atMost limit: Int) throws(MonitorRefusal) -> [String] {
    try read(key) { (reader) throws(RecordingTextFault) in
      var texts: [String] = []
      try reader.beginArray()
      while try reader.hasElement() {
        guard texts.count < limit else { throw reader.fault("more than \(limit)") }
        texts.append(try reader.readString())
      }
      return texts
    }
  }

  /// Returns an object's values as JSON, with their names.
  func object(_ key: String) throws(MonitorRefusal) -> [(name: String, json: String)] {
    let utf8 = Array(try json(key).utf8)
    return try read(key) { (reader) throws(RecordingTextFault) in
      var values: [(name: String, json: String)] = []
      try reader.beginObject()
      while let name = try reader.nextKey() {
        guard values.count < 1_000 else { throw reader.fault("more than 1000") }
        values.append((name, String(decoding: utf8[try reader.skipValue()], as: UTF8.self)))
      }
      return values
    }
  }

  private func read<Value>(
    _ key: String, _ body: (inout JSONReader) throws(RecordingTextFault) -> Value
  ) throws(MonitorRefusal) -> Value {
    let value = try json(key)
    do throws(RecordingTextFault) { return try JSONReader.read(value, body) } catch {
      throw MonitorRefusal(400, "\"\(key)\" can't be read: \(error)")
    }
  }
}
