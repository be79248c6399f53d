/// The layout of scenario files that commands write: one item per line.
package enum ScenarioYAML {
  /// Returns the whole file.
  ///
  /// - Parameters:
  ///   - name: the scenario's name.
  ///   - start: the conditions before the panel starts, as `top: reached`.
  ///   - items: the steps, as `press: bell`.
  package static func text(named name: String, start: [String], items: [String]) -> String {
    let lines =
      ["scenario: \(scalar(name))"] + (start.isEmpty ? [] : ["start: { \(start.joined(separator: ", ")) }"])
      + ["steps:"] + items.map { "  - \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns any text as a YAML scalar in quotation marks.
  package static func scalar(_ text: String) -> String {
    "\"\(String(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }))\""
  }
}
