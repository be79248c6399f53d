import CycleCore
import HardwareLinux
import Terminal

enum FilmScenarioCommand: Subcommand {
  static let syntax = CommandSyntax(
    "panel film scenario", "Writes a scenario that does what a film's world did.",
    discussion: """
      What the panel shows at each moment becomes an expectation, so that `panel test` passes it, and fails when the panel shows
      something else. The film's steps are taken if it has any, otherwise those that its inputs' events can have come of. Examples:

        panel film scenario bell.film > bell.scenario.yaml
        panel film scenario bell.film --from 2s --to 10s --name 'The bell is silent at night'
      """,
    operands: [.init("FILM", help: "A film, or a take that was saved.")],
    options: [
      duration("--from", "From then on there are expectations; the steps before lead there."),
      duration("--to", "Ends there."),
      CommandSyntax.Option("--name", value: "NAME", help: "The scenario's name; the film's unless given."),
      CommandSyntax.Option("--panel", value: "FILE", help: "Plays it on this panel file, not on the one in the film."),
    ])

  private static func duration(_ name: String, _ help: String) -> CommandSyntax.Option {
    CommandSyntax.Option(name, value: "TIME", help: help) { (try? Quantity.duration($0)) != nil }
  }

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    let diagnostics = Diagnostics(.warning)
    return perform(diagnostics) {
      let path = arguments.operands[0]
      func time(_ option: String) -> Duration? { arguments.value(of: option).flatMap { try? Quantity.duration($0) } }
      do {
        let source = try TakeSource(path: path)
        let panel = try FilmedPanel(path: source.film, panelFile: arguments.value(of: "--panel"), kinds: kinds)
        let name = arguments.value(of: "--name") ?? "What happened in \(path.split(separator: "/").last ?? "a film")"
        let scenario = FilmScenario(
          of: try PanelTake(of: panel, edits: source.edits), named: name, from: time("--from") ?? .zero,
          to: time("--to"))
        for line in try scenario.text().split(separator: "\n") { Output.print(String(line)) }
        return ExitStatus.success
      } catch let fault as FilmFault {
        diagnostics.write(.error, "\(path): \(fault)")
        return ExitStatus.wrongContent
      }
    }
  }
}
