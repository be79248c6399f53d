import Terminal

/// Where a command writes a scenario: beside files of the same name that somebody has written by hand.
enum ScenarioPlace {
  /// How many names are tried for a file.
  private static let mostFiles = 100

  /// A panel file's path without its ending, with which the names of its scenarios begin.
  static func stem(ofPanel file: String) -> String {
    for ending in [".panel.yaml", ".yaml"] where file.hasSuffix(ending) { return String(file.dropLast(ending.count)) }
    return file
  }

  /// Writes a scenario to `STEM.scenario.yaml`, or with a number behind the stem. Returns the path, and why it has a number: nothing, or
  /// `, as lamp.scenario.yaml is written by hand`.
  ///
  /// - Parameter canReplace: whether there is nothing at a path, or a file that the same command has written.
  static func write(
    _ text: String, stem: String, canReplace: (_ path: String) -> Bool
  ) throws(Problems) -> (path: String, reason: String) {
    for number in 1...mostFiles {
      let path = "\(stem)\(number > 1 ? "-\(number)" : "").scenario.yaml"
      guard canReplace(path) else { continue }
      try TextFile.write(text, path: path)
      return (path, number > 1 ? ", as \(stem).scenario.yaml is written by hand" : "")
    }
    throw Problems(
      kind: .cannotWrite, file: "\(stem).scenario.yaml",
      list: [Problem(line: 0, column: 0, text: "it and \(mostFiles - 1) others are written by hand; move one")])
  }
}
