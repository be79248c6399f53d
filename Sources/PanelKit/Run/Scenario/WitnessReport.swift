import PanelLanguage
import Terminal

/// A scenario that shows a violation, and the file that it was written to.
package struct WitnessReport {
  /// The text of the scenario; nil if none shows the violation.
  var text: String?
  /// The path of the file; nil if none was written.
  var path: String?
  /// The lines that report both.
  package let lines: [String]

  /// Writes a scenario to a file; prints it if there is no place for files.
  ///
  /// - Parameters:
  ///   - verb: the effect of the scenario: `shows`.
  ///   - canReplace: whether the path is free, or holds a file that the same command has written.
  package init(
    _ text: String, at place: ScenarioDestination?, named name: String, verb: String,
    canReplace: (_ path: String) -> Bool
  ) throws(Problems) {
    self.text = text
    guard let place else {
      lines = ["  this scenario \(verb) it:"] + text.split(separator: "\n").map { "    \($0)" }
      return
    }
    let (path, reason) = try place.write(text, named: name, canReplace: canReplace)
    self.path = path
    lines = ["  written to \(path)\(reason); panel test \(place.panel) \(path) \(verb) it"]
  }

  /// - Parameter reason: why there is no scenario.
  package init(without reason: String) { lines = ["  \(reason)"] }

  /// The check of the scenario was stopped, so that it is not known whether it shows the violation.
  package static let stopped = Self(without: "no scenario was written: Ctrl-C or a time limit stopped its check")

  package var members: [JSON.Member] {
    [
      JSON.Member(name: "scenario", value: text.map { JSON.text($0) } ?? .null),
      JSON.Member(name: "scenario_file", value: path.map { JSON.text($0) } ?? .null),
    ]
  }
}
