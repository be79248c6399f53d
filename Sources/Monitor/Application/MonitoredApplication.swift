import CycleCore

/// An application that the monitor watches. Except ``takes``, everything is used on the cycle's thread, between two
/// turns.
public protocol MonitoredApplication: AnyObject {
  /// The application. It is started, and recorded by ``recorder``.
  var application: any Application { get }
  var recorder: Recorder { get }
  /// Whether devices are simulated, so that ``perform(step:)`` can operate them.
  var isSimulated: Bool { get }
  /// The player of edited recordings and writer of files; nil for an application whose recording is only shown.
  var takes: (any MonitorRecordingEditor)? { get }

  /// Writes the description from which the page draws the application, as one value. Returns false, and writes nothing,
  /// if the application has none.
  func describe(to writer: inout JSONWriter) -> Bool
  /// Runs the application's turn for the events that are due now.
  func settle() throws(DriverError)
  /// Executes a step of a scenario on the simulated devices.
  func perform(step: String) throws(MonitorRefusal)
  /// Returns a frame that shows the same as an earlier one. If frames count the actions that began in them, the counts
  /// are different.
  ///
  /// - Parameter earlier: the earlier frame, in the format of a recording.
  func frame(showing earlier: String) throws(MonitorRefusal) -> String
}

extension MonitoredApplication {
  public var isSimulated: Bool { false }
  public var takes: (any MonitorRecordingEditor)? { nil }
  public func describe(to writer: inout JSONWriter) -> Bool { false }

  public func perform(step: String) throws(MonitorRefusal) {
    throw MonitorRefusal(409, "the devices are not simulated; operate them by hand")
  }

  public func frame(showing earlier: String) throws(MonitorRefusal) -> String { earlier }
}

/// Plays a recording with edits, and writes parts of it as files, on any thread.
public protocol MonitorRecordingEditor: Sendable {
  /// Plays an edited recording.
  ///
  /// - Parameters:
  ///   - recording: the recording's bytes.
  ///   - edits: the edits in the form of `RecordingEdit`, in their order.
  ///   - isResimulated: whether the world of the edited recording is played on simulated devices, instead of the events
  ///     alone.
  func play(recording: [UInt8], edits: [String], isResimulated: Bool) throws(MonitorRefusal) -> PlayedRecording

  /// Returns the text of a file that contains a part of a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording's bytes.
  ///   - form: the kind of the file.
  ///   - events: the first and the last event of the part.
  func save(recording: [UInt8], as form: SavedForm, events: ClosedRange<Int>) throws(MonitorRefusal) -> String

  /// Returns a frame that the recording leads to, if the recording contains only its digest. Returns nil if the
  /// recording doesn't lead to it, and for applications whose recordings contain all frames.
  ///
  /// - Parameters:
  ///   - number: the number of the frame.
  ///   - recording: the recording's bytes.
  func frame(_ number: Int, of recording: [UInt8]) throws(MonitorRefusal) -> PlayedFrame?
}

extension MonitorRecordingEditor {
  public func frame(_ number: Int, of recording: [UInt8]) throws(MonitorRefusal) -> PlayedFrame? { nil }
}

/// A frame that was played, with the models of all drivers.
public struct PlayedFrame: Equatable, Sendable {
  /// The frame as JSON.
  public var value: String
  /// The model of each lens as JSON, in the order of wiring; nil for a model that can't be written.
  public var models: [String?]

  public init(value: String, models: [String?]) {
    self.value = value
    self.models = models
  }
}

/// The kind of a file that contains a part of a recording.
public enum SavedForm: String, Sendable {
  case scenario
  case recording = "recording"
  case test
}

/// An edited recording that was played.
public struct PlayedRecording: Equatable, Sendable {
  /// The lines of its recording.
  public var recording: [UInt8]
  /// The digest of all its records.
  public var digest: FNV1aHash
  /// The number of its events, and the number of its last frame.
  public var events: Int
  public var frame: Int
  /// The number of the first event that differs from the recording; 0 if all are equal.
  public var first: Int
  /// For each answer that would not have been given: its number in ``recording``, with its number in the recording that
  /// was edited.
  public var ghosts: [Int: Int]

  public init(
    recording: [UInt8], digest: FNV1aHash, events: Int, frame: Int, first: Int, ghosts: [Int: Int] = [:]
  ) {
    self.ghosts = ghosts
    self.recording = recording
    self.digest = digest
    self.events = events
    self.frame = frame
    self.first = first
  }

  /// The recording, with an additional last field in the records of answers that would not have been given.
  var markedRecording: [UInt8] {
    guard !ghosts.isEmpty else { return recording }
    var marked: [UInt8] = []
    for line in recording.split(separator: UInt8(ascii: "\n")) {
      if let number = line.withUnsafeBytes({ ParsedRecordingLine.causeNumber(of: $0) }), let source = ghosts[number] {
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
