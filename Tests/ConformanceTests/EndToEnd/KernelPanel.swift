import CycleCore
import Glibc
import TestSupport

@testable import HardwareDrivers
@testable import HardwareSimulation
@testable import PanelKinds
@testable import PanelLanguage
@testable import PanelRun

/// `panel run` as a process of its own, on lines of the kernel's simulator and on the loopback card.
final class KernelPanel {
  static let isThere = SimulatorChip.isThere && KernelSoundStand.isThere

  let file: String
  let panel: PanelDefinition
  private let chip: SimulatorChip
  private let trace: LineTrace
  private(set) var process: PanelProcess?

  /// Every input is at rest, every output where it is dark. Nothing runs yet.
  /// - Parameter file: the panel file: a path from the checkout's root, or one that begins with a slash.
  init(_ file: String) throws {
    self.file = file
    panel = try PanelFile.read(
      path: file.hasPrefix("/") ? file : "\(checkoutRoot)/\(file)", kinds: .standard, checkSound: SoundFileCheck.finding
    )
    chip = try SimulatorChip()
    for input in panel.inputs {
      let atRest = Self.contact(of: input)?.active.opposite ?? .high
      for line in input.device.lines { try chip.drive(Self.number(line), atRest) }
    }
    for output in panel.outputs {
      for line in Self.lines(of: output) { try chip.drive(line, Self.active(output).opposite) }
    }
    trace = try LineTrace()
  }

  static func number(_ line: String) -> Int { Int(line.dropFirst("GPIO".count)) ?? -1 }

  /// Its lines on the simulator's chip.
  static func lines(of output: PanelDefinition.Output) -> [Int] {
    output.device.lines.filter { $0.hasPrefix("GPIO") }.map(number)
  }

  /// The line of a button or a switch and its level when it is pressed or on; nil for another input.
  private static func contact(of input: PanelDefinition.Input) -> (line: String, active: Level)? {
    switch input.device {
    case let button as ButtonKind: (button.line, Level(button.settings.contact.active))
    case let contact as SwitchKind: (contact.line, Level(contact.contact.active))
    default: nil
    }
  }

  /// The level of an output's lines when it is lit or closed.
  private static func active(_ output: PanelDefinition.Output) -> Level {
    switch output.device {
    case let led as LEDKind: Level(led.active)
    case let bar as BarKind: Level(bar.active)
    case let relay as RelayKind: Level(relay.active)
    default: .high
    }
  }

  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// A process on a real kernel lives in real time: what is waited for here is a panel that runs beside this test.
  static func sleep(_ span: Duration) {
    let end = now + span
    usleep(UInt32(clamping: span.wholeNanoseconds / 1000))
    Pace.note(end, endedAt: now)
  }

  // MARK: - The process

  /// Starts the command and waits until it runs.
  ///
  /// - Parameter options: those that it gets besides.
  func start(_ options: [String] = []) throws {
    let process = PanelProcess(["run", "--log-level", "info", file] + options, environment: ["ALSA_CARD=Loopback"])
    self.process = process
    // Events of the start, such as a servo's arrival, may come first.
    for _ in 0..<20 {
      let line = process.readErrorLine()
      if line.hasPrefix("\(panel.name): running: ") { return }
      guard line.hasPrefix("\(panel.name): ") else { throw StandFailure("panel run says: \(line)") }
    }
    throw StandFailure("panel run does not say that it runs")
  }

  /// Ends the command by a signal.
  func end(_ signal: Int32 = SIGTERM) -> PanelProcess.Result? {
    defer { process = nil }
    process?.send(signal)
    return process?.finish()
  }

  /// Gives back everything.
  func close() throws {
    _ = end(SIGKILL)
    if try chip.isPlugged { try chip.unplug() }
  }

  // MARK: - Its lines

  /// Closes or opens a button's or a switch's contact, which bounces so long.
  func move(_ input: Int, toClosed isClosed: Bool, bounce: Duration = .zero) throws {
    guard let (line, active) = Self.contact(of: panel.inputs[input]) else {
      throw StandFailure("\(panel.inputs[input].name) is no contact")
    }
    let level = isClosed ? active : active.opposite
    if bounce > .zero {
      for _ in 0..<3 {
        try chip.drive(Self.number(line), level)
        Self.sleep(bounce / 6)
        try chip.drive(Self.number(line), level.opposite)
        Self.sleep(bounce / 6)
      }
    }
    try chip.drive(Self.number(line), level)
  }

  /// What was done to each output so far, in the order of the file: whether its lines were set active.
  func history() throws -> [OutputHistory] {
    let changes = try trace.changes()
    return panel.outputs.map { output in
      let lines = Self.lines(of: output)
      return OutputHistory(
        lines: lines,
        changes: changes.filter { lines.contains($0.line) }.map {
          ($0.moment, $0.line, $0.level == Self.active(output))
        })
    }
  }
}

/// What was done to the lines of one output.
struct OutputHistory {
  let lines: [Int]
  let changes: [(moment: Moment, line: Int, isActive: Bool)]

  /// How many of its lines are active.
  func activeCount(at moment: Moment) -> Int {
    lines.count { line in changes.last { $0.line == line && $0.moment <= moment }?.isActive ?? false }
  }

  /// How often a line went from active to inactive or back.
  func changeCount(from: Moment, to: Moment) -> Int {
    lines.map { line in
      var isActive = false
      var count = 0
      for change in changes where change.line == line {
        if change.isActive != isActive, change.moment >= from, change.moment < to { count += 1 }
        isActive = change.isActive
      }
      return count
    }.reduce(0, +)
  }
}
