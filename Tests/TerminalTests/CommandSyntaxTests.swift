import Testing

@testable import Terminal

@Suite("What a command reads from its command line")
struct CommandSyntaxTests {
  static let syntax = CommandSyntax(
    "lamp blink", "Make a lamp blink.", discussion: "It blinks until Ctrl-C.", examples: "$ lamp blink a",
    operands: [.init("FILE", help: "A file."), .init("MORE", help: "More.", .optional)],
    options: [
      .init("--fast", help: "Blink fast.", valueOption: "--speed"),
      .init("--color", short: "-c", value: "red|green", help: "The color.") { ["red", "green"].contains($0) },
      .number("--speed", value: "HERTZ", 1...20, help: "How fast."),
    ], statuses: [(1, "The lamp is broken.")])

  private func parse(_ arguments: String...) -> (operands: [String], fast: Bool, color: String?)? {
    guard let parsed = try? Self.syntax.parse(arguments) else { return nil }
    return (parsed.operands, parsed.has("--fast"), parsed.value(of: "--color"))
  }

  private func end(_ arguments: String...) -> CommandEnd? {
    do throws(CommandEnd) {
      _ = try Self.syntax.parse(arguments)
      return nil
    } catch {
      return error
    }
  }

  @Test("operands and options in any order, a value after a blank or after =, the last one counts")
  func values() throws {
    let before = try #require(parse("--fast", "--color", "red", "a", "b"))
    #expect(before == (["a", "b"], true, "red"))
    let after = try #require(parse("a", "--color=red", "--color=green"))
    #expect(after == (["a"], false, "green"))
    #expect(try #require(parse("-c", "red", "a")) == (["a"], false, "red"))
  }

  @Test("after -- everything is an operand, and so is a single hyphen")
  func operands() throws {
    #expect(try #require(parse("--", "--fast", "-h")) == (["--fast", "-h"], false, nil))
    #expect(try #require(parse("-")) == (["-"], false, nil))
  }

  @Test("a command that passes arguments on has those after -- apart from its operands")
  func rest() throws {
    let syntax = CommandSyntax("lamp log", "Log.", operands: [.init("NAME", help: "A name.")], passesRest: true)
    let parsed = try syntax.parse(["a", "--", "-f", "--help"])
    #expect(parsed.operands == ["a"] && parsed.rest == ["-f", "--help"])
    #expect(syntax.usage == "lamp log NAME [-- ARGUMENT...]")
  }

  @Test(
    "a wrong command line is one line with the reason and one with the help, with the status of wrong usage",
    arguments: [
      ([], "FILE is missing"),
      (["a", "b", "c"], "unexpected argument \"c\""),
      (["a", "b", "--fast", "c"], "unexpected argument \"c\"; --fast takes no value"),
      (["a", "--fast", "12"], "--fast takes no value; did you mean --speed 12?"),
      (["a", "--fast=12"], "--fast takes no value; did you mean --speed 12?"),
      (["a", "--quick"], "unknown option --quick"),
      (["a", "--colour=red"], "unknown option --colour; did you mean --color?"),
      (["a", "-x"], "unknown option -x"),
      (["a", "--fast=yes"], "--fast takes no value"),
      (["a", "--color"], "--color needs a value: red|green, red or green"),
      (["a", "--color", "--fast"], "--color must be red or green, not \"--fast\""),
      (["a", "--speed", "abc"], "--speed must be a whole number from 1 to 20, not \"abc\""),
      (["a", "--speed", "+1"], "--speed must be a whole number from 1 to 20, not \"+1\""),
      (["a", "--speed"], "--speed needs a value: HERTZ, a whole number from 1 to 20"),
      (["a", "--\u{1B}[2J"], "unknown option --\\u{1b}[2J"),
    ] as [([String], String)])
  func wrong(_ arguments: [String], _ text: String) {
    do throws(CommandEnd) {
      _ = try Self.syntax.parse(arguments)
      Issue.record("\(arguments) was understood")
    } catch {
      #expect(error.status == 64)
      #expect(error.text == "lamp blink: \(text)\nsee lamp blink --help")
    }
  }

  @Test("help is no mistake, wherever it is asked for", arguments: ["-h", "--help"])
  func help(_ option: String) {
    let end = end("--fast", option)
    #expect(end?.status == 0)
    #expect(
      end?.text == """
        Make a lamp blink.

        Usage: lamp blink [OPTION]... FILE [MORE]

        It blinks until Ctrl-C.

        Examples:

          $ lamp blink a

        Arguments:
          FILE  A file.
          MORE  More.

        Options:
          --fast                 Blink fast.
          -c, --color red|green  The color.
          --speed HERTZ          How fast.
          -h, --help             Print this help.

        Exit status:
          1  The lamp is broken.
        """)
  }

  @Test(
    "no line of the help is wider than the terminal where its words are not; examples stay as they are",
    arguments: [60, 80, 100])
  func width(columns: Int) {
    let text = String(repeating: "word ", count: 40)
    let long = CommandSyntax(
      "lamp", text, discussion: "\(text)\n\n\(text)", examples: "$ \(text)",
      options: (0..<9).map { .init("--option-\($0)", value: "VALUE", help: text) })
    let lines = long.help(columns: columns).split(separator: "\n")
    #expect(lines.count > 30)
    #expect(lines.filter { $0.count > columns } == ["  $ \(text)"])
    #expect(lines.contains { $0.count > columns - 6 })
  }
}
