import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import Terminal

/// The command `panel`.
public enum PanelCommand {
  static let version = "0.1.0"
  private static var commands: [any Subcommand.Type] {
    [
      Run.self, Simulate.self, Test.self, Replay.self, TakeCommand.self, FilmPrintCommand.self, FilmCutCommand.self,
      FilmExportCommand.self, FilmImportCommand.self, FilmScenarioCommand.self, FilmMomentsCommand.self, Check.self,
      Prove.self, Explore.self, Draw.self, Wiring.self, Safe.self, Doctor.self, Schema.self,
      Status.self, Watch.self, Reload.self, Press.self, Turn.self, SetValue.self, Do.self, Log.self,
    ]
  }

  /// Reads the arguments of the process, runs the command in them, and exits with a status of sysexits.h.
  ///
  /// - Parameter kinds: the kinds of devices that panel files can name: ``KindList/standard``, or with kinds of your own,
  ///   `.standard.adding(outputs: [ColourLampKind.self])`.
  public static func main(kinds: KindList = .standard) -> Never {
    StandardStreams.prepare()
    exit(run(Arguments.list, kinds: kinds))
  }

  /// Does what the arguments say, for a program that has a main of its own: its standard streams are those of the process.
  ///
  /// - Parameters:
  ///   - arguments: without the program's name: `["check", "doorbell.panel.yaml"]`.
  ///   - kinds: the kinds of devices that panel files can name.
  /// - Returns: the exit status, one of sysexits.h.
  public static func run(_ arguments: [String], kinds: KindList = .standard) -> Int32 {
    if let status = TakesPlayer.run(PanelTakes(kinds: kinds)) { return status }
    do throws(CommandEnd) {
      switch arguments.first {
      case nil, "-h", "--help": throw CommandEnd(help, status: ExitStatus.success)
      case "--version": throw CommandEnd(version, status: ExitStatus.success)
      case "help" where arguments.count > 1:
        // Of a group without a second word its table is the help.
        let words = arguments.count == 2 ? [arguments[1], "--help"] : Array(arguments.dropFirst())
        throw CommandEnd(try command(words[...]).syntax.help, status: ExitStatus.success)
      case "help": throw CommandEnd(help, status: ExitStatus.success)
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
    command.run(try command.syntax.parse(arguments), kinds: kinds)
  }

  /// The command that arguments begin with: two words as in `film scenario`, or one.
  private static func command(_ arguments: ArraySlice<String>) throws(CommandEnd) -> any Subcommand.Type {
    let name = arguments.first ?? ""
    let names = commands.map { $0.syntax.name }
    let group = commands.filter { $0.syntax.name.hasPrefix("panel \(name) ") }
    let second = arguments.dropFirst().first
    if let command = group.first(where: { $0.syntax.name == "panel \(name) \(second ?? "")" }) { return command }
    if !group.isEmpty, !names.contains("panel \(name)") {
      let table = CommandSyntax.table(group.map { ($0.syntax.name, $0.syntax.summary) })
      if second == nil || second == "--help" || second == "-h" {
        throw CommandEnd(table, status: second == nil ? ExitStatus.wrongUsage : ExitStatus.success)
      }
      throw CommandEnd(
        "panel: there is no command \(quoted("\(name) \(second ?? "")"))\n\(table)", status: ExitStatus.wrongUsage)
    }
    guard let place = names.firstIndex(of: "panel \(name)") else {
      let near = nearest(to: "panel \(name)", among: names).map { "; did you mean `\($0)`?" } ?? ""
      throw CommandEnd(
        "panel: there is no command \(quoted(name))\(near)\n`panel --help` lists the commands.",
        status: ExitStatus.wrongUsage)
    }
    return commands[place]
  }

  private static var help: String {
    let rows = commands.map { ($0.syntax.name, $0.syntax.summary) }
    return """
      Runs hardware panels: buttons, lamps and sounds, described by a file.

      A first look, with nothing connected:

        panel simulate

      \(CommandSyntax.table(rows))

      `panel COMMAND --help` says more of each; `panel --version` prints the version.
      """
  }
}

/// One of the commands of `panel`.
protocol Subcommand {
  static var syntax: CommandSyntax { get }

  /// Runs the command with these arguments, on files that can name these kinds; returns the exit status.
  static func run(_ arguments: ParsedArguments, kinds: KindList) -> Int32
}

extension CommandSyntax.Operand {
  static let panelFile = Self("FILE", help: "The panel file, or the name of a panel in /etc/panel.")
}

extension Diagnostics {
  static let levelOption = CommandSyntax.Option(
    "--log-level", value: "error|warning|info|debug", help: "What is told on standard error; warning unless given."
  ) { Level(rawValue: $0) != nil }

  /// Logs at the level of `--log-level`; warnings and errors without that option.
  init(_ arguments: ParsedArguments) {
    self.init(arguments.value(of: "--log-level").flatMap(Level.init) ?? .warning)
  }
}

/// The ports of a panel.
enum PanelPorts {
  static var all: [any Port.Type] {
    [GPIOChipPort.self, SoundCardPort.self, I2CBusPort.self, NumberSourcePort.self, BrokerPort.self]
  }
  static var names: [String] { all.map { $0.name } }
}

extension Problems {
  /// The exit status of a command that ends because of these problems.
  var exitStatus: Int32 {
    switch kind {
    case .wrongContent: ExitStatus.wrongContent
    case .noSuchFile: ExitStatus.noSuchFile
    case .notPermitted: ExitStatus.notPermitted
    case .cannotWrite: ExitStatus.cannotWrite
    }
  }
}

/// Runs the body of a command and returns its exit status. An error of the body is written to standard error and
/// determines the status.
///
/// - Parameters:
///   - limit: evaluated at the end: how long to wait until the readers of standard output and standard error have read
///     everything; nil for as long as they take.
///   - body: runs the command and returns its status. All outputs are safe when it returns or throws.
func perform(
  _ diagnostics: Diagnostics, waitingAtMost limit: @autoclosure () -> Duration? = nil, _ body: () throws -> Int32
) -> Int32 {
  let status = attempt(diagnostics, body)
  let writing = Output.finish(within: limit(), diagnostics)
  return status == ExitStatus.success ? writing ?? status : status
}

/// Runs a part of a command and returns its status, and tells what it throws.
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
  } catch let error as FilmError {
    diagnostics.write(.error, "\(error)")
    return ExitStatus.wrongContent
  } catch {
    diagnostics.write(.error, "panel: \(error)")
    return ExitStatus.failed
  }
}
