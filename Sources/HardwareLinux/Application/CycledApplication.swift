import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation

/// An application as a program: takes its devices from the command line and runs until one of the signals
/// of ``StopSignals``.
///
///     @main
///     struct Doorbell: CycledApplication {
///       static func makeCycle(on devices: Devices) throws(DriverError) -> any Application<Bell> {
///         Cycle(seed: Bell()) {
///           Lens(Button(devices.chip, line: "GPIO17"), on: { frame, event in ... })
///           Lens(LED(devices.chip, line: "GPIO23"), show: { ... })
///         }
///       }
///     }
///
/// The program takes `--gpio real|simulated` and `--audio real|simulated|FILE.wav`, both real unless told otherwise, and ends with
/// the statuses of sysexits.h: 0 after a signal, 64 for wrong usage, 69 where a device is not there or busy, 77 without permission.
public protocol CycledApplication {
  associatedtype Frame: Equatable

  /// The application on its devices.
  static func makeCycle(on devices: Devices) throws(DriverError) -> any Application<Frame>
  /// The real chip that its lines are on; found by itself unless given.
  static var chip: LinuxGPIO.ChipChoice { get }
  /// The real PCM that it plays on; ALSA's default unless given.
  static var soundDevice: String { get }
}

extension CycledApplication {
  public static var chip: LinuxGPIO.ChipChoice { .auto }
  public static var soundDevice: String { "default" }

  public static func main() {
    StandardStreams.prepare()
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs with these arguments: the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    let options: DeviceOptions
    switch parse(arguments) {
    case .success(let parsed): options = parsed
    case .failure(let usage):
      tell(usage.text, to: usage.status == 0 ? STDOUT_FILENO : STDERR_FILENO)
      return usage.status
    }
    do throws(DriverError) {
      let devices = try Devices(options, chip: chip, soundDevice: soundDevice, isLive: true)
      guard let loop = devices.bench.loop as? LinuxLoop else { preconditionFailure("a program runs in real time") }
      let cycle = try makeCycle(on: devices)
      let signals = try StopSignals(on: loop) { _ in cycle.requestStop() }
      defer { signals.end() }
      try devices.bench.run(cycle)
      defer { devices.bench.stop() }
      while !cycle.isStopRequested { try devices.bench.step(until: nil) }
      return 0
    } catch {
      tell("\(error)", to: STDERR_FILENO)
      return error.exitStatus
    }
  }

  private static func parse(_ arguments: [String]) -> Result<DeviceOptions, Usage> {
    var options = DeviceOptions()
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" { return .failure(Usage(status: 0)) }
      guard let value = rest.popFirst() else { return .failure(Usage(status: 64, wrong: "\(option) needs a value")) }
      switch option {
      case "--gpio":
        guard let gpio = DeviceOptions.GPIO(argument: value) else {
          return .failure(Usage(status: 64, wrong: "--gpio takes real or simulated, not \(value)"))
        }
        options.gpio = gpio
      case "--audio":
        guard let audio = DeviceOptions.Audio(argument: value) else {
          return .failure(Usage(status: 64, wrong: "--audio takes real, simulated or a .wav file, not \(value)"))
        }
        options.audio = audio
      default: return .failure(Usage(status: 64, wrong: "there is no option \(option)"))
      }
    }
    return .success(options)
  }

  private static func tell(_ text: String, to descriptor: Int32) {
    var line = "\(text)\n"
    line.withUTF8 { bytes in _ = write(descriptor, bytes.baseAddress, bytes.count) }
  }
}

/// How to call the program, and what was wrong with how it was called.
private struct Usage: Error {
  var status: Int32
  var wrong: String?

  init(status: Int32, wrong: String? = nil) {
    self.status = status
    self.wrong = wrong
  }

  var text: String {
    let usage = "usage: [--gpio real|simulated] [--audio real|simulated|FILE.wav]"
    return wrong.map { "\($0)\n\(usage)" } ?? usage
  }
}
