import PanelLanguage

/// The number of repetitions of a sequence in an appearance: `times: 3`, `times: forever`.
struct Repetitions: Equatable {
  /// Nil for forever.
  var count: Int?

  private static let counts = 1...10_000
  /// The shape of the key.
  static let shape = Shape.oneOf([.whole(counts), .words(["forever"])])

  fileprivate static func reading(_ field: Field, _ problems: ProblemList) -> Repetitions? {
    if field.node.content == .scalar("forever") { return Repetitions(count: nil) }
    return problems.whole(field, in: counts).map { Repetitions(count: $0) }
  }
}

extension DeviceFields {
  /// The repetitions at a key whose shape is ``Repetitions/shape``; one if the file does not have the key. Adds a problem
  /// and returns nil for anything else.
  func repetitions(_ key: String) -> Repetitions? {
    guard let field = self[key] else { return Repetitions(count: 1) }
    return Repetitions.reading(field, problems)
  }
}
