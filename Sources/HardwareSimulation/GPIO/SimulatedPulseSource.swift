import CycleCore
import HardwareDrivers

/// A part that pulls a line low once per pulse: a flow meter, an anemometer, the tachometer of a fan.
///
///     let meter = SimulatedPulseSource(bench, line: chip.line("GPIO24"))
///     meter.hertz = 30
public final class SimulatedPulseSource {
  /// The greatest frequency: 10 kHz.
  public static let fastest = 10_000.0

  private let bench: Bench
  private let line: SimulatedLine
  private let pulse: Level
  private let rest: Level
  /// The number of changes of the frequency: planned edges of an earlier one are dropped.
  private var changes = 0
  private var isInPulse = false
  /// The pulses that ``send(_:width:)`` has still to send.
  private var owed = 0
  /// Their length, and the time between two of them.
  private var width = Duration.milliseconds(1)
  /// The number of pulses of ``send(_:width:)`` that have not begun.
  public var pendingPulses: Int { owed }
  /// The number of pulses that have begun.
  public private(set) var count = 0

  /// The pulses per second from now on, 0 to ``fastest``; the line is at the pulse's level for half of the time.
  public var hertz = 0.0 {
    didSet {
      guard hertz != oldValue else { return }
      begin()
    }
  }

  /// - Parameters:
  ///   - bench: the bench.
  ///   - line: the line that the part is at.
  ///   - pulse: the level of a pulse.
  public init(_ bench: Bench, line: SimulatedLine, pulse: Level = .low) {
    self.bench = bench
    self.line = line
    self.pulse = pulse
    rest = pulse == .low ? .high : .low
    line.drive(rest)
  }

  /// Sends pulses while ``hertz`` is 0.
  ///
  /// - Parameters:
  ///   - pulses: the number of pulses, added to those that are not sent yet.
  ///   - width: the length of each pulse, and the time between two of them; at least 1 µs.
  public func send(_ pulses: Int, width: Duration = .milliseconds(1)) {
    owed += pulses
    self.width = max(.microseconds(1), width)
    if hertz == 0, !isInPulse { begin() }
  }

  private var half: Duration? {
    if hertz > 0 { return .nanoseconds(Int64(5e8 / min(hertz, Self.fastest))) }
    return owed > 0 || isInPulse ? width : nil
  }

  private func begin() {
    changes += 1
    plan(change: changes)
  }

  private func plan(change: Int) {
    guard let half else { return }
    bench.plan(at: bench.now + half) { [weak self] in
      guard let self, changes == change else { return }
      isInPulse.toggle()
      if isInPulse {
        count += 1
        if hertz == 0 { owed -= 1 }
      }
      line.drive(isInPulse ? pulse : rest)
      plan(change: change)
    }
  }
}
