import CycleBase

/// An error in a recording, with its line.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The recording's name: that of its file, as the user gave it.
  public var recording: String
  /// The number of the line, from 1; 0 for an event of an edited recording, which is not in a line.
  public var line: Int
  public var fault: RecordingTextFault

  public init(recording: String, line: Int, fault: RecordingTextFault) {
    self.recording = recording
    self.line = line
    self.fault = fault
  }

  public var description: String { line > 0 ? "\(recording):\(line): \(fault)" : "\(recording): \(fault)" }
}
