import CycleCore
import Glibc
import HardwareDrivers
import HardwareSimulation
import TestSupport

/// What drivers do to the kernel's lines: every level that one is set to, with its moment, from the tracepoint
/// `gpio_value`.
///
/// **Source.** Kernel documentation, `trace/events`.
final class LineTrace {
  struct Change {
    let moment: Moment
    let line: Int
    let level: Level
  }

  private static let folder = "/sys/kernel/debug/tracing"
  /// The numbers that the kernel gives the chip's lines.
  private let numbers: Range<Int>

  /// Forgets what was traced before, and traces.
  ///
  /// - Parameters:
  ///   - label: the label of the chip.
  ///   - lineCount: the number of its lines.
  init(of label: String = SimulatorChip.label, lineCount: Int = SimulatorChip.lineCount) throws {
    let chips = "/sys/class/gpio"
    guard
      let chip = names(in: chips).first(where: {
        $0.hasPrefix("gpiochip") && (try? KernelFiles.read("\(chips)/\($0)/label")) == label
      }), let base = Int(try KernelFiles.read("\(chips)/\(chip)/base"))
    else { throw StandFailure("the simulator's chip \(label) isn't in \(chips)") }
    numbers = base..<base + lineCount
    try KernelFiles.write("mono", to: "\(Self.folder)/trace_clock")
    try KernelFiles.write("1", to: "\(Self.folder)/events/gpio/gpio_value/enable")
    try forget()
  }

  func forget() throws { try KernelFiles.empty("\(Self.folder)/trace") }

  /// The levels that were set since the trace began, in their order. A line of it: `panel-70 [000] ..... 12.345678:
  /// gpio_value: 519 set 1`.
  func changes() throws -> [Change] {
    let text = String(decoding: bytes(of: "\(Self.folder)/trace") ?? [], as: UTF8.self)
    return text.split(separator: "\n").compactMap { line -> Change? in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "gpio_value:"), place > 0, words.count == place + 4,
        words[place + 2] == "set", let number = Int(words[place + 1]), numbers.contains(number),
        let seconds = Double(words[place - 1].dropLast())
      else { return nil }
      return Change(
        moment: Moment(nanoseconds: Int64(seconds * 1_000_000_000)), line: number - numbers.lowerBound,
        level: words[place + 3] == "1" ? .high : .low)
    }
  }
}
