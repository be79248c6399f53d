import ArgumentParser
import CycleCore
import Glibc
import HardwareDrivers
import HardwareLinux
import HardwareSimulation

struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a panel on simulated devices.",
    discussion: """
      In a terminal it draws the panel and takes keys for the inputs. Otherwise it reads a step a line, in virtual time:

        printf 'press bell\\nwait 10ms\\nexpect lamp=blinking\\n' | panel simulate doorbell.panel.yaml
      """)

  @Argument(help: "The panel file; the built-in sample panel without it.")
  var file: String?

  @OptionGroup
  var arguments: DeviceArguments

  func run() throws {
    let diagnostics = Diagnostics(arguments.logLevel)
    var mustNotWait = false
    try perform(diagnostics, waitingAtMost: mustNotWait ? Output.patience : nil) {
      let panel = try file.map { path throws(Problems) in try PanelFile.read(path: path) } ?? SamplePanel.read()
      let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      let devices = try Devices(
        arguments.options(gpio: .simulated, audio: .simulated), chip: panel.chipChoice,
        soundDevice: panel.audio.device, lines: PanelSession.lines(of: panel), isLive: isTerminal)
      let session = try PanelSession(panel, devices: devices, isSoundRequired: arguments.audio != nil)
      defer { mustNotWait = isTerminal || session.application.cycle.isStopRequested }
      if isTerminal, let loop = devices.bench.loop as? LinuxLoop {
        try Console(session, on: loop).run()
      } else if try !StepConsole(session, diagnostics).run() {
        throw Exit.failed
      }
    }
  }
}
