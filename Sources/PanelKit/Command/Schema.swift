import Terminal

enum Schema: Subcommand {
  static let syntax = CommandSyntax(
    "panel schema", "Prints the JSON Schema of panel files, for editors.",
    discussion: """
      An editor that knows YAML (as Visual Studio Code with its extension) completes and explains keys by it, and marks what is wrong with
      a file's form. What names stand for it doesn't know: `panel check` does. Examples:

        panel schema > panel.schema.json
        panel schema --scenario > scenario.schema.json

      and as the first line of a panel file:

        # yaml-language-server: $schema=panel.schema.json
      """,
    options: [CommandSyntax.Option("--scenario", help: "Prints the schema of scenario files.")])

  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32 {
    perform(Diagnostics(.warning)) {
      let schema = FileSchema(kinds: kinds)
      Output.standard.write((arguments.has("--scenario") ? schema.scenario : schema.panel).lines)
      return ExitStatus.success
    }
  }
}
