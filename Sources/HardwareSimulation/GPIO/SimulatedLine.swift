import CycleCore
import HardwareDrivers

/// The electrical level of a line: high or low voltage.
public enum Level: UInt8, Sendable {
  case low = 0
  case high = 1

  var inverted: Level { self == .low ? .high : .low }
}

/// One line of a simulated chip, seen from the circuit outside.
///
/// The program's side of the line is a ``HardwareDrivers/LineRequest``; this is the world's side. The strongest source
/// decides the level of the line, in this order: the program's own output, a low from outside, a high from outside, a
/// resistor to ground, a resistor to the supply, the chip's pull-down, its pull-up. "Outside" is the world, or a line
/// on the other side of a closed contact. A line without any of these sources is low.
public final class SimulatedLine {
  public let name: LineName
  public let offset: Int
  let bench: Bench
  /// The chip; nil after it was deallocated.
  @exclusivity(unchecked) private(set) unowned var chip: SimulatedChip?

  /// The level to which the world drives the line; nil if it doesn't.
  @exclusivity(unchecked) private(set) var driven: Level?
  /// The level to which a resistor pulls the line; nil without one.
  @exclusivity(unchecked) private var pulled: Level?
  /// The level of the program's output, and its drive; nil for an input, and for a line that no program holds unless
  /// the chip keeps released outputs.
  @exclusivity(unchecked) private var output: (level: Level, drive: Drive)?
  @exclusivity(unchecked) package private(set) var bias = Bias.asIs
  /// Closed contacts to other lines.
  @exclusivity(unchecked) var wires: [Wire] = []
  /// The last search through wires that has reached this line: ``Bench/beginVisit()``.
  @exclusivity(unchecked) var visit = 0
  /// Whether a glitch inverts the level now.
  @exclusivity(unchecked) private var isDisturbed = false
  private var glitches = 0
  @exclusivity(unchecked) private var shortCircuit: Int?

  /// The consumer that holds the line; nil if it is free.
  public private(set) var consumer: String?
  /// Whether the application holds the line, not another program.
  package private(set) var isOurs = false
  /// Whether the program has configured it as active low.
  package private(set) var isActiveLow = false
  /// Each change of the level with its moment, the newest last; the first entry is the low level at the beginning.
  public var changes: [(moment: Moment, level: Level)] { changeLog.entries }
  /// The number of the oldest entries that were dropped from ``changes``, which keeps at least the newest 4 096.
  public var forgottenChanges: Int { changeLog.forgottenCount }
  @exclusivity(unchecked) private var changeLog: RecentEntries<(moment: Moment, level: Level)>
  @exclusivity(unchecked) private(set) var listeners = Listeners<(Level, Moment) -> Void>()

  init(name: LineName, offset: Int, chip: SimulatedChip, at moment: Moment) {
    self.name = name
    self.offset = offset
    self.chip = chip
    bench = chip.bench
    changeLog = RecentEntries([(moment, .low)])
  }

  deinit {
    for wire in wires { wire.other.wires.removeAll { $0.contact == wire.contact } }
  }

  func forgetChip() { chip = nil }

  /// The current level.
  public var level: Level { changes.last!.level }
  /// Whether the program has configured it as an output.
  package var isOutput: Bool { output != nil }
  /// Whether the line is active: high, or low if it is active low.
  package var isActive: Bool { (level == .high) != isActiveLow }
  /// Whether the world drives it, or a closed contact connects it with another line.
  package var isConnected: Bool { driven != nil || !wires.isEmpty }

  // MARK: - The world's side

  /// Drives the line from outside; nil stops driving it. A level opposite to that of the program's output makes a short
  /// circuit: the line keeps the program's level, and ``SimulatedChip/shortCircuits`` records it.
  public func drive(_ level: Level?) {
    driven = level
    resolve()
  }

  /// Connects a resistor from the line to the supply (high) or to ground (low); nil removes it. It is stronger than the
  /// pull resistors in the chip, and weaker than everything that drives the line.
  public func pull(_ level: Level?) {
    pulled = level
    resolve()
  }

  /// Calls `listener` at each change of the level, after the program's request has received it.
  ///
  /// - Parameters:
  ///   - owner: the object that the listener is called for, and that it must not retain. The listener ends with it. Nil
  ///     for one that lives as long as the line.
  ///   - listener: receives the level and the moment of the change.
  public func onChange(for owner: AnyObject? = nil, _ listener: @escaping (Level, Moment) -> Void) {
    listeners.add(listener, for: owner)
  }

  /// Lets another program request the line, with that consumer name; nil releases it.
  ///
  /// - Returns: false, and nothing changes, if the application holds the line: the kernel would refuse the request.
  @discardableResult
  public func hold(by other: String?) -> Bool {
    if isOurs { return false }
    consumer = other
    return true
  }

  /// Inverts the level for `width`, like noise, unless the program drives the line.
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

  /// Repeats ``glitch(width:)`` until ``Noise/end()`` of the result. The time from the start of one glitch to the next
  /// is random, 0.5 to 1.5 times `every`.
  @discardableResult
  public func glitch(width: Duration, every: Duration) -> Noise {
    let noise = Noise(self, bench, width: width, every: every)
    noise.plan()
    return noise
  }

  /// Whether the line's interrupt is on; without it the kernel sees no edges. See ``loseInterrupt()``.
  @exclusivity(unchecked) private(set) var hasInterrupt = true

  /// Switches the line's interrupt off, as the kernel does in a storm of edges. Until a program requests the line
  /// again, no edges are queued, and a value that the kernel debounces doesn't change.
  public func loseInterrupt() { hasInterrupt = false }

  // MARK: - The program's side

  /// Records that a program holds the line, and configures it. The caller then calls ``resolve()``, after doing this
  /// for all lines of the request.
  func take(_ configuration: LineConfiguration, consumer: String, isOurs: Bool) {
    self.consumer = consumer
    self.isOurs = isOurs
    hasInterrupt = true
    configure(configuration)
  }

  /// Applies direction, bias, drive and polarity. The caller then calls ``resolve()``, after doing this for all lines
  /// of the request.
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

  /// Sets the level of an output; does nothing for an input. The caller then calls ``resolve()``, after doing this for
  /// all lines of the write.
  ///
  /// - Returns: whether the level has changed.
  func set(_ level: Level) -> Bool {
    guard let old = output, old.level != level else { return false }
    output = (level, old.drive)
    return true
  }

  /// Records that no program holds the line any more. With `keepingOutput` the chip continues to drive an output, as on
  /// Raspberry Pi OS; without it the line falls back to its pull resistor.
  func release(keepingOutput: Bool) {
    consumer = nil
    isOurs = false
    if !keepingOutput {
      output = nil
      resolve()
    }
  }

  // MARK: - Levels

  /// The level that the program's output drives the line to; nil for an input, an open drain at high and an open source
  /// at low.
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
    let low = strongest(.low)
    return low == .driven || low <= strongest(.high) ? .low : .high
  }

  /// The strength of the strongest source on this line itself for a level.
  func strength(of level: Level) -> Strength {
    if forced == level || driven == level { return .driven }
    if pulled == level { return .pulled }
    return bias == (level == .low ? .pullDown : .pullUp) ? .biased : .none
  }

  /// Computes the levels of this line, and of all lines that closed contacts connect to it, from their sources.
  func resolve() {
    if wires.isEmpty { return settle() }
    for line in connected { line.settle() }
  }

  private func settle() {
    recordShortCircuit()
    let level = resolved
    guard level != self.level else { return }
    let now = bench.now
    changeLog.append((now, level))
    // The program's side first: a listener may change lines, and those edges must be queued after this one.
    chip?.lineChanged(self, to: level, at: now)
    for listener in listeners.all { listener(level, now) }
  }

  private func recordShortCircuit() {
    let isShorted = forced.map { strongest($0.inverted) == .driven } ?? false
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

  /// Ends the glitches.
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
