import CycleBase

/// The first line of a recording: it describes the application.
public struct RecordingHeader: Equatable, Sendable {
  /// The version of the format that this module writes and reads.
  public static let version = 1

  /// One of the application's lenses, in the order of wiring.
  public struct Lens: Equatable, Sendable {
    /// The lens's name: `key`.
    public var name: String
    /// The type of its driver: `Button`.
    public var driver: String

    public init(name: String, driver: String) {
      self.name = name
      self.driver = driver
    }
  }

  /// The file from which the application was made. With it, the recording can be replayed after the file has changed.
  public struct Source: Equatable, Sendable {
    public var file: String
    public var text: String

    public init(file: String, text: String) {
      self.file = file
      self.text = text
    }
  }

  public enum Clock: String, Sendable {
    /// Time advanced only as the simulation advanced it.
    case virtual
    /// `CLOCK_MONOTONIC` of the machine.
    case monotonic
  }

  /// The application's name.
  public var app: String
  /// The program that recorded the recording, for people: `panel 1.2`.
  public var by: String?
  public var clock: Clock
  /// The moment of the start on that clock; all moments of the recording count from it.
  public var start: Moment
  /// When the first frame was due on that clock; nil for `start`. In a simulation a driver that runs at that moment can
  /// delay the first frame.
  public var due: Moment?
  /// The time at which the recording began, for people: `2026-11-22T21:39:16Z`.
  public var wall: String?
  public var lenses: [Lens]
  /// The names of a row frame's numbers; empty for other frames.
  public var columns: [String]
  public var source: Source?

  init(
    app: String, by: String?, clock: Clock, start: Moment, due: Moment?, wall: String?, lenses: [Lens],
    columns: [String], source: Source?
  ) {
    self.app = app
    self.by = by
    self.clock = clock
    self.start = start
    self.due = due
    self.wall = wall
    self.lenses = lenses
    self.columns = columns
    self.source = source
  }

  func write(to recording: inout JSONWriter) {
    recording.beginObject()
    recording.key(plain: "film")
    recording.write(Self.version)
    recording.key(plain: "app")
    recording.write(app)
    if let by {
      recording.key(plain: "by")
      recording.write(by)
    }
    recording.key(plain: "clock")
    recording.write(clock.rawValue)
    recording.key(plain: "start")
    recording.write(start.nanoseconds)
    if let due {
      recording.key(plain: "due")
      recording.write(due.nanoseconds)
    }
    if let wall {
      recording.key(plain: "wall")
      recording.write(wall)
    }
    recording.key(plain: "lenses")
    recording.beginArray()
    for lens in lenses {
      recording.beginObject()
      recording.key(plain: "name")
      recording.write(lens.name)
      recording.key(plain: "driver")
      recording.write(lens.driver)
      recording.endObject()
    }
    recording.endArray()
    if !columns.isEmpty {
      recording.key(plain: "columns")
      columns.write(to: &recording)
    }
    if let source {
      recording.key(plain: "source")
      recording.beginObject()
      recording.key(plain: "file")
      recording.write(source.file)
      recording.key(plain: "text")
      recording.write(source.text)
      recording.endObject()
    }
    recording.endObject()
    recording.endLine()
  }

  init(from recording: inout JSONReader) throws(RecordingTextFault) {
    (app, by, clock, start, due, wall, lenses, columns) = ("", nil, .monotonic, .zero, nil, nil, [], [])
    var (hasVersion, hasLenses) = (false, false)
    try recording.beginObject()
    while let key = try recording.nextKey() {
      let place = recording.offset
      switch key {
      case "film":
        let version: Int = try recording.readInteger()
        guard version == Self.version else {
          throw RecordingTextFault(
            "this is version \(version) of the format; this program reads version \(Self.version)")
        }
        hasVersion = true
      case "app": app = try recording.readString()
      case "by": by = try recording.readString()
      case "clock":
        guard let known = Clock(rawValue: try recording.readString()) else {
          throw RecordingTextFault("\"clock\" is \"virtual\" or \"monotonic\"", at: place)
        }
        clock = known
      case "start":
        start = try Self.readMoment(from: &recording, key)
      case "due":
        due = try Self.readMoment(from: &recording, key)
      case "wall": wall = try recording.readString()
      case "lenses":
        lenses = try Self.readLenses(from: &recording)
        hasLenses = true
      case "columns": columns = try [String](from: &recording)
      case "source": source = try Self.readSource(from: &recording)
      default: throw RecordingTextFault("unknown key \"\(key)\"", at: place)
      }
    }
    guard hasVersion else { throw RecordingTextFault("\"film\" is missing, the version of the format", at: 0) }
    guard hasLenses else { throw RecordingTextFault("\"lenses\" is missing", at: 0) }
  }

  private static func readMoment(from recording: inout JSONReader, _ key: String) throws(RecordingTextFault) -> Moment {
    let place = recording.offset
    let moment = Moment(nanoseconds: try recording.readInteger())
    guard (0...Int64(ParsedRecordingLine.latest)).contains(moment.nanoseconds) else {
      throw RecordingTextFault("\"\(key)\" is not a moment of a clock", at: place)
    }
    return moment
  }

  private static func readLenses(from recording: inout JSONReader) throws(RecordingTextFault) -> [Lens] {
    var lenses: [Lens] = []
    try recording.beginArray()
    while try recording.hasElement() {
      try recording.beginObject()
      try recording.readKey("name")
      let name = try recording.readString()
      try recording.readKey("driver")
      lenses.append(Lens(name: name, driver: try recording.readString()))
      try recording.endObject()
    }
    return lenses
  }

  private static func readSource(from recording: inout JSONReader) throws(RecordingTextFault) -> Source {
    try recording.beginObject()
    try recording.readKey("file")
    let file = try recording.readString()
    try recording.readKey("text")
    let source = Source(file: file, text: try recording.readString())
    try recording.endObject()
    return source
  }
}
