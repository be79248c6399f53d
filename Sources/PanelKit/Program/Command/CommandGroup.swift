import Terminal

/// The commands of `panel` for one job.
struct CommandGroup {
  /// The name of the group in `panel help`; the first word of its commands if they have two.
  var word: String
  var title: String
  var summary: String
  var commands: [any Subcommand.Type]

  static var all: [CommandGroup] {
    [
      CommandGroup(
        word: "write", title: "Write", summary: "Write a panel file, try it, and draw it.",
        commands: [Check.self, Simulate.self, Draw.self, Wiring.self, Sheets.self, Schema.self]),
      CommandGroup(
        word: "test", title: "Test", summary: "Find faults before the panel is built.",
        commands: [Test.self, Prove.self, Explore.self]),
      CommandGroup(
        word: "run", title: "Run", summary: "Run a panel on the devices of this machine.",
        commands: [Run.self, Safe.self, Doctor.self]),
      CommandGroup(
        word: "control", title: "Control", summary: "Watch and operate panels that run as services.",
        commands: [
          Status.self, Watch.self, Press.self, Turn.self, SetValue.self, Do.self, Reload.self, Log.self,
        ]),
      CommandGroup(
        word: "recording", title: "Recordings", summary: "Replay, edit and test recordings, which --record makes.",
        commands: [
          Replay.self, RecordingEditCommand.self, RecordingPrintCommand.self, RecordingCutCommand.self,
          RecordingExportCommand.self,
          CycleMonitorImportCommand.self, RecordingScenarioCommand.self, RegressionTestsCommand.self,
        ]),
    ]
  }

  func help(columns: Int = HelpText.columns) -> String {
    let text = HelpText(columns: columns)
    let first = commands.allSatisfy { $0.names.first == word } ? "panel \(word)" : "panel"
    return """
      \(text.paragraphs(summary))

      Usage: \(first) COMMAND [OPTION]... [ARGUMENT]...

      \(table(columns: columns))

      \(text.paragraphs("To see the options of a command and examples, type `\(first) COMMAND --help`."))
      """
  }

  /// Returns the commands of the group, each with its summary.
  func table(columns: Int = HelpText.columns) -> String {
    HelpText(columns: columns).table(commands.map { ($0.syntax.name, $0.syntax.summary) })
  }
}
