/// The conversion of a type's values to JSON and back, determined once: by ``Filmed``, or else by `Codable`.
package struct FilmCodec<Value> {
  package let write: (UnsafePointer<Value>, inout FilmWriter) throws(FilmFault) -> Void
  package let read: (inout FilmReader) throws(FilmFault) -> Value

  /// Makes the codec; nil if the type is neither ``Filmed`` nor `Codable`.
  package init?() {
    if let type = Value.self as? any Filmed.Type {
      self = Self.filmed(type)
    } else if let type = Value.self as? any Codable.Type {
      self = Self.codable(type)
    } else if Value.self == Never.self {
      write = { (_, _) throws(FilmFault) in }
      read = { (_) throws(FilmFault) in throw FilmFault("a driver without events has emitted one") }
    } else {
      return nil
    }
  }

  /// A codec like that of ``init()``, also for a type that is only `Encodable`: its values are written but never read.
  package static var forWriting: FilmCodec? {
    if let codec = FilmCodec() { return codec }
    guard let type = Value.self as? any Encodable.Type else { return nil }
    return encodable(type)
  }

  private static func encodable<E: Encodable>(_ type: E.Type) -> FilmCodec {
    let output = FilmEncoder.Output()
    return FilmCodec(
      write: { (value, film) throws(FilmFault) in
        let value = UnsafeRawPointer(value).assumingMemoryBound(to: E.self).pointee
        try FilmEncoder.encode(value, with: output, to: &film)
      },
      read: { (film) throws(FilmFault) in throw film.fault("\(type) is written only") })
  }

  private init(
    write: @escaping (UnsafePointer<Value>, inout FilmWriter) throws(FilmFault) -> Void,
    read: @escaping (inout FilmReader) throws(FilmFault) -> Value
  ) {
    self.write = write
    self.read = read
  }

  private static func filmed<F: Filmed>(_ type: F.Type) -> FilmCodec {
    // F is Value, but the compiler does not know it: the forced cast can't fail.
    FilmCodec(
      write: { (value, film) throws(FilmFault) in
        UnsafeRawPointer(value).assumingMemoryBound(to: F.self).pointee.write(to: &film)
      },
      read: { (film) throws(FilmFault) in try F(from: &film) as! Value })
  }

  private static func codable<C: Codable>(_ type: C.Type) -> FilmCodec {
    // C is Value, but the compiler does not know it.
    let output = FilmEncoder.Output()
    return FilmCodec(
      write: { (value, film) throws(FilmFault) in
        let value = UnsafeRawPointer(value).assumingMemoryBound(to: C.self).pointee
        try FilmEncoder.encode(value, with: output, to: &film)
      },
      read: { (film) throws(FilmFault) in try FilmDecoder.decode(C.self, from: &film) as! Value })
  }
}
