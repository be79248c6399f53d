import CycleCore

/// An application that the monitor watches. All but ``takes`` is used on the cycle's thread, between two turns.
public protocol MonitoredApplication: AnyObject {
  /// The application, started, and recorded by ``recorder``.
  var application: any Application { get }
  var recorder: Recorder { get }
  /// Whether devices are simulated, so that ``perform(step:)`` can do what a hand would.
  var isSimulated: Bool { get }
  /// Plays takes and writes files; nil for an application of which only the film is shown.
  var takes: (any MonitorTakes)? { get }

  /// Writes what the page draws the application from, as one value; returns false, and writes nothing, for one of which
  /// nothing is known.
  func describe(to writer: inout FilmWriter) -> Bool
  /// Handles what is due now: runs the application's turn.
  func settle() throws(DriverError)
  /// Does to the simulated devices what a step of a scenario says.
  func perform(step: String) throws(MonitorRefusal)
  /// The frame that shows again what an earlier one shows: for one that counts what has begun in it, with other counts.
  ///
  /// - Parameter earlier: the earlier frame, as in a film.
  func frame(showing earlier: String) throws(MonitorRefusal) -> String
}

extension MonitoredApplication {
  public var isSimulated: Bool { false }
  public var takes: (any MonitorTakes)? { nil }
  public func describe(to writer: inout FilmWriter) -> Bool { false }

  public func perform(step: String) throws(MonitorRefusal) {
    throw MonitorRefusal(409, "the devices are not simulated; operate them by hand")
  }

  public func frame(showing earlier: String) throws(MonitorRefusal) -> String { earlier }
}

/// Plays takes of a film, and writes parts of it as files, on any thread.
public protocol MonitorTakes: Sendable {
  /// Plays a take.
  ///
  /// - Parameters:
  ///   - film: the film's bytes.
  ///   - edits: in the words of ``TakeEdit``, in their order.
  ///   - isRehearsed: whether the world of the take is played on simulated devices, rather than the events alone.
  func play(film: [UInt8], edits: [String], isRehearsed: Bool) throws(MonitorRefusal) -> PlayedTake

  /// The text of a file that keeps a part of a film.
  ///
  /// - Parameters:
  ///   - film: the film's bytes.
  ///   - form: what the file is.
  ///   - events: the first and the last event of the part.
  func save(film: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String

  /// A frame that a film leads to, of which the film has the digest only; nil where it doesn't lead there, and for
  /// applications whose films have all frames.
  ///
  /// - Parameters:
  ///   - number: the frame's.
  ///   - film: the film's bytes.
  func frame(_ number: Int, of film: [UInt8]) throws(MonitorRefusal) -> PlayedFrame?
}

extension MonitorTakes {
  public func frame(_ number: Int, of film: [UInt8]) throws(MonitorRefusal) -> PlayedFrame? { nil }
}

/// A frame that was played, with what drivers would render of it.
public struct PlayedFrame: Equatable, Sendable {
  /// The frame as JSON.
  public var value: String
  /// The model of each lens as JSON, in the order of wiring; nil where it can't be written.
  public var models: [String?]

  public init(value: String, models: [String?]) {
    self.value = value
    self.models = models
  }
}

/// What a part of a film is kept as.
public enum SavedForm: String, Sendable {
  case scenario
  case film = "recording"
  case test
}

/// A take that was played.
public struct PlayedTake: Equatable, Sendable {
  /// The lines of its film.
  public var film: [UInt8]
  /// The digest of all its records.
  public var digest: FilmDigest
  /// How many events it has, and the number of its last frame.
  public var events: Int
  public var frame: Int
  /// The number of the first event that is not as in the film; 0 if all are.
  public var first: Int
  /// For each answer that would not have been its number in ``film``, with that in the film that was edited.
  public var ghosts: [Int: Int]

  public init(film: [UInt8], digest: FilmDigest, events: Int, frame: Int, first: Int, ghosts: [Int: Int] = [:]) {
    self.ghosts = ghosts
    self.film = film
    self.digest = digest
    self.events = events
    self.frame = frame
    self.first = first
  }

  /// The film with a last field in the records of answers that would not have been.
  var markedFilm: [UInt8] {
    guard !ghosts.isEmpty else { return film }
    var marked: [UInt8] = []
    for line in film.split(separator: UInt8(ascii: "\n")) {
      if let number = line.withUnsafeBytes({ FilmLine.causeNumber(of: $0) }), let source = ghosts[number] {
        marked += line.dropLast()
        marked += Array(",{\"src\":\(source),\"mark\":\"ghost\"}]".utf8)
      } else {
        marked += line
      }
      marked.append(UInt8(ascii: "\n"))
    }
    return marked
  }
}
