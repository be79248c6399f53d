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
}

/// What a part of a film is kept as.
public enum SavedForm: String, Sendable {
  case scenario, film, test
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

  public init(film: [UInt8], digest: FilmDigest, events: Int, frame: Int, first: Int) {
    self.film = film
    self.digest = digest
    self.events = events
    self.frame = frame
    self.first = first
  }
}
