import PanelKinds
import PanelLanguage

/// The folder of the panel files that a scenario names, and the kinds that they can name.
package struct ScenarioContext {
  /// The folder of relative paths; empty for the working directory.
  var folder = ""
  /// The kinds of devices that panel files can name.
  var kinds = KindList.standard
}

package enum ScenarioFile {
  private static let what = "a scenario file"

  /// Reads the scenario for a panel from the file at `path`. Throws all problems of the file, or the reason why it
  /// can't be read.
  package static func read(
    path: String, for panel: PanelDefinition, kinds: KindList = .standard
  ) throws(Problems) -> Scenario {
    let place = ScenarioContext(folder: PanelFile.folder(of: path), kinds: kinds)
    return try read(try TextFile.read(path: path, what: what), file: path, for: panel, place: place)
  }

  /// Reads a scenario from bytes. Throws all problems in them.
  package static func read(
    _ bytes: [UInt8], file: String, for panel: PanelDefinition, place: ScenarioContext = ScenarioContext()
  ) throws(Problems) -> Scenario {
    let problems = ProblemList()
    guard let text = TextFile.text(bytes, what: what, problems: problems),
      let root = YAMLTree.read(text, what: what, problems: problems)
    else {
      if problems.count == 0 { problems.add(.start, "the file is empty; write \(what) here") }
      throw problems.problems(of: file)
    }
    if let position = root.position(ofKey: "panel"), root.position(ofKey: "scenario") == nil {
      problems.add(position, "this is a panel file, not \(what); name the panel first, then its scenarios")
      throw problems.problems(of: file)
    }
    var scenario = Scenario(name: "", file: file, cases: [])
    if let fields = problems.fields(root, Grammar.scenario, at: .start) {
      scenario.name = problems.text(fields["scenario"]) ?? ""
      scenario.cases = cases(fields, names: Names(panel), place, problems)
    }
    guard problems.count == 0 else { throw problems.problems(of: file) }
    return scenario
  }

  private static func cases(
    _ fields: Fields, names: Names, _ place: ScenarioContext, _ problems: ProblemList
  ) -> [Scenario.Case] {
    let reader = CaseTableReader(problems: problems)
    var rows: [CaseTableReader.Row?] = [nil]
    if let field = fields["cases"] {
      guard let read = reader.rows(field) else { return [] }
      rows = read
    }
    var cases: [Scenario.Case] = []
    var room = StepListReader.mostSteps
    for (number, row) in rows.enumerated() {
      let before = problems.count
      func filled(_ key: String) -> Field? {
        fields[key].map { Field(key: $0.key, position: $0.position, node: reader.filled($0.node, with: row)) }
      }
      var one = Scenario.Case(title: row.map { "case \(number + 1) (\($0.text))" }, steps: [])
      one.start = StartReader(names: names, problems: problems).start(filled("start"))
      if let field = filled("steps") {
        var steps = StepListReader(names: names, problems: problems, place: place, room: room)
        one.steps = steps.steps(field)
        room = steps.room
      }
      // A problem in the steps would be repeated for each case.
      guard problems.count == before else { return [] }
      cases.append(one)
    }
    return cases
  }
}
