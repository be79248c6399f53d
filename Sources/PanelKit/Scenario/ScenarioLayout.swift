/// A scenario file as commands write it: an item a line.
enum ScenarioLayout {
  /// The whole file.
  ///
  /// - Parameters:
  ///   - name: the scenario's name.
  ///   - start: what is so before the panel starts, as `top: reached`.
  ///   - items: the steps, as `press: bell`.
  static func text(named name: String, start: [String], items: [String]) -> String {
    let lines =
      ["scenario: \(scalar(name))"] + (start.isEmpty ? [] : ["start: { \(start.joined(separator: ", ")) }"])
      + ["steps:"] + items.map { "  - \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Any text as a YAML scalar, in quotation marks.
  static func scalar(_ text: String) -> String {
    "\"\(String(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }))\""
  }
}
