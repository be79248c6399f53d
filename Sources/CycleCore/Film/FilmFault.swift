/// What is wrong with the text of a film, or with a value that was to become one.
public struct FilmFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, in a few words: `an integer is missing`.
  public var reason: String
  /// How many bytes of the line lie before the place; nil where it is about no place in a line.
  public var offset: Int?

  public init(_ reason: String, at offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }

  public var description: String { offset.map { "\(reason), at byte \($0 + 1)" } ?? reason }
}
