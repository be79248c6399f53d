import CycleBase

/// A value that a recording can contain: a frame, an event, or a part of one.
///
///     extension Level: Recordable {
///       func write(to recording: inout JSONWriter) { recording.write(percent) }
///       init(from recording: inout JSONReader) throws(RecordingTextFault) { percent = try recording.readInteger() }
///     }
///
/// A type that is `Codable` needs no conformance: it is written and read through `Codable`, in 1 to 5 us instead of
/// about 100 ns.
///
/// Law: from the bytes that `write` has written, `init(from:)` reads an equal value, and reads all of them.
public protocol Recordable {
  /// Writes the value as one JSON value. It must not allocate on the cycle's thread, and must take less than 1 us.
  func write(to recording: inout JSONWriter)
  /// Reads the JSON value that ``write(to:)`` has written.
  init(from recording: inout JSONReader) throws(RecordingTextFault)
}

extension Bool: Recordable {
  public func write(to recording: inout JSONWriter) { recording.write(self) }
  public init(from recording: inout JSONReader) throws(RecordingTextFault) { self = try recording.readBool() }
}

extension Recordable where Self: FixedWidthInteger {
  @inlinable
  public func write(to recording: inout JSONWriter) { recording.write(self) }
  @inlinable
  public init(from recording: inout JSONReader) throws(RecordingTextFault) { self = try recording.readInteger() }
}

extension Int: Recordable {}
extension Int8: Recordable {}
extension Int16: Recordable {}
extension Int32: Recordable {}
extension Int64: Recordable {}
extension UInt: Recordable {}
extension UInt8: Recordable {}
extension UInt16: Recordable {}
extension UInt32: Recordable {}
extension UInt64: Recordable {}

extension Double: Recordable {
  public func write(to recording: inout JSONWriter) { recording.write(self) }
  public init(from recording: inout JSONReader) throws(RecordingTextFault) { self = try recording.readDouble() }
}

extension Float: Recordable {
  public func write(to recording: inout JSONWriter) { recording.write(self) }
  public init(from recording: inout JSONReader) throws(RecordingTextFault) { self = try recording.readFloat() }
}

extension String: Recordable {
  public func write(to recording: inout JSONWriter) { recording.write(self) }
  public init(from recording: inout JSONReader) throws(RecordingTextFault) { self = try recording.readString() }
}

extension Moment: Recordable {
  public func write(to recording: inout JSONWriter) { recording.write(nanoseconds) }
  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    self.init(nanoseconds: try recording.readInteger())
  }
}

/// Written in nanoseconds; a span with a fraction of a nanosecond as `[seconds,attoseconds]`.
extension Duration: Recordable {
  public func write(to recording: inout JSONWriter) {
    let (seconds, attoseconds) = components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard attoseconds % 1_000_000_000 != 0 || overflow || carried else { return recording.write(sum) }
    recording.beginArray()
    recording.write(seconds)
    recording.write(attoseconds)
    recording.endArray()
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    guard recording.nextKind() == .array else {
      let nanoseconds: Int64 = try recording.readInteger()
      self = .nanoseconds(nanoseconds)
      return
    }
    try recording.beginArray()
    guard try recording.hasElement() else { throw recording.fault("the seconds are missing") }
    let seconds: Int64 = try recording.readInteger()
    guard try recording.hasElement() else { throw recording.fault("the attoseconds are missing") }
    self.init(secondsComponent: seconds, attosecondsComponent: try recording.readInteger())
    try recording.endArray()
  }
}

extension Optional: Recordable where Wrapped: Recordable {
  public func write(to recording: inout JSONWriter) {
    if let self { self.write(to: &recording) } else { recording.writeNull() }
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    self = recording.readNull() ? nil : try Wrapped(from: &recording)
  }
}

extension Array: Recordable where Element: Recordable {
  public func write(to recording: inout JSONWriter) {
    recording.beginArray()
    for element in self { element.write(to: &recording) }
    recording.endArray()
  }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    self = []
    try recording.beginArray()
    while try recording.hasElement() { append(try Element(from: &recording)) }
  }
}

extension Recordable where Self: RawRepresentable, RawValue: Recordable {
  public func write(to recording: inout JSONWriter) { rawValue.write(to: &recording) }

  public init(from recording: inout JSONReader) throws(RecordingTextFault) {
    let start = recording.offset
    let value = try RawValue(from: &recording)
    guard let known = Self(rawValue: value) else {
      throw RecordingTextFault("\(Self.self) has no value \"\(value)\"", at: start)
    }
    self = known
  }
}

extension JSONWriter {
  /// Writes a case of an enumeration with its payload: `{"edgesLost":3}`. Write a case without payload as its name,
  /// with ``write(plain:)``.
  @inlinable
  public mutating func write(case name: StaticString, _ payload: some Recordable) {
    beginObject()
    key(plain: name)
    payload.write(to: &self)
    endObject()
  }
}

extension JSONReader {
  /// Reads the name of a case of an enumeration. If `hasPayload`, call ``readPayload()`` next.
  public mutating func readCase() throws(RecordingTextFault) -> (name: String, hasPayload: Bool) {
    guard nextKind() == .object else { return (try readString(), false) }
    try beginObject()
    guard let name = try nextKey() else { throw fault("the name of a case is missing") }
    return (name, true)
  }

  /// Reads the payload of the case whose name was read last.
  @inlinable
  public mutating func readPayload<Payload: Recordable>() throws(RecordingTextFault) -> Payload {
    let payload = try Payload(from: &self)
    try endObject()
    return payload
  }

  /// Makes the error for a name, just read, that is not the name of a case.
  public func unknownCase(_ name: String, of type: Any.Type, at place: Int) -> RecordingTextFault {
    RecordingTextFault("\(type) has no case \"\(name)\"", at: place)
  }
}
