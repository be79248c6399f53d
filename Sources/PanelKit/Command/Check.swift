import HardwareLinux
import Terminal

enum Check: Subcommand {
  static let syntax = CommandSyntax(
    "panel check", "Reads panel files and says all that is wrong with them.",
    discussion: """
      Notes are what is allowed, but most likely a mistake. What depends on a device that can't be read, as its events and looks,
      is checked when the device is right. Examples:

        panel check doorbell.panel.yaml
        panel check --strict *.panel.yaml
      """, operands: [.init("FILE", help: "The panel files, or the names of panels in /etc/panel.", .oneOrMore)],
    options: [
      CommandSyntax.Option(
        "--strict", help: "Notes also what is declared and nothing uses, and ends with 65 also if there is a note."),
      CommandSyntax.Option(
        "--json",
        help: "Prints a JSON object a line for each problem and each note: file, line, column, severity, text."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let isStrict = arguments.has("--strict")
      var status = ExitStatus.success
      for file in arguments.operands.map(PanelFile.path) {
        let checked = CheckedFile(file, kinds: kinds, isStrict: isStrict)
        if arguments.has("--json") { checked.printJSON() } else { checked.print(diagnostics) }
        if status == ExitStatus.success { status = checked.status }
      }
      return status
    }
  }
}

/// A panel file that has been checked, and what was found.
private struct CheckedFile {
  let file: String
  let isStrict: Bool
  let result: Result<PanelDefinition, Problems>

  init(_ file: String, kinds: KindList, isStrict: Bool) {
    self.file = file
    self.isStrict = isStrict
    result = Result { () throws(Problems) in try PanelFile.read(path: file, kinds: kinds) }
  }

  private var notes: [Problem] {
    guard case .success(let panel) = result else { return [] }
    let all = panel.notes + (isStrict ? panel.unused : [])
    return all.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  var status: Int32 {
    switch result {
    case .success: isStrict && !notes.isEmpty ? ExitStatus.wrongContent : ExitStatus.success
    case .failure(let problems): problems.exitStatus
    }
  }

  func print(_ diagnostics: Diagnostics) {
    switch result {
    case .failure(let problems): for line in problems.lines { diagnostics.write(.error, line) }
    case .success(let panel):
      for note in notes { diagnostics.write(.warning, "\(file):\(note.line):\(note.column): note: \(note.text)") }
      let states = panel.regions.reduce(0) { $0 + $1.states.count }
      let contents = [
        counted(panel.inputs.count, "input"), counted(panel.outputs.count, "output"),
        counted(panel.sounds.count, "sound"), counted(states, "state"),
      ]
      let verdict = isStrict && !notes.isEmpty ? counted(notes.count, "note") : "nothing is wrong"
      Output.print("\(file): \(panel.name): \(contents.joined(separator: ", ")): \(verdict)")
    }
  }

  func printJSON() {
    switch result {
    case .success: for note in notes { printJSON(note, "note") }
    case .failure(let problems):
      for problem in problems.list { printJSON(problem, "error") }
      if let rest = problems.omission { printJSON(Problem(line: 0, column: 0, text: rest), "error") }
    }
  }

  private func printJSON(_ problem: Problem, _ severity: String) {
    let object = JSON.object([
      "file": .text(file), "line": .number(problem.line), "column": .number(problem.column),
      "severity": .text(severity), "text": .text(problem.text),
    ])
    Output.print(object.line)
  }
}
