import Terminal

@testable import PanelKit

/// The page of the documentation about the commands of `panel`, made of their help.
struct CommandPage {
  /// How wide a line of text may be.
  private static let columns = 100

  var text: String {
    let groups = CommandGroup.all.map { group in
      "## \(group.title)\n\n\(group.summary)\n\n"
        + group.commands.map { command(of: $0.syntax(for: .standard)) }.joined(separator: "\n")
    }
    return """
      # Commands

      <!-- Made of the help of the commands: RECORD=1 swift test --filter CommandPageTests writes this page. -->

      This page lists all commands of `panel` with their options.
      `panel COMMAND --help` prints the same text in your terminal.
      `panel help GROUP` lists the commands of a group: \(CommandGroup.all.map { "`\($0.word)`" }.joined(separator: ", ")).

      | command | what it does |
      |---|---|
      \(CommandGroup.all.flatMap(\.commands).map { row("[`\($0.syntax.name)`](#\(anchor($0.syntax.name)))", $0.syntax.summary) }.joined(separator: "\n"))

      \(groups.joined(separator: "\n"))
      ## Exit status

      All commands use the same exit statuses.
      A command that gives one of them a more specific meaning lists it above.

      | status | meaning |
      |---|---|
      \(PanelCommand.statuses.map { row("\($0.status)", $0.meaning) }.joined(separator: "\n"))

      """
  }

  private func command(of syntax: CommandSyntax) -> String {
    var parts = ["### \(syntax.name)", wrapped(syntax.summary), block(syntax.usage)]
    if !syntax.discussion.isEmpty { parts.append(discussion(of: syntax)) }
    if !syntax.examples.isEmpty { parts.append(block(examples(of: syntax))) }
    if !syntax.operands.isEmpty {
      parts.append(table("argument", syntax.operands.map { ("`\($0.name)`", $0.help) }))
    }
    if !syntax.options.isEmpty {
      parts.append(table("option", syntax.options.map { ("`\($0.usage)`", $0.help) }))
    }
    if !syntax.statuses.isEmpty {
      parts.append(table("exit status", syntax.statuses.map { ("\($0.status)", $0.meaning) }))
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func block(_ text: String) -> String { "```sh\n\(text)\n```" }

  /// Commands as they are typed, and their output as comments.
  private func examples(of syntax: CommandSyntax) -> String {
    syntax.examples.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("$ ") { return String(line.dropFirst(2)) }
      return line.isEmpty ? "" : "# \(line)"
    }.joined(separator: "\n")
  }

  /// Paragraphs wrapped, and indented lines as blocks.
  private func discussion(of syntax: CommandSyntax) -> String {
    var parts: [String] = []
    var (paragraph, lines) = ("", [Substring]())
    func end() {
      if !paragraph.isEmpty { parts.append(wrapped(paragraph)) }
      if !lines.isEmpty { parts.append(block(lines.map { $0.dropFirst(2) }.joined(separator: "\n"))) }
      (paragraph, lines) = ("", [])
    }
    for line in syntax.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        end()
      } else if line.hasPrefix("  ") {
        lines.append(line)
      } else {
        paragraph += " \(line)"
      }
    }
    end()
    return parts.joined(separator: "\n\n")
  }

  private func wrapped(_ text: String) -> String {
    DisplayWidth.wrap(escaped(text), to: Self.columns).joined(separator: "\n")
  }

  private func table(_ title: String, _ rows: [(String, String)]) -> String {
    ["| \(title) | meaning |", "|---|---|"].joined(separator: "\n") + "\n"
      + rows.map { row($0.0, $0.1) }.joined(separator: "\n")
  }

  private func row(_ name: String, _ text: String) -> String {
    "| \(name.replacing("|", with: "\\|")) | \(escaped(text).replacing("|", with: "\\|")) |"
  }

  /// Without what Markdown reads as emphasis or as a tag, but for code in backquotes.
  private func escaped(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { place, part in
      place.isMultiple(of: 2)
        ? String(part).replacing("*", with: "\\*").replacing("_", with: "\\_").replacing("<", with: "\\<")
        : String(part)
    }.joined(separator: "`")
  }

  private func anchor(_ name: String) -> String { name.replacing(" ", with: "-") }
}
