import CycleCore

/// The electrical level of a line: high or low voltage.
public enum Level: UInt8, Sendable {
  case low = 0
  case high = 1
}

/// One line of a simulated chip, seen from outside: what is soldered to it.
///
/// The program's side of the line is a ``LineRequest``; this is the world's.
public final class SimulatedLine {
  public let name: LineName
  public let offset: Int
  private let bench: Bench
  private weak var chip: SimulatedChip?

  /// What the world drives the line to; nil where nothing does.
  private var driven: Level?
  /// What the program drives the line to, and how; nil for an input or a line that nobody holds.
  private var output: (level: Level, drive: Drive)?
  private var bias = Bias.asIs
  /// Who holds the line; nil if nobody does.
  public private(set) var consumer: String?
  /// The level since the beginning: each change with its moment, the newest last.
  public private(set) var changes: [(moment: Moment, level: Level)]
  /// How many of the oldest changes ``changes`` has forgotten: it keeps 4 096.
  public private(set) var forgottenChanges = 0
  private var listeners: [(Level, Moment) -> Void] = []

  init(name: LineName, offset: Int, chip: SimulatedChip, at moment: Moment) {
    self.name = name
    self.offset = offset
    self.chip = chip
    bench = chip.bench
    changes = [(moment, .low)]
  }

  /// The level now: the program's output if it drives the line, else the world's, else the pull resistor's, else low.
  public var level: Level { changes.last!.level }

  private var resolved: Level {
    if let output {
      switch (output.drive, output.level) {
      case (.pushPull, let level): return level
      case (.openDrain, .low): return .low
      case (.openSource, .high): return .high
      default: break
      }
    }
    if let driven { return driven }
    return bias == .pullUp ? .high : .low
  }

  /// Drives the line from outside; nil lets go.
  public func drive(_ level: Level?) {
    driven = level
    resolve()
  }

  /// Has something of the world's follow the line.
  public func onChange(_ listener: @escaping (Level, Moment) -> Void) {
    listeners.append(listener)
  }

  /// Another program takes the line, or gives it back with nil.
  public func hold(by other: String?) {
    consumer = other
  }

  func take(_ configuration: LineConfiguration, consumer: String) {
    self.consumer = consumer
    switch configuration.direction {
    case .input(let bias):
      if bias != .asIs { self.bias = bias }
      output = nil
    case .output(let value, let drive):
      output = (level(of: value, configuration), drive)
    }
    resolve()
  }

  func level(of value: LineValue, _ configuration: LineConfiguration) -> Level {
    value.isActive != configuration.isActiveLow ? .high : .low
  }

  func set(_ level: Level) {
    guard let drive = output?.drive else { return }
    output = (level, drive)
    resolve()
  }

  /// The program lets go. As on Raspberry Pi OS the chip keeps driving an output; elsewhere it falls back to its pull.
  func release(keepingOutput: Bool) {
    consumer = nil
    if !keepingOutput {
      output = nil
      resolve()
    }
  }

  func resolve() {
    let level = resolved
    guard level != self.level else { return }
    let now = bench.now
    changes.append((now, level))
    if changes.count > 8192 {
      forgottenChanges += changes.count - 4096
      changes.removeFirst(changes.count - 4096)
    }
    for listener in listeners { listener(level, now) }
    chip?.lineChanged(self, to: level, at: now)
  }
}
