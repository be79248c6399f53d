import PanelLanguage
import Terminal

/// The place of the scenarios that a command writes for a panel. Files of the same name that are written by hand are
/// not replaced.
package struct ScenarioDestination {
  /// The highest number of file names that are tried.
  private static let mostFiles = 100

  /// The path of the scenarios without their own names: a panel file's path without its ending.
  let stem: String
  /// The operands that name the panel for another command.
  let panel: String

  /// The folder of a panel file, or another folder. Nil without a folder for a panel of standard input without a name:
  /// a scenario in the current folder could belong to any panel.
  ///
  /// - Parameters:
  ///   - path: the path of the panel file; nil for standard input without a name.
  ///   - operands: the operands that name the panel for another command.
  package init?(ofPanel path: String?, operands: String, folder: String? = nil) {
    guard path != nil || folder != nil else { return nil }
    panel = operands
    var stem = path ?? "standard-input"
    if let ending = [".panel.yaml", ".yaml"].first(where: { stem.hasSuffix($0) }) {
      stem = String(stem.dropLast(ending.count))
    }
    if let folder {
      stem = folder + (folder.hasSuffix("/") ? "" : "/") + (stem.split(separator: "/").last.map(String.init) ?? stem)
    }
    self.stem = stem
  }

  /// The paths of the scenarios that random tests have written, sorted by name.
  package var explored: [String] {
    get throws(Problems) {
      let folder = stem.lastIndex(of: "/").map { String(stem[...$0]) } ?? ""
      let prefix = "\(stem.dropFirst(folder.count)).explored-"
      return try DirectoryListing.sorted(in: folder.isEmpty ? "." : folder)
        .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".scenario.yaml") }.map { folder + $0 }
    }
  }

  /// Writes a scenario to `STEM.NAME.scenario.yaml`, or to the next free name with a number after it. Returns the path,
  /// and the reason for a number: empty, or `, as lamp.bad.scenario.yaml has another scenario`.
  ///
  /// - Parameter canReplace: whether the path is free, or holds a file that the same command has written.
  func write(
    _ text: String, named name: String, canReplace: (_ path: String) -> Bool
  ) throws(Problems) -> (path: String, reason: String) {
    let first = "\(stem).\(name).scenario.yaml"
    for number in 1...Self.mostFiles {
      let path = number == 1 ? first : "\(stem).\(name)-\(number).scenario.yaml"
      guard canReplace(path) else { continue }
      try TextFile.write(text, path: path)
      return (path, number > 1 ? ", as \(first) has another scenario" : "")
    }
    throw Problems(
      kind: .cannotWrite, file: first,
      list: [Problem(line: 0, column: 0, text: "it and \(Self.mostFiles - 1) others have other scenarios; move one")])
  }
}
