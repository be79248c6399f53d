/// The operands and options of a command: parses its command line, and makes its help.
///
/// After the conventions of `getopt_long(3)`: operands and options in any order, `--option value` and `--option=value`, `--` before
/// operands that begin with `-` and are no number. An option that is given twice has its last value. `-h` and `--help` print ``help``.
package struct CommandSyntax: Sendable {
  /// An argument without an option's name, such as a file.
  package struct Operand: Sendable {
    package enum Count: Sendable { case one, optional, oneOrMore, any }

    var name: String
    var help: String
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
    /// With its two hyphens.
    package let name: String
    /// What its value may be, in the words of the help; nil for an option without a value.
    var value: String?
    /// Whether the option may be without its value, which is then given as `--option=value` only.
    var isValueOptional: Bool
    var help: String
    /// Whether each of its values counts when it is given several times.
    var isRepeatable: Bool
    var accepts: @Sendable (String) -> Bool

    package init(
      _ name: String, value: String? = nil, help: String, isValueOptional: Bool = false,
      isRepeatable: Bool = false,
      accepts: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
      self.name = name
      self.value = value
      self.isValueOptional = isValueOptional
      self.help = help
      self.isRepeatable = isRepeatable
      self.accepts = accepts
    }

    var usage: String { value.map { isValueOptional ? "\(name)[=\($0)]" : "\(name) \($0)" } ?? name }
  }

  /// The command as the user types it: `panel run`.
  package var name: String
  /// One sentence.
  package var summary: String
  /// More text for the help, with an example.
  package var discussion: String
  var operands: [Operand]
  var options: [Option]

  package init(
    _ name: String, _ summary: String, discussion: String = "", operands: [Operand] = [], options: [Option] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    self.options = options
  }

  /// Reads a command line.
  ///
  /// - Throws: a ``CommandEnd``: with status 0 and the help if the arguments ask for it, or with what is wrong with
  ///   them, status 64.
  package func parse(_ arguments: [String]) throws(CommandEnd) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    var takesOptions = true
    while let argument = rest.popFirst() {
      guard takesOptions, argument.hasPrefix("-"), argument != "-", !Self.isNumber(argument) else {
        parsed.operands.append(argument)
        continue
      }
      switch argument {
      case "--": takesOptions = false
      case "-h", "--help": throw CommandEnd(help, status: 0)
      default: try parseOption(argument, &rest, &parsed)
      }
    }
    try check(parsed.operands)
    return parsed
  }

  /// Whether an argument is a negative number, as `-3`: no option is called so.
  private static func isNumber(_ argument: String) -> Bool {
    argument.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
  }

  private func parseOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments
  ) throws(CommandEnd) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = options.first(where: { $0.name == parts[0] }) else {
      let near = nearest(to: parts[0], among: options.map(\.name)).map { "; did you mean \($0)?" } ?? ""
      throw misuse("there is no option \(visible(parts[0]))\(near)")
    }
    guard let choices = option.value else {
      guard parts.count == 1 else { throw misuse("\(option.name) takes no value") }
      parsed.values[option.name] = [""]
      return
    }
    if option.isValueOptional, parts.count == 1 {
      parsed.values[option.name] = [""]
      return
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw misuse("\(option.name) needs a value: \(choices)")
    }
    guard option.accepts(value) else { throw misuse("\(option.name) takes \(choices), not \(quoted(value))") }
    parsed.values[option.name] = (option.isRepeatable ? parsed.values(of: option.name) : []) + [value]
  }

  private func check(_ given: [String]) throws(CommandEnd) {
    let needed = operands.filter { $0.count != .optional && $0.count != .any }
    if given.count < needed.count { throw misuse("\(needed[given.count].name) is missing") }
    if let last = operands.last?.count, last == .oneOrMore || last == .any { return }
    if given.count > operands.count { throw misuse("\(quoted(given[operands.count])) is too much") }
  }

  /// The end of a command that was used in a wrong way: `EX_USAGE` of sysexits.h.
  package func misuse(_ text: String) -> CommandEnd {
    CommandEnd("\(name): \(text)\n\(usage)\n`\(name) --help` says more.", status: 64)
  }

  // MARK: - Usage and help

  var usage: String {
    let words = options.map { "[\($0.usage)]" } + operands.map(\.usage)
    return "usage: " + Self.wrapped([name] + words, indentation: "         ")
  }

  package var help: String {
    let rows =
      operands.map { ($0.name, $0.help) } + options.map { ($0.usage, $0.help) } + [("-h, --help", "Prints this.")]
    let about = [summary, discussion].filter { !$0.isEmpty }.joined(separator: "\n\n")
    return "\(about)\n\n\(usage)\n\n\(Self.table(rows))"
  }

  /// Two columns, the second wrapped.
  package static func table(_ rows: [(String, String)]) -> String {
    let width = min(24, rows.map(\.0.count).max() ?? 0)
    let indentation = String(repeating: " ", count: width + 4)
    return rows.map { name, help in
      let text = wrapped(help.split(separator: " ").map(String.init), indentation: indentation)
      return name.count > width
        ? "  \(name)\n\(indentation)\(text)"
        : "  \(name)\(String(repeating: " ", count: width - name.count))  \(text)"
    }.joined(separator: "\n")
  }

  /// The words with spaces between them, in lines of 80 columns, the lines after the first one indented.
  private static func wrapped(_ words: [String], indentation: String) -> String {
    var text = ""
    var column = indentation.count
    for word in words {
      if text.isEmpty {
        text = word
      } else if column + 1 + word.count > 80 {
        text += "\n\(indentation)\(word)"
        column = indentation.count
      } else {
        text += " \(word)"
        column += 1
      }
      column += word.count
    }
    return text
  }
}

/// The operands and the values of the options on a command line.
package struct ParsedArguments: Sendable {
  package fileprivate(set) var operands: [String] = []
  /// By the options' names; empty text for an option without a value.
  fileprivate var values: [String: [String]] = [:]

  package init() {}

  /// Whether the option was given.
  package func has(_ option: String) -> Bool { values[option] != nil }

  /// The value that the option was given; nil without the option.
  package func value(of option: String) -> String? { values[option]?.last }

  /// All values of a repeatable option, in their order.
  package func values(of option: String) -> [String] { values[option] ?? [] }
}

/// Ends a command with a text: its help, or what is wrong with its command line.
package struct CommandEnd: Error {
  package let text: String
  /// 0, or a status of sysexits.h.
  package let status: Int32

  package init(_ text: String, status: Int32) {
    self.text = text
    self.status = status
  }

  /// Writes the text to standard output; to standard error if the status is not 0.
  package func write() {
    let writer = status == 0 ? Output.standard : Output.errors
    writer.write("\(text)\n")
    writer.flush(within: nil)
  }
}
