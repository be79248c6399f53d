import ArgumentParser
import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

/// The command `panel`.
public struct PanelCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "panel",
    abstract: "Runs hardware panels: buttons, lamps and sounds, described by a file.",
    discussion: """
      A first look, with nothing connected:

        panel simulate
      """,
    version: "0.1.0",
    subcommands: [Run.self, Simulate.self, Test.self, Check.self, Safe.self])

  public init() {}

  /// Reads the arguments of the process, does what they say, and ends the process with one of the statuses of sysexits.h.
  public static func main() {
    StandardStreams.prepare()
    main(Arguments.list)
  }
}

/// What all commands that put a panel on devices take.
struct DeviceArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The GPIO chip: real or simulated.", valueName: "real|simulated"))
  var gpio: GPIO?

  @Option(
    help: ArgumentHelp(
      "The sound card: real, simulated, or a WAV file to write. A file that is there is replaced, also where a link leads.",
      valueName: "real|simulated|FILE.wav")
  )
  var audio: Audio?

  @Option(help: ArgumentHelp("What is told on standard error: error, warning, info or debug.", valueName: "level"))
  var logLevel = Diagnostics.Level.warning

  struct GPIO: ExpressibleByArgument {
    var choice: DeviceOptions.GPIO
    init?(argument: String) {
      guard let choice = DeviceOptions.GPIO(argument: argument) else { return nil }
      self.choice = choice
    }
    static let allValueStrings = ["real", "simulated"]
  }

  struct Audio: ExpressibleByArgument {
    var choice: DeviceOptions.Audio
    init?(argument: String) {
      // A file is made under a name in UTF-8.
      guard PathBytes.bytes(of: argument) == Array(argument.utf8) else { return nil }
      guard let choice = DeviceOptions.Audio(argument: argument) else { return nil }
      self.choice = choice
    }
  }

  func options(gpio: DeviceOptions.GPIO, audio: DeviceOptions.Audio) -> DeviceOptions {
    DeviceOptions(gpio: self.gpio?.choice ?? gpio, audio: self.audio?.choice ?? audio)
  }
}

extension Diagnostics.Level: ExpressibleByArgument {}

/// How a command ends, after sysexits.h.
enum Exit {
  static let failed = ExitCode(1)
  static let wrongFile = ExitCode(65)
  static let noSuchFile = ExitCode(66)
  static let cannotWrite = ExitCode(74)
  static let notPermitted = ExitCode(77)
}

extension Problems {
  /// The status that a command ends with because of these.
  var exit: ExitCode {
    switch kind {
    case .wrongContent: Exit.wrongFile
    case .noSuchFile: Exit.noSuchFile
    case .notPermitted: Exit.notPermitted
    }
  }
}

/// Does what a command does; what goes wrong is told on standard error and becomes its exit status.
///
/// - Parameters:
///   - limit: evaluated at the end: how long to wait until what has been told is read. Nil waits as long as the reader takes.
///   - body: what the command does. All outputs are safe when it returns or throws.
func perform(
  _ diagnostics: Diagnostics, waitingAtMost limit: @autoclosure () -> Duration? = nil, _ body: () throws -> Void
) throws {
  var status: ExitCode?
  do {
    try body()
  } catch let problems as Problems {
    for line in problems.lines { diagnostics.write(.error, line) }
    status = problems.exit
  } catch let error as DriverError {
    diagnostics.write(.error, "panel: \(error)")
    status = ExitCode(error.exitStatus)
  } catch let exit as ExitCode {
    status = exit
  }
  let writing = Output.finish(within: limit(), diagnostics)
  if let status = status ?? writing { throw status }
}
