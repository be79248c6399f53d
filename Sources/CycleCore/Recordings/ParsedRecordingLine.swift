/// A line of a recording after the first, split into the parts that all recordings have. The event, trouble, frame or
/// model in it belongs to the application, and stays text.
public struct ParsedRecordingLine {
  public enum Kind: UInt8, Sendable {
    /// A whole frame: `["f",N,T,FRAME,"D"]`.
    case keyframe = 0x66
    /// An event of a driver: `["e",K,T,LENS,EVENT,N]`, with `,"D"` if it made frame N.
    case event = 0x65
    /// The state in which hardware was found, as the event that leads to it: `["p",K,T,LENS,EVENT,N]`.
    case found = 0x70
    /// A trouble of a driver: `["t",K,T,LENS,TROUBLE,N]`.
    case trouble = 0x74
    /// An event that was put in from outside: `["i",K,T,LENS,EVENT,N]`.
    case injection = 0x69
    /// A frame that was set from outside: `["s",K,T,FRAME,N]`, with `,"D"` if it differs from the one before.
    case frameSet = 0x73
    /// A step of a scenario, on simulated devices: `["w",T,"press bell"]`.
    case world = 0x77
    /// An edge of a real line: `["g",T,LINE,LEVEL,SEQ]`.
    case edge = 0x67
    /// A model as it was rendered: `["m",N,LENS,MODEL]`.
    case model = 0x6d
    /// Records that did not fit: `["l",T,COUNT]`. The recording has a hole up to the next keyframe.
    case loss = 0x6c
    /// A note: `["n",T,K,"text"]`.
    case note = 0x6e
    /// An approval of an event: `["a",K,true]`.
    case approval = 0x61
    /// A check of all bytes before: `["c",LINES,"H"]`.
    case check = 0x63
    /// The end: `["z",LINES,T,REASON,EVENTS,FRAMES,"H"]`.
    case end = 0x7a
    /// A kind that another program has added: its name begins with `x-`.
    case foreign = 0x78

    /// Whether it makes a frame, or could make one.
    public var isCause: Bool {
      switch self {
      case .event, .found, .trouble, .injection, .frameSet: true
      case .keyframe, .world, .edge, .model, .loss, .note, .approval, .check, .end, .foreign: false
      }
    }
  }

  public let kind: Kind
  /// The number of a cause, from 1; of a keyframe or a model, that of the frame; of a check and of the end, that of
  /// lines; of a loss, the number of records; of a note, that of the event. 0 for all other lines.
  public private(set) var number = 0
  /// The time in nanoseconds since the recording's start; 0 if the line has none.
  public private(set) var time: Int64 = 0
  /// The lens; in the end, the number of events and troubles; -1 if the line has neither.
  public private(set) var lens = -1
  /// The range of the event, trouble, frame, model or text in the line.
  public private(set) var value = 0..<0
  /// The number of the current frame after a cause.
  public private(set) var frame = 0
  /// The digest of the frame, if the line has one; in a check and in the end, that of the bytes before.
  public private(set) var digest: FNV1aHash?
  /// The range of a row frame's changes in the line; empty if there are none.
  public private(set) var changes = 0..<0

  /// - Parameter text: the line, without its end.
  public init(_ text: UnsafeRawBufferPointer) throws(RecordingTextFault) {
    var recording = JSONReader(text)
    try recording.beginArray()
    guard try recording.hasElement() else { throw RecordingTextFault("the kind of the record is missing", at: 0) }
    if let letter = recording.readLetter(), let known = Kind(rawValue: letter), known != .foreign {
      kind = known
    } else {
      recording = JSONReader(text)
      try recording.beginArray()
      _ = try recording.hasElement()
      let name = try recording.readString()
      guard name.hasPrefix("x-") else { throw RecordingTextFault("unknown kind of record \"\(name)\"", at: 1) }
      kind = .foreign
      value = recording.offset..<text.count
      while try recording.hasElement() { try recording.skipValue() }
      try recording.expectEnd()
      return
    }
    switch kind {
    case .keyframe:
      number = try Self.integer(&recording, "the frame's number")
      time = try Self.integer(&recording, "the moment")
      value = try Self.value(&recording)
      digest = try Self.digest(&recording)
    case .event, .found, .trouble, .injection:
      number = try Self.integer(&recording, "the event's number")
      time = try Self.integer(&recording, "the moment")
      lens = try Self.integer(&recording, "the lens's number")
      try readRest(ofCause: &recording)
      return
    case .frameSet:
      number = try Self.integer(&recording, "the event's number")
      time = try Self.integer(&recording, "the moment")
      try readRest(ofCause: &recording)
      return
    case .world:
      time = try Self.integer(&recording, "the moment")
      value = try Self.value(&recording)
    case .edge:
      time = try Self.integer(&recording, "the moment")
      value = try Self.value(&recording)
      let level: Int = try Self.integer(&recording, "the level")
      guard level == 0 || level == 1 else { throw RecordingTextFault("a level is 0 or 1", at: recording.offset - 1) }
      let _: Int64 = try Self.integer(&recording, "the edge's number")
    case .model:
      number = try Self.integer(&recording, "the frame's number")
      lens = try Self.integer(&recording, "the lens's number")
      value = try Self.value(&recording)
    case .loss:
      time = try Self.integer(&recording, "the moment")
      number = try Self.integer(&recording, "the number of records")
    case .note:
      time = try Self.integer(&recording, "the moment")
      number = try Self.integer(&recording, "the event's number")
      value = try Self.value(&recording)
    case .approval:
      number = try Self.integer(&recording, "the event's number")
      value = try Self.value(&recording)
    case .check:
      number = try Self.integer(&recording, "the number of lines")
      digest = try Self.digest(&recording)
    case .end:
      number = try Self.integer(&recording, "the number of lines")
      time = try Self.integer(&recording, "the moment")
      value = try Self.value(&recording)
      let reason = JSONReader(text).text(in: value)
      guard Recorder.End.allCases.contains(where: { "\"\($0.rawValue)\"" == String(decoding: reason, as: UTF8.self) })
      else {
        throw RecordingTextFault("a recording ends with \"stopped\", \"signal\" or \"error\"", at: value.lowerBound)
      }
      lens = try Self.integer(&recording, "the number of events")
      frame = try Self.integer(&recording, "the number of the last frame")
      digest = try Self.digest(&recording)
    case .foreign: break
    }
    try recording.endArray()
    try recording.expectEnd()
  }

  private mutating func readRest(ofCause recording: inout JSONReader) throws(RecordingTextFault) {
    value = try Self.value(&recording)
    frame = try Self.integer(&recording, "the frame's number")
    if try recording.hasElement() {
      digest = try Self.readDigest(&recording)
      if try recording.hasElement() {
        changes = try recording.skipValue()
        try recording.endArray()
      }
    }
    try recording.expectEnd()
  }

  /// Whether it is the record of a cause: it makes a frame, or could make one.
  public var isCause: Bool { kind.isCause }

  /// Returns the numbers of a row that a cause has changed, with their columns; nil if the line has none.
  ///
  /// - Parameter text: the line.
  package func rowChanges(in text: UnsafeRawBufferPointer) -> [(Int, Int)]? {
    guard !changes.isEmpty else { return nil }
    var reader = JSONReader(text, from: changes.lowerBound)
    var pairs: [(Int, Int)] = []
    do throws(RecordingTextFault) {
      try reader.beginArray()
      while try reader.hasElement() {
        try reader.beginArray()
        guard try reader.hasElement() else { return nil }
        let column: Int = try reader.readInteger()
        guard try reader.hasElement() else { return nil }
        pairs.append((column, try reader.readInteger()))
        try reader.endArray()
      }
    } catch {
      return nil
    }
    return pairs
  }

  /// Returns why the recording ended, from the line that is the end.
  ///
  /// - Parameter text: the line.
  func reason(in text: UnsafeRawBufferPointer) -> Recorder.End {
    var reader = JSONReader(text, from: value.lowerBound)
    // It was checked when the line was read.
    return (try? reader.readString()).flatMap(Recorder.End.init) ?? .stopped
  }

  /// Returns the number of the cause in a recorder's line; nil if the line is not the record of a cause.
  public static func causeNumber(of line: UnsafeRawBufferPointer) -> Int? {
    // ["e",12,
    guard line.count > 5, let kind = Kind(rawValue: line[2]), kind.isCause else { return nil }
    var number = 0
    for byte in line[5...] {
      guard (0x30...0x39).contains(byte) else { break }
      number = number &* 10 &+ Int(byte & 15)
    }
    return number
  }

  /// The greatest moment and the greatest count: 73 years in nanoseconds, so that sums of two can't overflow.
  static let latest: UInt64 = 1 << 61

  private static func integer<Number: FixedWidthInteger>(
    _ recording: inout JSONReader, _ what: StaticString
  ) throws(RecordingTextFault) -> Number {
    guard try recording.hasElement() else { throw RecordingTextFault("\(what) is missing", at: recording.offset - 1) }
    let number: Number = try recording.readInteger()
    guard number >= 0 else { throw RecordingTextFault("\(what) is negative", at: recording.offset - 1) }
    guard UInt64(number) <= latest else { throw RecordingTextFault("\(what) is too large", at: recording.offset - 1) }
    return number
  }

  private static func value(_ recording: inout JSONReader) throws(RecordingTextFault) -> Range<Int> {
    guard try recording.hasElement() else { throw RecordingTextFault("a value is missing", at: recording.offset - 1) }
    return try recording.skipValue()
  }

  private static func digest(_ recording: inout JSONReader) throws(RecordingTextFault) -> FNV1aHash {
    guard try recording.hasElement() else {
      throw RecordingTextFault("the digest is missing", at: recording.offset - 1)
    }
    return try readDigest(&recording)
  }

  private static func readDigest(_ recording: inout JSONReader) throws(RecordingTextFault) -> FNV1aHash {
    let place = recording.offset
    if let digest = recording.readDigest() { return digest }
    _ = try recording.readString()
    throw RecordingTextFault("a digest has 16 hexadecimal digits", at: place)
  }
}
