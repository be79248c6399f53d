import PanelLanguage
import PanelRun
import Terminal

enum Schema: Subcommand {
  static let syntax = CommandSyntax(
    "panel schema", "Print the JSON Schema of panel files or scenario files, for editors.",
    discussion: """
      An editor that supports YAML schemas, such as Visual Studio Code with the YAML extension, then completes and explains the \
      keys and marks wrong keys and wrong types of values. It cannot check names; use `panel check` for that.

      Write the schema to a file, and make this the first line of your panel file:

        # yaml-language-server: $schema=panel.schema.json
      """,
    examples: """
      $ panel schema -o panel.schema.json
      $ panel schema --scenario -o scenario.schema.json
      $ panel schema | head
      """,
    options: [
      CommandSyntax.Option("--scenario", help: "Print the schema of scenario files."),
      .output(help: "File to write, or - for standard output (default: -)."),
    ])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      let schema = FileSchemas(kinds: kinds)
      try TextFile.write(
        (arguments.has("--scenario") ? schema.scenario : schema.panel).lines,
        path: arguments.value(of: "--output") ?? "-")
      return ExitStatus.success
    }
  }
}
