import CycleBase

/// A value that a film can contain: a frame, an event, or a part of one.
///
///     extension Level: Filmed {
///       func write(to film: inout FilmWriter) { film.write(percent) }
///       init(from film: inout FilmReader) throws(FilmFault) { percent = try film.readInteger() }
///     }
///
/// A type that is `Codable` needs no conformance: it is written and read through `Codable`, in 1 to 5 us instead of
/// about 100 ns.
///
/// Law: from the bytes that `write` has written, `init(from:)` reads an equal value, and reads all of them.
public protocol Filmed {
  /// Writes the value as one JSON value. It must not allocate on the cycle's thread, and must take less than 1 us.
  func write(to film: inout FilmWriter)
  /// Reads the JSON value that ``write(to:)`` has written.
  init(from film: inout FilmReader) throws(FilmFault)
}

extension Bool: Filmed {
  public func write(to film: inout FilmWriter) { film.write(self) }
  public init(from film: inout FilmReader) throws(FilmFault) { self = try film.readBool() }
}

extension Filmed where Self: FixedWidthInteger {
  @inlinable
  public func write(to film: inout FilmWriter) { film.write(self) }
  @inlinable
  public init(from film: inout FilmReader) throws(FilmFault) { self = try film.readInteger() }
}

extension Int: Filmed {}
extension Int8: Filmed {}
extension Int16: Filmed {}
extension Int32: Filmed {}
extension Int64: Filmed {}
extension UInt: Filmed {}
extension UInt8: Filmed {}
extension UInt16: Filmed {}
extension UInt32: Filmed {}
extension UInt64: Filmed {}

extension Double: Filmed {
  public func write(to film: inout FilmWriter) { film.write(self) }
  public init(from film: inout FilmReader) throws(FilmFault) { self = try film.readDouble() }
}

extension Float: Filmed {
  public func write(to film: inout FilmWriter) { film.write(self) }
  public init(from film: inout FilmReader) throws(FilmFault) { self = try film.readFloat() }
}

extension String: Filmed {
  public func write(to film: inout FilmWriter) { film.write(self) }
  public init(from film: inout FilmReader) throws(FilmFault) { self = try film.readString() }
}

extension Moment: Filmed {
  public func write(to film: inout FilmWriter) { film.write(nanoseconds) }
  public init(from film: inout FilmReader) throws(FilmFault) { self.init(nanoseconds: try film.readInteger()) }
}

/// Written in nanoseconds; a span with a fraction of a nanosecond as `[seconds,attoseconds]`.
extension Duration: Filmed {
  public func write(to film: inout FilmWriter) {
    let (seconds, attoseconds) = components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard attoseconds % 1_000_000_000 != 0 || overflow || carried else { return film.write(sum) }
    film.beginArray()
    film.write(seconds)
    film.write(attoseconds)
    film.endArray()
  }

  public init(from film: inout FilmReader) throws(FilmFault) {
    guard film.nextKind() == .array else {
      let nanoseconds: Int64 = try film.readInteger()
      self = .nanoseconds(nanoseconds)
      return
    }
    try film.beginArray()
    guard try film.hasElement() else { throw film.fault("the seconds are missing") }
    let seconds: Int64 = try film.readInteger()
    guard try film.hasElement() else { throw film.fault("the attoseconds are missing") }
    self.init(secondsComponent: seconds, attosecondsComponent: try film.readInteger())
    try film.endArray()
  }
}

extension Optional: Filmed where Wrapped: Filmed {
  public func write(to film: inout FilmWriter) {
    if let self { self.write(to: &film) } else { film.writeNull() }
  }

  public init(from film: inout FilmReader) throws(FilmFault) {
    self = film.readNull() ? nil : try Wrapped(from: &film)
  }
}

extension Array: Filmed where Element: Filmed {
  public func write(to film: inout FilmWriter) {
    film.beginArray()
    for element in self { element.write(to: &film) }
    film.endArray()
  }

  public init(from film: inout FilmReader) throws(FilmFault) {
    self = []
    try film.beginArray()
    while try film.hasElement() { append(try Element(from: &film)) }
  }
}

extension Filmed where Self: RawRepresentable, RawValue: Filmed {
  public func write(to film: inout FilmWriter) { rawValue.write(to: &film) }

  public init(from film: inout FilmReader) throws(FilmFault) {
    let start = film.offset
    let value = try RawValue(from: &film)
    guard let known = Self(rawValue: value) else {
      throw FilmFault("\(Self.self) has no value \"\(value)\"", at: start)
    }
    self = known
  }
}

extension FilmWriter {
  /// Writes a case of an enumeration with its payload: `{"edgesLost":3}`. Write a case without payload as its name,
  /// with ``write(plain:)``.
  @inlinable
  public mutating func write(case name: StaticString, _ payload: some Filmed) {
    beginObject()
    key(plain: name)
    payload.write(to: &self)
    endObject()
  }
}

extension FilmReader {
  /// Reads the name of a case of an enumeration. If `hasPayload`, call ``readPayload()`` next.
  public mutating func readCase() throws(FilmFault) -> (name: String, hasPayload: Bool) {
    guard nextKind() == .object else { return (try readString(), false) }
    try beginObject()
    guard let name = try nextKey() else { throw fault("the name of a case is missing") }
    return (name, true)
  }

  /// Reads the payload of the case whose name was read last.
  @inlinable
  public mutating func readPayload<Payload: Filmed>() throws(FilmFault) -> Payload {
    let payload = try Payload(from: &self)
    try endObject()
    return payload
  }

  /// Makes the error for a name, just read, that is not the name of a case.
  public func unknownCase(_ name: String, of type: Any.Type, at place: Int) -> FilmFault {
    FilmFault("\(type) has no case \"\(name)\"", at: place)
  }
}
