import HardwareLinux
import Terminal

enum Check: Subcommand {
  static let syntax = CommandSyntax(
    "panel check", "Reads a panel file and says all that is wrong with it.",
    discussion: """
      Example:

        panel check doorbell.panel.yaml
      """, operands: [.panelFile])

  static func run(_ arguments: ParsedArguments) -> Int32 {
    let file = arguments.operands[0]
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let panel = try PanelFile.read(path: file)
      for note in panel.notes {
        diagnostics.write(.warning, "\(file):\(note.line):\(note.column): note: \(note.text)")
      }
      let states = panel.regions.reduce(0) { $0 + $1.states.count }
      let contents = [
        counted(panel.inputs.count, "input"), counted(panel.outputs.count, "output"),
        counted(panel.sounds.count, "sound"), counted(states, "state"),
      ]
      Output.print("\(file): \(panel.name): \(contents.joined(separator: ", ")): nothing is wrong")
      return ExitStatus.success
    }
  }
}
