import CycleBase

/// The first line of a film: it describes the application.
public struct FilmHeader: Equatable, Sendable {
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

  /// The file from which the application was made. With it, the film can be replayed after the file has changed.
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
  /// The program that recorded the film, for people: `panel 1.2`.
  public var by: String?
  public var clock: Clock
  /// The moment of the start on that clock; all moments of the film count from it.
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

  func write(to film: inout FilmWriter) {
    film.beginObject()
    film.key(plain: "film")
    film.write(Self.version)
    film.key(plain: "app")
    film.write(app)
    if let by {
      film.key(plain: "by")
      film.write(by)
    }
    film.key(plain: "clock")
    film.write(clock.rawValue)
    film.key(plain: "start")
    film.write(start.nanoseconds)
    if let due {
      film.key(plain: "due")
      film.write(due.nanoseconds)
    }
    if let wall {
      film.key(plain: "wall")
      film.write(wall)
    }
    film.key(plain: "lenses")
    film.beginArray()
    for lens in lenses {
      film.beginObject()
      film.key(plain: "name")
      film.write(lens.name)
      film.key(plain: "driver")
      film.write(lens.driver)
      film.endObject()
    }
    film.endArray()
    if !columns.isEmpty {
      film.key(plain: "columns")
      columns.write(to: &film)
    }
    if let source {
      film.key(plain: "source")
      film.beginObject()
      film.key(plain: "file")
      film.write(source.file)
      film.key(plain: "text")
      film.write(source.text)
      film.endObject()
    }
    film.endObject()
    film.endLine()
  }

  init(from film: inout FilmReader) throws(FilmFault) {
    (app, by, clock, start, due, wall, lenses, columns) = ("", nil, .monotonic, .zero, nil, nil, [], [])
    var (hasVersion, hasLenses) = (false, false)
    try film.beginObject()
    while let key = try film.nextKey() {
      let place = film.offset
      switch key {
      case "film":
        let version: Int = try film.readInteger()
        guard version == Self.version else {
          throw FilmFault("this is version \(version) of the format; this program reads version \(Self.version)")
        }
        hasVersion = true
      case "app": app = try film.readString()
      case "by": by = try film.readString()
      case "clock":
        guard let known = Clock(rawValue: try film.readString()) else {
          throw FilmFault("\"clock\" is \"virtual\" or \"monotonic\"", at: place)
        }
        clock = known
      case "start":
        start = try Self.readMoment(from: &film, key)
      case "due":
        due = try Self.readMoment(from: &film, key)
      case "wall": wall = try film.readString()
      case "lenses":
        lenses = try Self.readLenses(from: &film)
        hasLenses = true
      case "columns": columns = try [String](from: &film)
      case "source": source = try Self.readSource(from: &film)
      default: throw FilmFault("unknown key \"\(key)\"", at: place)
      }
    }
    guard hasVersion else { throw FilmFault("\"film\" is missing, the version of the format", at: 0) }
    guard hasLenses else { throw FilmFault("\"lenses\" is missing", at: 0) }
  }

  private static func readMoment(from film: inout FilmReader, _ key: String) throws(FilmFault) -> Moment {
    let place = film.offset
    let moment = Moment(nanoseconds: try film.readInteger())
    guard (0...Int64(FilmLine.latest)).contains(moment.nanoseconds) else {
      throw FilmFault("\"\(key)\" is not a moment of a clock", at: place)
    }
    return moment
  }

  private static func readLenses(from film: inout FilmReader) throws(FilmFault) -> [Lens] {
    var lenses: [Lens] = []
    try film.beginArray()
    while try film.hasElement() {
      try film.beginObject()
      try film.readKey("name")
      let name = try film.readString()
      try film.readKey("driver")
      lenses.append(Lens(name: name, driver: try film.readString()))
      try film.endObject()
    }
    return lenses
  }

  private static func readSource(from film: inout FilmReader) throws(FilmFault) -> Source {
    try film.beginObject()
    try film.readKey("file")
    let file = try film.readString()
    try film.readKey("text")
    let source = Source(file: file, text: try film.readString())
    try film.endObject()
    return source
  }
}
