/// Reads scenario files.
enum ScenarioFile {
  private static let what = "a scenario file"

  /// The scenario in the file at `path`, for that panel. Throws all that is wrong with it, or why it can't be read.
  static func read(path: String, for panel: PanelDefinition) throws(Problems) -> Scenario {
    try read(try TextFile.read(path: path, what: what), file: path, for: panel)
  }

  /// The scenario in these bytes. Throws all that is wrong with it.
  static func read(_ bytes: [UInt8], file: String, for panel: PanelDefinition) throws(Problems) -> Scenario {
    let problems = ProblemList()
    guard let text = TextFile.text(bytes, what: what, problems: problems),
      let root = YAMLTree.read(text, what: what, problems: problems)
    else {
      if problems.count == 0 { problems.add(.start, "empty; write \(what) here") }
      throw problems.problems(of: file)
    }
    if let position = root.position(ofKey: "panel"), root.position(ofKey: "scenario") == nil {
      problems.add(position, "a panel file, not \(what); the panel comes first, then its scenarios")
      throw problems.problems(of: file)
    }
    var scenario = Scenario(name: "", file: file, steps: [])
    if let fields = problems.fields(root, Grammar.scenario, at: .start) {
      scenario.name = problems.text(fields["scenario"]) ?? ""
      if let field = fields["steps"], let items = problems.items(field) {
        if items.isEmpty { problems.add(field.position, "no steps; write one as - press: bell") }
        let reader = StepReader(names: Names(panel), problems: problems)
        scenario.steps = items.compactMap { reader.step($0) }
      }
    }
    guard problems.count == 0 else { throw problems.problems(of: file) }
    return scenario
  }
}
