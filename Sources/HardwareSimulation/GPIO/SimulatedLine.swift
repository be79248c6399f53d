import CycleCore
import HardwareDrivers

/// The electrical level of a line: high or low voltage.
public enum Level: UInt8, Sendable {
  case low = 0
  case high = 1

  var inverted: Level { self == .low ? .high : .low }
}

/// One line of a simulated chip, seen from outside: what is soldered to it.
///
/// The program's side of the line is a ``LineRequest``; this is the world's. What drives a line decides its level, the
/// strongest first: the program's own output, a low from elsewhere (the world, or a line behind a closed contact), a
/// high from elsewhere, a resistor to ground or to the supply, the chip's pull-down, its pull-up. A line that nothing
/// drives or pulls is low.
public final class SimulatedLine {
  public let name: LineName
  public let offset: Int
  private let bench: Bench
  @exclusivity(unchecked) private(set) weak var chip: SimulatedChip?

  /// What the world drives the line to; nil where nothing does.
  @exclusivity(unchecked) private(set) var driven: Level?
  /// Where a resistor pulls the line; nil without one.
  @exclusivity(unchecked) private var pulled: Level?
  /// What the program drives the line to, and how; nil for an input or a line that nobody holds.
  @exclusivity(unchecked) private var output: (level: Level, drive: Drive)?
  @exclusivity(unchecked) package private(set) var bias = Bias.asIs
  /// Closed contacts to other lines.
  @exclusivity(unchecked) var wires: [Wire] = []
  /// Noise shows the opposite level.
  @exclusivity(unchecked) private var isDisturbed = false
  private var glitches = 0
  @exclusivity(unchecked) private var shortCircuit: Int?

  /// Who holds the line; nil if nobody does.
  public private(set) var consumer: String?
  /// Whether the application holds the line, not another program.
  package private(set) var isOurs = false
  /// Whether the program has it as an active-low line.
  package private(set) var isActiveLow = false
  /// The level since the beginning: each change with its moment, the newest last.
  @exclusivity(unchecked) public private(set) var changes: [(moment: Moment, level: Level)]
  /// How many of the oldest changes ``changes`` has forgotten: it keeps 4 096.
  public private(set) var forgottenChanges = 0
  @exclusivity(unchecked) private var listeners: [(Level, Moment) -> Void] = []

  init(name: LineName, offset: Int, chip: SimulatedChip, at moment: Moment) {
    self.name = name
    self.offset = offset
    self.chip = chip
    bench = chip.bench
    changes = [(moment, .low)]
  }

  /// The level now.
  public var level: Level { changes.last!.level }
  /// Whether the program has it as an output.
  package var isOutput: Bool { output != nil }
  /// Whether the line has its active level.
  package var isLit: Bool { (level == .high) != isActiveLow }
  /// Whether something of the world's drives it, or a closed contact connects it with another line.
  package var isConnected: Bool { driven != nil || !wires.isEmpty }

  // MARK: - The world's side

  /// Drives the line from outside; nil lets go. Against an output of the program's this is a short circuit: the
  /// program's level stays, and ``SimulatedChip/shortCircuits`` has it.
  public func drive(_ level: Level?) {
    driven = level
    resolve()
  }

  /// Solders a resistor from the line to the supply or to ground; nil takes it off. It is stronger than those inside
  /// the chip, and weaker than everything that drives the line.
  public func pull(_ level: Level?) {
    pulled = level
    resolve()
  }

  /// Has something of the world's follow the line.
  public func onChange(_ listener: @escaping (Level, Moment) -> Void) {
    listeners.append(listener)
  }

  /// Another program requests the line, or gives it back with nil.
  ///
  /// - Returns: false, with nothing changed, where the application holds the line: the kernel refuses it to the other.
  @discardableResult
  public func hold(by other: String?) -> Bool {
    if isOurs { return false }
    consumer = other
    return true
  }

  /// Noise inverts the line's level for so long, unless the program drives it.
  public func glitch(width: Duration) {
    glitches += 1
    let glitch = glitches
    isDisturbed = true
    resolve()
    bench.plan(at: bench.now + width) { [weak self] in
      guard let self, self.glitches == glitch else { return }
      self.isDisturbed = false
      self.resolve()
    }
  }

  /// Noise inverts the line's level for so long, again and again: `every` from one glitch to the next on average, by
  /// the bench's chance between half and one and a half of it. It ends with the result's ``Noise/end()``.
  @discardableResult
  public func glitch(width: Duration, every: Duration) -> Noise {
    let noise = Noise(self, bench, width: width, every: every)
    noise.plan()
    return noise
  }

  /// Whether the kernel hears of the line's edges; see ``loseInterrupt()``.
  @exclusivity(unchecked) private(set) var hasInterrupt = true

  /// The kernel switches the line's interrupt off, as it does in a storm that nobody handles: no further edges, and a value that it debounces
  /// stays as it is, until a program requests the line anew.
  public func loseInterrupt() { hasInterrupt = false }

  // MARK: - The program's side

  /// The program holds the line. ``resolve()`` follows when all lines of the request have been taken.
  func take(_ configuration: LineConfiguration, consumer: String, isOurs: Bool) {
    self.consumer = consumer
    self.isOurs = isOurs
    hasInterrupt = true
    configure(configuration)
  }

  /// ``resolve()`` follows when all lines of the request have been configured.
  func configure(_ configuration: LineConfiguration) {
    isActiveLow = configuration.isActiveLow
    switch configuration.direction {
    case .input(let bias):
      if bias != .asIs { self.bias = bias }
      output = nil
    case .output(let value, let drive, let bias):
      if bias != .asIs { self.bias = bias }
      output = (level(of: value, configuration), drive)
    }
  }

  func level(of value: LineValue, _ configuration: LineConfiguration) -> Level {
    value.isActive != configuration.isActiveLow ? .high : .low
  }

  /// ``resolve()`` follows when all lines of the write have been set.
  func set(_ level: Level) {
    guard let drive = output?.drive else { return }
    output = (level, drive)
  }

  /// The program lets go. As on Raspberry Pi OS the chip keeps driving an output; elsewhere it falls back to its pull.
  func release(keepingOutput: Bool) {
    consumer = nil
    isOurs = false
    if !keepingOutput {
      output = nil
      resolve()
    }
  }

  // MARK: - Levels

  /// The level that the program's output forces on the line; nil for an input and for an output that lets go.
  var forced: Level? {
    guard let output else { return nil }
    switch (output.drive, output.level) {
    case (.pushPull, let level): return level
    case (.openDrain, .low): return .low
    case (.openSource, .high): return .high
    default: return nil
    }
  }

  private var resolved: Level {
    if let forced { return forced }
    let level = undisturbed
    return isDisturbed ? level.inverted : level
  }

  private var undisturbed: Level {
    if isReached(by: .low, { $0.drives(.low) }) { return .low }
    if isReached(by: .high, { $0.drives(.high) }) { return .high }
    if isReached(by: .low, { $0.pulled == .low }) { return .low }
    if isReached(by: .high, { $0.pulled == .high }) { return .high }
    if isReached(by: .low, { $0.bias == .pullDown }) { return .low }
    return isReached(by: .high, { $0.bias == .pullUp }) ? .high : .low
  }

  private func drives(_ level: Level) -> Bool { forced == level || driven == level }

  /// Brings this line, and all that are connected with it, to the levels that follow from what drives them.
  func resolve() {
    if wires.isEmpty { return settle() }
    for line in connected { line.settle() }
  }

  private func settle() {
    recordShortCircuit()
    let level = resolved
    guard level != self.level else { return }
    let now = bench.now
    changes.append((now, level))
    if changes.count > 8192 {
      forgottenChanges += changes.count - 4096
      changes.removeFirst(changes.count - 4096)
    }
    // The program's side first: what a listener does in reply comes after it.
    chip?.lineChanged(self, to: level, at: now)
    for listener in listeners { listener(level, now) }
  }

  private func recordShortCircuit() {
    let isShorted = forced.map { forced in isReached(by: forced.inverted) { $0.drives(forced.inverted) } } ?? false
    guard isShorted != (shortCircuit != nil), let chip else { return }
    if let place = shortCircuit {
      chip.endShortCircuit(place)
      shortCircuit = nil
    } else {
      shortCircuit = chip.beginShortCircuit(ShortCircuit(line: name, level: forced!, start: bench.now))
    }
  }
}

/// Noise on a line, until it ends.
public final class Noise {
  private weak var line: SimulatedLine?
  private let bench: Bench
  private let width: Duration
  private let every: Duration
  private var isOver = false

  init(_ line: SimulatedLine, _ bench: Bench, width: Duration, every: Duration) {
    precondition(every > .zero, "glitches have some time between them")
    self.line = line
    self.bench = bench
    self.width = width
    self.every = every
  }

  /// No further glitch comes.
  public func end() {
    isOver = true
  }

  func plan() {
    let mean = max(1, every.wholeNanoseconds)
    let pause = Int64.random(in: (mean + 1) / 2...mean + mean / 2, using: &bench.random)
    bench.plan(at: bench.now + .nanoseconds(pause)) { [self] in
      if isOver { return }
      line?.glitch(width: width)
      plan()
    }
  }
}
