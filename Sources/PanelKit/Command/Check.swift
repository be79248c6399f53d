import ArgumentParser

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reads a panel file and says all that is wrong with it.",
    discussion: """
      Example:

        panel check doorbell.panel.yaml
      """)

  @Argument(help: "The panel file.")
  var file: String

  func run() throws {
    let diagnostics = Diagnostics(.warning)
    try perform(diagnostics) {
      let panel = try PanelFile.read(path: file)
      for note in panel.notes {
        diagnostics.write(.warning, "\(file):\(note.line):\(note.column): note: \(note.text)")
      }
      let states = panel.regions.reduce(0) { $0 + $1.states.count }
      Output.print(
        "\(file): \(panel.name): \(panel.inputs.count) inputs, \(panel.outputs.count) outputs, "
          + "\(panel.sounds.count) sounds, \(states) states: nothing is wrong")
    }
  }
}
