/// A deviation from a test, thrown by ``TestStore``. The test fails under any test library, and so does a program
/// without one.
public struct TestFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place in the test: `TallyTests/TallyTests.swift:14`.
  public var place: String
  /// The deviation: `frame 1 is another one than expected, after pressed of key at 0.005000000s`.
  public var text: String
  /// One line for each value that differs, and each event that is left over; at most 50.
  public var lines: [String]

  private static let mostLines = 50

  init(at place: String, _ text: String, _ lines: [String] = []) {
    (self.place, self.text) = (place, text)
    self.lines =
      lines.count <= Self.mostLines
      ? lines : lines.prefix(Self.mostLines - 1) + ["\(lines.count - Self.mostLines + 1) more lines"]
  }

  public var description: String { (["\(place): \(text)"] + lines.map { "  \($0)" }).joined(separator: "\n") }
}
