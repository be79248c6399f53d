import Terminal

/// The path at which a command writes a scenario. It does not replace files of the same name that are written by hand.
enum ScenarioPlace {
  /// The highest number of file names that are tried.
  private static let mostFiles = 100

  /// Returns a panel file's path without its ending. The names of its scenarios begin with it.
  static func stem(ofPanel file: String) -> String {
    for ending in [".panel.yaml", ".yaml"] where file.hasSuffix(ending) { return String(file.dropLast(ending.count)) }
    return file
  }

  /// Writes a scenario to `STEM.scenario.yaml`, or to the next free name with a number after the stem. Returns the
  /// path, and the reason for a number: empty, or `, as lamp.scenario.yaml is written by hand`.
  ///
  /// - Parameter canReplace: whether the path is free, or holds a file that the same command has written.
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
