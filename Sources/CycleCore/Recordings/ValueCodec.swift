/// The conversion of a type's values to JSON and back, determined once: by ``Recordable``, or else by `Codable`.
package struct ValueCodec<Value> {
  package let write: (UnsafePointer<Value>, inout JSONWriter) throws(RecordingTextFault) -> Void
  package let read: (inout JSONReader) throws(RecordingTextFault) -> Value

  /// Makes the codec; nil if the type is neither ``Recordable`` nor `Codable`.
  package init?() {
    if let type = Value.self as? any Recordable.Type {
      self = Self.recorded(type)
    } else if let type = Value.self as? any Codable.Type {
      self = Self.codable(type)
    } else if Value.self == Never.self {
      write = { (_, _) throws(RecordingTextFault) in }
      read = { (_) throws(RecordingTextFault) in throw RecordingTextFault("a driver without events has emitted one") }
    } else {
      return nil
    }
  }

  /// A codec like that of ``init()``, also for a type that is only `Encodable`: its values are written but never read.
  package static var forWriting: ValueCodec? {
    if let codec = ValueCodec() { return codec }
    guard let type = Value.self as? any Encodable.Type else { return nil }
    return encodable(type)
  }

  private static func encodable<E: Encodable>(_ type: E.Type) -> ValueCodec {
    let output = RecordingEncoder.Output()
    return ValueCodec(
      write: { (value, recording) throws(RecordingTextFault) in
        let value = UnsafeRawPointer(value).assumingMemoryBound(to: E.self).pointee
        try RecordingEncoder.encode(value, with: output, to: &recording)
      },
      read: { (recording) throws(RecordingTextFault) in throw recording.fault("\(type) is written only") })
  }

  private init(
    write: @escaping (UnsafePointer<Value>, inout JSONWriter) throws(RecordingTextFault) -> Void,
    read: @escaping (inout JSONReader) throws(RecordingTextFault) -> Value
  ) {
    self.write = write
    self.read = read
  }

  private static func recorded<F: Recordable>(_ type: F.Type) -> ValueCodec {
    // F is Value, but the compiler does not know it: the forced cast can't fail.
    ValueCodec(
      write: { (value, recording) throws(RecordingTextFault) in
        UnsafeRawPointer(value).assumingMemoryBound(to: F.self).pointee.write(to: &recording)
      },
      read: { (recording) throws(RecordingTextFault) in try F(from: &recording) as! Value })
  }

  private static func codable<C: Codable>(_ type: C.Type) -> ValueCodec {
    // C is Value, but the compiler does not know it.
    let output = RecordingEncoder.Output()
    return ValueCodec(
      write: { (value, recording) throws(RecordingTextFault) in
        let value = UnsafeRawPointer(value).assumingMemoryBound(to: C.self).pointee
        try RecordingEncoder.encode(value, with: output, to: &recording)
      },
      read: { (recording) throws(RecordingTextFault) in try RecordingDecoder.decode(C.self, from: &recording) as! Value
      })
  }
}
