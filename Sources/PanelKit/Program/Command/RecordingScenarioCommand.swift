import CycleCore
import PanelLanguage
import PanelRecording
import Terminal

enum RecordingScenarioCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel recording scenario", "Write a scenario that repeats the inputs of a recording.",
    discussion: """
      The scenario expects what the panel showed after each input, so that `panel test` fails if the panel's behaviour changes.
      """,
    examples: """
      $ panel recording scenario bell.recording -o bell.scenario.yaml
      $ panel recording scenario bell.recording --from 2s --to 10s --name 'The bell is silent at night'
      $ panel recording scenario held.edits -o held.scenario.yaml
      """,
    operands: [.init("RECORDING", help: "A recording, or edits that were saved.")],
    options: [
      .duration("--from", help: "Expect results from this time on; the steps before it only lead there."),
      .duration("--to", help: "End at this time."),
      CommandSyntax.Option(
        "--name", value: "NAME", "a name", help: "Name of the scenario (default: from the file name)."),
      .otherPanel, .output(help: "File to write, or - for standard output (default: -)."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let path = arguments.operands[0]
      func time(_ option: String) -> Duration? { arguments.value(of: option).flatMap { try? Quantity.duration($0) } }
      do {
        let source = try RecordingEditChain(path: path)
        let panel = try ReplayableRecording(
          path: source.recording, panelFile: arguments.value(of: "--panel"), kinds: kinds)
        let name =
          arguments.value(of: "--name") ?? "What happened in \(path.split(separator: "/").last ?? "a recording")"
        let scenario = RecordedScenario(
          of: try EditedRecordingReplay(of: panel, edits: source.edits), named: name, from: time("--from") ?? .zero,
          to: time("--to"))
        let lines = try scenario.text().split(separator: "\n").map { visible(String($0)) + "\n" }
        try TextFile.write(lines.joined(), path: arguments.value(of: "--output") ?? "-")
        return ExitStatus.success
      } catch let fault as RecordingTextFault {
        diagnostics.write(.error, "\(path): \(fault)")
        return ExitStatus.wrongContent
      }
    }
  }
}
