import CycleCore

/// The operands and options of a command. Parses its command line, and makes its help.
///
/// It follows the conventions of `getopt_long(3)`: operands and options in any order, `--option value` and
/// `--option=value`. `--` precedes operands that begin with `-` and are not numbers. If an option is given twice, its
/// last value counts. `-h` and `--help` print ``help``.
package struct CommandSyntax: Sendable {
  /// An argument without an option's name, such as a file.
  package struct Operand: Sendable {
    package enum Count: Sendable { case one, optional, oneOrMore, any }

    package var name: String
    package var help: String
    var count: Count

    package init(_ name: String, help: String, _ count: Count = .one) {
      self.name = name
      self.help = help
      self.count = count
    }

    var usage: String {
      switch count {
      case .one: name
      case .optional: "[\(name)]"
      case .oneOrMore: "\(name)..."
      case .any: "[\(name)...]"
      }
    }
  }

  package struct Option: Sendable {
    /// The name with its two hyphens.
    package let name: String
    /// A hyphen and a letter that can be typed instead of the name; nil for none.
    let short: String?
    /// The name of its value's type in the help, such as `SECONDS`, or the allowed words; nil for an option without a
    /// value.
    let value: String?
    /// The description of a value, for the message about a wrong one: `a whole number above 0`.
    let expectation: String
    package let help: String
    /// Whether all its values count if it is given several times.
    let isRepeatable: Bool
    let accepts: @Sendable (String) -> Bool
    /// If this option has no value: the option that takes the value which users write after this one by mistake.
    let valueOption: String?

    /// - Parameters:
    ///   - value: the name of the value's type, such as `SECONDS`, or the allowed words, such as `auto|light|dark`; nil
    ///     for an option without a value.
    ///   - expectation: the description of a value, for messages; default: made from `value`.
    ///   - valueOption: for an option without a value: the option whose value a user could write after it by mistake.
    package init(
      _ name: String, short: String? = nil, value: String? = nil, _ expectation: String? = nil, help: String,
      isRepeatable: Bool = false, valueOption: String? = nil,
      accepts: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
      self.name = name
      self.short = short
      self.value = value
      self.expectation = expectation ?? Self.expectation(of: value ?? "")
      self.help = help
      self.isRepeatable = isRepeatable
      self.valueOption = valueOption
      self.accepts = accepts
    }

    /// Makes an option whose value is a whole number.
    package static func number(
      _ name: String, value: String, _ numbers: ClosedRange<Int>, help: String
    ) -> Self {
      let expectation =
        numbers.upperBound >= 1_000_000_000
        ? "a whole number above \(numbers.lowerBound - 1)"
        : "a whole number from \(numbers.lowerBound) to \(numbers.upperBound)"
      return Self(name, value: value, expectation, help: help) { text in
        Int(text).map { numbers.contains($0) && text.utf8.first != 0x2B } ?? false
      }
    }

    /// Makes the option `-o, --output FILE`.
    package static func output(
      value: String = "FILE", _ expectation: String? = nil, help: String,
      accepts: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> Self {
      Self("--output", short: "-o", value: value, expectation, help: help, accepts: accepts)
    }

    private static func expectation(of value: String) -> String {
      let words = value.split(separator: "|").map(String.init)
      if words.count > 1 { return alternatives(words) }
      switch value {
      case "FILE": return "the path of a file"
      case "FOLDER": return "the path of a folder"
      default: return value
      }
    }

    /// The option in the help: `-o, --output FILE`.
    package var usage: String { "\(short.map { "\($0), " } ?? "")\(name)\(value.map { " \($0)" } ?? "")" }
  }

  /// The command as the user types it: `panel run`.
  package var name: String
  /// A summary in one sentence.
  package var summary: String
  /// More sentences for the help, in paragraphs separated by empty lines. The help wraps them.
  package var discussion: String
  /// Lines that a user can type, with short output below them. They are not wrapped.
  package var examples: String
  package var operands: [Operand]
  package var options: [Option]
  /// The exit statuses with a different meaning than in the table that all commands share.
  package var statuses: [(status: Int32, meaning: String)]
  /// Whether arguments after `--` are passed to another program: ``ParsedArguments/rest``.
  private var passesRest: Bool

  package init(
    _ name: String, _ summary: String, discussion: String = "", examples: String = "", operands: [Operand] = [],
    options: [Option] = [], statuses: [(status: Int32, meaning: String)] = [], passesRest: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.operands = operands
    self.options = options
    self.statuses = statuses
    self.passesRest = passesRest
  }

  /// Reads a command line.
  ///
  /// - Throws: a ``CommandEnd``: the help with status 0 if the arguments request it, or the error in them with status
  ///   64.
  package func parse(_ arguments: [String]) throws(CommandEnd) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    var takesOptions = true
    // The option without a value before the current argument.
    var before: Option?
    var unexpected: CommandEnd?
    while let argument = rest.popFirst() {
      guard takesOptions, argument.hasPrefix("-"), argument != "-", !Self.isNumber(argument) else {
        parsed.operands.append(argument)
        if unexpected == nil, !hasPlace(forOperand: parsed.operands.count - 1) {
          let place = before.map { "; \($0.name) takes no value" } ?? ""
          unexpected = misuse("unexpected argument \(quoted(argument))\(place)")
        }
        before = nil
        continue
      }
      switch argument {
      case "--" where passesRest:
        parsed.rest = Array(rest)
        rest = []
      case "--": takesOptions = false
      case "-h", "--help": throw CommandEnd(help, status: 0)
      default: before = try parseOption(argument, &rest, &parsed)
      }
    }
    if let unexpected { throw unexpected }
    let needed = operands.filter { $0.count != .optional && $0.count != .any }
    if parsed.operands.count < needed.count { throw misuse("\(needed[parsed.operands.count].name) is missing") }
    return parsed
  }

  /// Whether an argument is a negative number, such as `-3`. No option has such a name.
  private static func isNumber(_ argument: String) -> Bool {
    argument.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
  }

  private func hasPlace(forOperand place: Int) -> Bool {
    if let last = operands.last?.count, last == .oneOrMore || last == .any { return true }
    return place < operands.count
  }

  /// - Returns: the option, if it has no value.
  private func parseOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments
  ) throws(CommandEnd) -> Option? {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = options.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
      let near = nearest(to: parts[0], among: options.map(\.name)).map { "; did you mean \($0)?" } ?? ""
      throw misuse("unknown option \(visible(parts[0]))\(near)")
    }
    guard let kind = option.value else {
      if let wrong = parts.count == 2 ? parts[1] : rest.first {
        let valueOption = options.first { $0.name == option.valueOption }
        if let valueOption, valueOption.accepts(wrong) {
          throw misuse("\(option.name) takes no value; did you mean \(valueOption.name) \(visible(wrong))?")
        }
        if parts.count == 2 { throw misuse("\(option.name) takes no value") }
      }
      parsed.values[option.name] = [""]
      return option
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw misuse(
        "\(option.name) needs a value: \(option.expectation == kind ? kind : "\(kind), \(option.expectation)")")
    }
    guard option.accepts(value) else {
      throw misuse("\(option.name) must be \(option.expectation), not \(quoted(value))")
    }
    parsed.values[option.name] = (option.isRepeatable ? parsed.values(of: option.name) : []) + [value]
    return nil
  }

  /// The same command with more options, after its own.
  package func adding(_ options: [Option]) -> CommandSyntax {
    var syntax = self
    syntax.options += options
    return syntax
  }

  /// Returns the end of a command that was used incorrectly: `EX_USAGE` of sysexits.h.
  package func misuse(_ text: String) -> CommandEnd {
    CommandEnd("\(name): \(text)\nsee \(name) --help", status: 64)
  }

  /// Throws if the command line has two options that cannot be combined: one of them would be ignored.
  package func refuse(_ one: String, with other: String, in arguments: ParsedArguments) throws(CommandEnd) {
    if arguments.has(one), arguments.has(other) {
      throw misuse("\(one) and \(other) cannot be combined; omit one of them")
    }
  }

  // MARK: - Usage and help

  /// The usage line: `panel check [OPTION]... FILE...`.
  package var usage: String {
    ([name] + (options.isEmpty ? [] : ["[OPTION]..."]) + operands.map(\.usage)
      + (passesRest ? ["[-- ARGUMENT...]"] : []))
      .joined(separator: " ")
  }

  package var help: String { help(columns: HelpText.columns) }

  package func help(columns: Int) -> String {
    let text = HelpText(columns: columns)
    var parts = [text.paragraphs(summary), "Usage: \(usage)"]
    if !discussion.isEmpty { parts.append(text.paragraphs(discussion)) }
    if !examples.isEmpty { parts.append("Examples:\n\n\(HelpText.indented(examples))") }
    if !operands.isEmpty { parts.append("Arguments:\n" + text.table(operands.map { ($0.name, $0.help) })) }
    parts.append("Options:\n" + text.table(options.map { ($0.usage, $0.help) } + [("-h, --help", "Print this help.")]))
    if !statuses.isEmpty {
      parts.append("Exit status:\n" + text.table(statuses.map { ("\($0.status)", $0.meaning) }))
    }
    return parts.joined(separator: "\n\n")
  }
}

/// The operands and the values of the options on a command line.
package struct ParsedArguments: Sendable {
  package fileprivate(set) var operands: [String] = []
  /// The arguments after `--`, if the command passes them to another program.
  package fileprivate(set) var rest: [String] = []
  /// The values by the options' names; an empty text for an option without a value.
  fileprivate var values: [String: [String]] = [:]

  package init() {}

  /// Whether the option was given.
  package func has(_ option: String) -> Bool { values[option] != nil }

  /// Returns the value of the option; nil if it was not given.
  package func value(of option: String) -> String? { values[option]?.last }

  /// Returns all values of a repeatable option, in their order.
  package func values(of option: String) -> [String] { values[option] ?? [] }
}

/// Ends a command with a text: its help, or the error in its command line.
package struct CommandEnd: Error {
  package let text: String
  /// The exit status: 0, or a status of sysexits.h.
  package let status: Int32

  package init(_ text: String, status: Int32) {
    self.text = text
    self.status = status
  }

  /// Writes the text to standard output, or to standard error if the status is not 0.
  package func write() {
    let writer = status == 0 ? Output.standard : Output.errors
    writer.write("\(text)\n")
    writer.flush(within: nil)
  }
}
