import Testing

@testable import Terminal

@Suite("What a command reads from its command line")
struct CommandSyntaxTests {
  static let syntax = CommandSyntax(
    "lamp blink", "Blinks.", operands: [.init("FILE", help: "A file."), .init("MORE", help: "More.", .optional)],
    options: [
      .init("--fast", help: "Blinks fast."),
      .init("--color", value: "red|green", help: "Its color.") { ["red", "green"].contains($0) },
    ])

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
  }

  @Test("an option whose value is optional has it behind = only")
  func optionalValue() throws {
    let syntax = CommandSyntax(
      "lamp", "Lights.", operands: [.init("FILE", help: "A file.")],
      options: [.init("--dim", value: "PERCENT", help: "Is dim.", isValueOptional: true) { Int($0) != nil }])
    let without = try syntax.parse(["--dim", "a"])
    #expect(without.has("--dim"))
    #expect(without.value(of: "--dim") == "")
    #expect(without.operands == ["a"])
    #expect(try syntax.parse(["--dim=30", "a"]).value(of: "--dim") == "30")
    #expect(syntax.usage == "usage: lamp [--dim[=PERCENT]] FILE")
    #expect {
      try syntax.parse(["--dim=half", "a"])
    } throws: {
      ($0 as? CommandEnd)?.text.hasPrefix("lamp: --dim takes PERCENT, not \"half\"") == true
    }
  }

  @Test("after -- everything is an operand, and so is a single hyphen")
  func operands() throws {
    #expect(try #require(parse("--", "--fast", "-h")) == (["--fast", "-h"], false, nil))
    #expect(try #require(parse("-")) == (["-"], false, nil))
  }

  @Test(
    "what is wrong is said, with the status of wrong usage",
    arguments: [
      ([], "FILE is missing"),
      (["a", "b", "c"], "\"c\" is too much"),
      (["a", "--quick"], "there is no option --quick"),
      (["a", "--colour=red"], "there is no option --colour; did you mean --color?"),
      (["a", "-x"], "there is no option -x"),
      (["a", "--fast=yes"], "--fast takes no value"),
      (["a", "--color"], "--color needs a value: red|green"),
      (["a", "--color", "--fast"], "--color takes red|green, not \"--fast\""),
      (["a", "--\u{1B}[2J"], "there is no option --\\u{1b}[2J"),
    ] as [([String], String)])
  func wrong(_ arguments: [String], _ text: String) {
    do throws(CommandEnd) {
      _ = try Self.syntax.parse(arguments)
      Issue.record("\(arguments) was understood")
    } catch {
      #expect(error.status == 64)
      #expect(error.text.hasPrefix("lamp blink: \(text)\nusage: lamp blink [--fast] [--color red|green] FILE [MORE]\n"))
    }
  }

  @Test("help is no mistake, wherever it is asked for", arguments: ["-h", "--help"])
  func help(_ option: String) {
    let end = end("--fast", option)
    #expect(end?.status == 0)
    #expect(
      end?.text == """
        Blinks.

        usage: lamp blink [--fast] [--color red|green] FILE [MORE]

          FILE               A file.
          MORE               More.
          --fast             Blinks fast.
          --color red|green  Its color.
          -h, --help         Prints this.
        """)
  }

  @Test("no line of the help is wider than 80 columns where its words are not")
  func width() {
    let long = CommandSyntax(
      "lamp", "Blinks.",
      options: (0..<9).map { .init("--option-\($0)", value: "VALUE", help: String(repeating: "word ", count: 40)) })
    let lines = long.help.split(separator: "\n")
    #expect(lines.count > 30)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
