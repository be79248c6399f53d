/// An error in the text of a recording, or in a value to be recorded.
public struct RecordingTextFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reason in a few words: `an integer is missing`.
  public var reason: String
  /// The number of bytes of the line before the error; nil if the error has no place in a line.
  public var offset: Int?

  public init(_ reason: String, at offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }

  public var description: String { offset.map { "\(reason), at byte \($0 + 1)" } ?? reason }
}
