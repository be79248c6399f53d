import HardwareDrivers
import HardwarePlatform
import PanelKinds
import PanelLanguage
import Terminal

enum Check: Subcommand {
  static let syntax = CommandSyntax(
    "panel check", "List every error in panel files and sheets, with line and column.",
    discussion: """
      A note is about something that is allowed but most likely a mistake. With --strict, notes also fail.

      A sheet describes a chip, and its name ends with .sheet.yaml. Its example is run, too.

      With --json, each line is an object with the members file, line, column, severity (error or note) and text.
      """,
    examples: """
      $ panel check lamp.panel.yaml
      lamp.panel.yaml: Lamp: 1 input, 1 output, 1 sound, 2 states: nothing is wrong

      $ panel check --strict *.panel.yaml
      $ cat lamp.panel.yaml | panel check - --name lamp.panel.yaml
      """,
    operands: [
      .init(
        "PANEL",
        help:
          "Panel files, panel names (lamp: ./lamp.panel.yaml or /etc/panel/lamp.panel.yaml), or - for standard input.",
        .oneOrMore)
    ],
    options: [
      CommandSyntax.Option(
        "--strict", help: "Also note what is declared but never used, and fail with 65 if there is a note."),
      .json, .fileName,
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let isStrict = arguments.has("--strict")
      var status = ExitStatus.success
      for operand in arguments.operands {
        let checked: any CheckedFile =
          operand.hasSuffix(SheetLibrary.suffix)
          ? CheckedSheet(operand) : CheckedPanel(operand, arguments, kinds: kinds, isStrict: isStrict)
        if arguments.has("--json") { checked.printJSON() } else { checked.print(diagnostics) }
        if status == ExitStatus.success { status = checked.status }
      }
      return status
    }
  }
}

/// A checked file and the result.
private protocol CheckedFile {
  var file: String { get }
  var status: Int32 { get }
  func print(_ diagnostics: Diagnostics)
  func printJSON()
}

extension CheckedFile {
  func printJSON(_ problems: Problems) {
    for problem in problems.list { printJSON(problem, "error") }
    if let rest = problems.omission { printJSON(Problem(line: 0, column: 0, text: rest), "error") }
  }

  func printJSON(_ problem: Problem, _ severity: String) {
    let object = JSON.object([
      "file": .text(file), "line": .number(problem.line), "column": .number(problem.column),
      "severity": .text(severity), "text": .text(problem.text),
    ])
    Output.print(object.line)
  }
}

/// A checked sheet of a chip.
private struct CheckedSheet: CheckedFile {
  let file: String
  let result: Result<Sheet, Problems>

  init(_ operand: String) {
    file = operand
    result = Result { () throws(Problems) in
      try SheetLibrary.sheet(in: operand)
    }
  }

  var status: Int32 {
    switch result {
    case .success: ExitStatus.success
    case .failure(let problems): problems.exitStatus
    }
  }

  func print(_ diagnostics: Diagnostics) {
    switch result {
    case .failure(let problems): for line in problems.lines { diagnostics.write(.error, line) }
    case .success(let sheet):
      let parts = [
        ("reads", sheet.readings.map(\.name)), ("has the contacts", sheet.contacts.map(\.name)),
        ("sets", sheet.outputs.map(\.name)), ("writes", sheet.writtenBytes ?? ["nothing"]),
      ]
      let text = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \(listed($0.1))" }.joined(separator: "; ")
      Output.print("\(file): \(sheet.about): \(text): nothing is wrong")
    }
  }

  func printJSON() {
    if case .failure(let problems) = result { printJSON(problems) }
  }
}

/// A checked panel file.
private struct CheckedPanel: CheckedFile {
  let file: String
  let isStrict: Bool
  let result: Result<PanelDefinition, Problems>

  init(_ operand: String, _ arguments: ParsedArguments, kinds: KindList, isStrict: Bool) {
    self.isStrict = isStrict
    do throws(Problems) {
      let input = try PanelFileArgument(operand, arguments)
      file = input.file
      result = Result { () throws(Problems) in try input.panel(kinds: kinds) }
    } catch {
      file = error.file
      result = .failure(error)
    }
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
        counted(panel.writtenInputCount, "input"), counted(panel.outputs.count, "output"),
        counted(panel.sounds.count, "sound"), counted(states, "state"),
      ]
      let verdict = isStrict && !notes.isEmpty ? counted(notes.count, "note") : "nothing is wrong"
      Output.print("\(file): \(panel.name): \(contents.joined(separator: ", ")): \(verdict)")
    }
  }

  func printJSON() {
    switch result {
    case .success: for note in notes { printJSON(note, "note") }
    case .failure(let problems): printJSON(problems)
    }
  }
}
