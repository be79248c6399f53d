import CycleCore
import Glibc
import HardwareDrivers
import HardwarePlatform
import PanelKinds
import PanelLanguage
import PanelRecording
import Terminal

/// The command `panel`.
public enum PanelCommand {
  /// All commands, in the order of the help.
  static var commands: [any Subcommand.Type] { CommandGroup.all.flatMap(\.commands) }

  /// Reads the arguments of the process, runs the command that they name, and exits with a status of sysexits.h.
  ///
  /// - Parameter kinds: the kinds of devices that panel files can name: `KindList.standard`, or with kinds of your
  ///   own, `.standard.adding(outputs: [ColourLampKind.self])`.
  public static func main(kinds: KindList = .standard) -> Never {
    StandardStreamSetup.prepare()
    exit(run(Arguments.list, kinds: kinds))
  }

  /// Runs the command that the arguments name, in a program with its own `main`. Uses the process's standard streams.
  ///
  /// - Parameters:
  ///   - arguments: the arguments without the program's name: `["check", "doorbell.panel.yaml"]`.
  ///   - kinds: the kinds of devices that panel files can name.
  /// - Returns: the exit status, one of sysexits.h.
  public static func run(_ arguments: [String], kinds: KindList = .standard) -> Int32 {
    if let status = ReplaySubprocessMain.run(PanelRecordingEditor(kinds: kinds)) { return status }
    do throws(CommandEnd) {
      switch arguments.first {
      case nil, "-h", "--help": throw CommandEnd(help(), status: ExitStatus.success)
      case "-v", "-V", "--version": throw CommandEnd(PanelInstallation.version, status: ExitStatus.success)
      case "help": throw CommandEnd(try help(of: Array(arguments.dropFirst()), kinds), status: ExitStatus.success)
      case .some:
        let command = try command(arguments[...])
        let words = command.syntax.name.split(separator: " ").count - 1
        return try run(command, Array(arguments.dropFirst(words)), kinds)
      }
    } catch {
      error.write()
      return error.status
    }
  }

  private static func run(
    _ command: any Subcommand.Type, _ arguments: [String], _ kinds: KindList
  ) throws(CommandEnd) -> Int32 {
    command.run(try command.syntax(for: kinds).parse(arguments), kinds: kinds)
  }

  /// Finds the command at the start of the arguments: two words as in `recording print`, or one.
  private static func command(_ arguments: ArraySlice<String>) throws(CommandEnd) -> any Subcommand.Type {
    let words = Array(arguments.prefix(2))
    let name = words.first ?? ""
    if let command = commands.first(where: { $0.names == [name] || $0.names == words }) { return command }
    if let group = CommandGroup.all.first(where: { $0.word == name }) {
      guard let second = words.dropFirst().first, second != "-h", second != "--help" else {
        throw CommandEnd(group.help(), status: ExitStatus.success)
      }
      let near = command(near: second, among: group.commands).map { "; did you mean `\($0.syntax.name)`?" } ?? ""
      throw unknown("\(name) \(second)", near, see: "panel help \(name)")
    }
    if let first = name.first, first == "-" {
      throw CommandEnd("panel: unknown option \(visible(name))\nsee panel --help", status: ExitStatus.wrongUsage)
    }
    if name.hasSuffix(".yaml") || name.hasSuffix(".yml") || FileKind(following: name) == .folder {
      throw unknown(name, "; \(advice(on: name))", see: "panel --help")
    }
    // A command of a group is also found without the group's name.
    if let command = commands.first(where: { $0.names.last == name }) {
      throw unknown(name, "; did you mean `\(command.syntax.name)`?", see: "panel --help")
    }
    let known = commands.map { $0.names[0] } + ["help"]
    throw unknown(
      name, nearest(to: name, among: known).map { "; did you mean `panel \($0)`?" } ?? "", see: "panel --help")
  }

  /// The command with this last word, or the one of `group` whose last word is nearest; nil if none is near.
  private static func command(
    near word: String, among group: [any Subcommand.Type]
  ) -> (any Subcommand.Type)? {
    if let command = commands.first(where: { $0.names.last == word }) { return command }
    let near = nearest(to: word, among: group.compactMap { $0.names.last })
    return group.first { $0.names.last == near }
  }

  /// Returns the command line to type for a file or a folder.
  private static func advice(on path: String) -> String {
    if path.hasSuffix(".scenario.yaml") { return "to run this scenario, type `panel test \(visible(path))`" }
    if FileKind(following: path) == .folder { return "to run the scenarios in it, type `panel test \(visible(path))`" }
    return "to try this panel, type `panel simulate \(visible(path))`"
  }

  private static func unknown(_ words: String, _ advice: String, see help: String) -> CommandEnd {
    CommandEnd("panel: unknown command \(quoted(words))\(advice)\nsee \(help)", status: ExitStatus.wrongUsage)
  }

  // MARK: - Help

  /// The help of a command, a group or a topic.
  private static func help(of words: [String], _ kinds: KindList) throws(CommandEnd) -> String {
    let name = words.joined(separator: " ")
    if words.isEmpty || words == ["help"] { return help() }
    let group = CommandGroup.all.first { $0.word == name.lowercased() }
    if let command = commands.first(where: { $0.names == words }) {
      // `test` and `run` are both a command and a group.
      return command.syntax(for: kinds).help
        + (group.map { "\n\nCommands of the group \($0.title):\n\($0.table())" } ?? "")
    }
    if let group { return group.help() }
    if name == "exit-status" { return exitStatusHelp() }
    if let command = commands.first(where: { words.count == 1 && $0.names.last == name }) {
      return command.syntax(for: kinds).help
    }
    let known = commands.map { $0.names.joined(separator: " ") } + CommandGroup.all.map(\.word) + ["exit-status"]
    let topic =
      nearest(to: name, among: known)
      ?? command(near: words.last ?? "", among: commands)?.names.joined(separator: " ")
    let near = topic.map { "; did you mean `panel help \($0)`?" } ?? ""
    throw CommandEnd(
      "panel help: unknown topic \(quoted(name))\(near)\nsee panel --help", status: ExitStatus.wrongUsage)
  }

  static func help(columns: Int = HelpText.columns) -> String {
    let text = HelpText(columns: columns)
    let groups = CommandGroup.all.map { group in
      "\(group.title):\n" + text.table(group.commands.map { ($0.names.joined(separator: " "), $0.syntax.summary) })
    }
    return """
      \(text.paragraphs("Run hardware panels (buttons, lamps, relays, sensors and sound) that a YAML file describes."))

      Usage: panel COMMAND [OPTION]... [ARGUMENT]...

      Try it now, without any hardware:

        $ panel simulate

      \(groups.joined(separator: "\n\n"))

      Help:
      \(text.table(helpRows))
      """
  }

  private static var helpRows: [(String, String)] {
    [
      ("COMMAND --help", "Show the options of a command, with examples."),
      ("help GROUP", "List the commands of a group: \(CommandGroup.all.map(\.word).joined(separator: ", "))."),
      ("help exit-status", "List the exit statuses."), ("--version, -V", "Print the version."),
    ]
  }

  static func exitStatusHelp(columns: Int = HelpText.columns) -> String {
    let text = HelpText(columns: columns)
    let about =
      "All commands use the same exit statuses, after sysexits.h. The help of a command lists only those that mean something more specific there."
    return "\(text.paragraphs(about))\n\n\(text.table(statuses.map { ("\($0.status)", $0.meaning) }))"
  }

  /// The meanings of the exit statuses of all commands.
  static let statuses: [(status: Int32, meaning: String)] = [
    (ExitStatus.success, "The command succeeded."),
    (ExitStatus.failed, "A scenario, a comparison or another check failed."),
    (Status.notRunning, "The panel is not running."),
    (ExitStatus.wrongUsage, "The command line is wrong, or a running panel does not know the request."),
    (ExitStatus.wrongContent, "A file has an error."),
    (ExitStatus.noSuchFile, "A file does not exist."),
    (ExitStatus.unavailable, "A device or a program is missing, busy or does not answer."),
    (ExitStatus.propertyViolated, "The panel stopped because a never: rule was violated."),
    (ExitStatus.cannotWrite, "A file or standard output cannot be written."),
    (ExitStatus.undecided, "A limit was reached before there was a result."),
    (ExitStatus.notPermitted, "The user has no permission."),
    (ExitStatus.interrupted, "Ctrl-C stopped the command before it had a result."),
  ]
}

/// One of the commands of `panel`.
protocol Subcommand {
  /// The operands and options, without the options of ``ports(in:)``.
  static var syntax: CommandSyntax { get }

  /// The ports whose hardware the command uses, which has options for them: `--gpio real|simulated`. The default is
  /// none.
  static func ports(in kinds: KindList) -> [any Port.Type]

  /// Runs the command with these arguments, on files that can name these kinds. Returns the exit status.
  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32
}

extension Subcommand {
  /// The words of the command after `panel`.
  static var names: [String] { syntax.name.split(separator: " ").dropFirst().map(String.init) }

  static func ports(in kinds: KindList) -> [any Port.Type] { [] }

  /// The operands and options for panel files that can name these kinds.
  static func syntax(for kinds: KindList) -> CommandSyntax {
    let ports = ports(in: kinds)
    return ports.isEmpty ? syntax : syntax.adding(PortChoices.options(of: ports))
  }

  /// The choices of a command line for the command's ports.
  static func portOptions(
    _ arguments: ParsedArguments, _ kinds: KindList, others: PortChoice
  ) -> PortChoices {
    PortChoices(arguments, of: ports(in: kinds).map { $0.name }, others: others)
  }
}

extension CommandSyntax.Operand {
  static let panelFile = Self(
    "PANEL",
    help:
      "A panel file, a panel's name (lamp: ./lamp.panel.yaml or /etc/panel/lamp.panel.yaml), or - for standard input.")
}

extension CommandSyntax.Option {
  /// The name of a panel file that is read from standard input.
  static let fileName = Self(
    "--name", value: "FILE", "a file name",
    help: "If the panel file is -: its name in messages and for relative paths of sounds (default: standard input).")

  /// The rule for a file that a command writes besides the lines that it prints.
  static let dash = "If FILE is -, it is standard output, and all other lines go to standard error."

  static let json = Self("--json", help: "Print one JSON object per line, with the members above.")
  static let svg = Self.output(
    value: "FILE.svg", "a file whose name ends with .svg, or -",
    help: "Write a picture to this file, or to standard output with -."
  ) { $0 == "-" || $0.hasSuffix(".svg") }

  /// An option whose value is a number of seconds.
  static func seconds(_ name: String, help: String) -> Self {
    .number(name, value: "SECONDS", 1...1_000_000_000, help: help)
  }

  /// An option whose value is a duration.
  static func duration(_ name: String, value: String = "TIME", help: String) -> Self {
    Self(name, value: value, "a time such as 500ms, 12s or 2m", help: help) { (try? Quantity.duration($0)) != nil }
  }
}

extension Diagnostics {
  static let levelOption = CommandSyntax.Option(
    "--log-level", value: "error|warning|info|debug",
    help: "Minimum level of messages on standard error (default: warning)."
  ) { Level(rawValue: $0) != nil }

  /// Logs at the level of `--log-level`; by default only warnings and errors.
  init(_ arguments: ParsedArguments) {
    self.init(arguments.value(of: "--log-level").flatMap(Level.init) ?? .warning)
  }
}

/// Runs the body of a command and returns its exit status. An error of the body is written to standard error and
/// determines the status.
///
/// - Parameters:
///   - limit: evaluated at the end: the longest wait until the readers of standard output and standard error have read
///     everything; nil for no limit.
///   - body: runs the command and returns its status. All outputs are safe when it returns or throws.
func perform(
  _ diagnostics: Diagnostics, waitingAtMost limit: @autoclosure () -> Duration? = nil, _ body: () throws -> Int32
) -> Int32 {
  let status = attempt(diagnostics, body)
  let writing = Output.finish(within: limit(), diagnostics)
  return status == ExitStatus.success ? writing ?? status : status
}

/// Runs a part of a command and returns its status. Logs an error of the part and returns the status for it.
func attempt(_ diagnostics: Diagnostics, _ body: () throws -> Int32) -> Int32 {
  do {
    return try body()
  } catch let problems as Problems {
    for line in problems.lines { diagnostics.write(.error, line) }
    return problems.exitStatus
  } catch let end as CommandEnd {
    for line in end.text.split(separator: "\n") { diagnostics.write(.error, String(line)) }
    return end.status
  } catch let error as DriverError {
    diagnostics.write(.error, "panel: \(error)")
    return error.exitStatus
  } catch let error as RecordingError {
    diagnostics.write(.error, "\(error)")
    return ExitStatus.wrongContent
  } catch {
    diagnostics.write(.error, "panel: \(error)")
    return ExitStatus.failed
  }
}
