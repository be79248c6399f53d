import CycleCore

/// A command of a port expander's driver to its work.
enum ExpanderCommand: Sendable {
  /// The settings of the lines from now on. Commands are numbered from 1; `moment` is when the driver decided it.
  case set(ExpanderPins, number: Int, moment: Moment)
  /// Read the lines: the chip has raised its interrupt at this moment.
  case read(Moment)
  /// Try again immediately: the bus may be back.
  case retry
}

/// The state of a port expander, for its driver.
struct ExpanderState: Equatable, Sendable {
  /// The number of the newest ``ExpanderCommand/set(_:number:moment:)`` that is in effect.
  var done = 0
  /// Why the chip can't be reached; nil if it can, or was not tried yet.
  var error: DriverError?
  /// Whether the chip has all settings, and its lines were read.
  var isReady = false
  /// The number of times that the chip was opened, and the settings that it had then.
  var openings = 0
  var pins = ExpanderPins()
  /// The number of the last reading with news, from 1, and its levels.
  var reading = 0
  var levels: LineValues = []
}

/// A reading of a port expander, for its driver.
struct ExpanderReport: Sendable {
  var number: Int
  var reading: ExpanderReading
  /// The moment of the interrupt, which ``ExpanderReading/stored`` belongs to; nil without one.
  var interrupt: Moment?
}

/// Sets up, writes and reads a port expander, one command per step.
struct ExpanderWork: Work {
  typealias Command = ExpanderCommand
  typealias Report = ExpanderReport

  private let registers: any ExpanderRegisters
  private let chip: I2CDevice
  private let settings: I2CExpander.Settings
  private let hasInterrupt: Bool
  private(set) var state = ExpanderState()
  private var pins = ExpanderPins()
  /// The settings that are not in effect yet, the oldest first. The driver limits their number.
  private var queue: [(pins: ExpanderPins, number: Int, moment: Moment)] = []
  /// The moment of an interrupt for which the lines were not read yet.
  private var interrupt: Moment?
  /// The moment at which the driver decided its last write, and when it was done; nil for none.
  private var written: (decided: Moment, done: Moment)?
  /// The shortest time that a write has taken: the next one takes effect that long after its begin, or later.
  private var shortestWrite = Duration.milliseconds(1)
  private var nextPoll = Moment.distantFuture
  private var nextCheck = Moment.distantFuture
  private var recovery = Recovery(in: .opening)

  /// The longest pause between two writes that is kept on the bus, except for the tenth by which late writes catch up.
  private static let longestPause = Duration.milliseconds(20)

  /// - Parameter before: the state of an earlier work for the same chip. If the chip still has its settings, it stays
  ///   as it is, and levels that have changed since are news.
  init(
    _ registers: any ExpanderRegisters, _ chip: I2CDevice, _ settings: I2CExpander.Settings, hasInterrupt: Bool,
    continuing before: ExpanderState
  ) {
    (pins, state.done, state.reading, state.levels) = (before.pins, before.done, before.reading, before.levels)
    self.registers = registers
    self.chip = chip
    self.settings = settings
    self.hasInterrupt = hasInterrupt
  }

  mutating func step(in context: WorkContext<Self>) -> WorkWait {
    receive(from: context)
    guard state.isReady else { return open(in: context) }
    if let moment = interrupt {
      interrupt = nil
      attempt(in: context) { work, context throws(DriverError) in try work.read(in: context, interrupt: moment) }
    } else if let due = nextWrite {
      guard due <= context.now else { return .until(due) }
      write(in: context)
    } else {
      return look(in: context)
    }
    return .until(context.now)
  }

  private mutating func receive(from context: WorkContext<Self>) {
    while let command = context.receive() {
      switch command {
      case .set(let pins, let number, let moment): queue.append((pins, number, moment))
      case .read(let moment): interrupt = interrupt ?? moment
      case .retry: recovery.note(.announce, at: context.now)
      }
    }
  }

  /// Writes the newest settings, without the pauses of those before.
  mutating func finish(in context: WorkContext<Self>) -> Moment? {
    receive(from: context)
    guard state.isReady, let newest = queue.last else { return nil }
    queue = [newest]
    write(in: context)
    return nil
  }

  mutating func close(in context: WorkContext<Self>) { chip.close() }

  // MARK: - The chip comes and goes

  /// Opens the chip. If it still has its settings, only the bus was away, and the outputs stay as they are until their
  /// devices request them again. If not, all lines become inputs: the levels from before the loss may be wrong by now.
  private mutating func open(in context: WorkContext<Self>) -> WorkWait {
    if let newest = queue.last { state.done = newest.number }
    queue = []
    interrupt = nil
    if recovery.isWaiting(at: context.now) { return WorkWait(until: recovery.due) }
    do throws(DriverError) {
      if let levels = try registers.readOutputs(pins, on: chip, context.clock) {
        pins.levels = levels
        try becomeReady(in: context)
      } else {
        pins = ExpanderPins()
        try setUp(in: context)
      }
      state.openings += 1
      state.pins = pins
    } catch {
      lose(error, in: context)
      return WorkWait(until: recovery.due)
    }
    return .until(context.now)
  }

  private mutating func setUp(in context: WorkContext<Self>) throws(DriverError) {
    try registers.setUp(pins, on: chip, context.clock)
    try becomeReady(in: context)
  }

  private mutating func becomeReady(in context: WorkContext<Self>) throws(DriverError) {
    try read(in: context, interrupt: nil)
    planCheck(in: context)
    state.isReady = true
    state.error = nil
    recovery.note(.succeed, at: context.now)
  }

  /// Does something with the chip. If it fails, the chip is set up again immediately: a disturbance of the bus is over
  /// by then. If this fails, too, the chip is lost.
  private mutating func attempt(
    in context: WorkContext<Self>, _ body: (inout Self, WorkContext<Self>) throws(DriverError) -> Void
  ) {
    do throws(DriverError) {
      do throws(DriverError) {
        try body(&self, context)
      } catch {
        guard error.kind == .failed else { throw error }
        try setUp(in: context)
      }
    } catch {
      lose(error, in: context)
    }
  }

  private mutating func lose(_ error: DriverError, in context: WorkContext<Self>) {
    state.error = error
    state.isReady = false
    written = nil
    recovery.note(.lose, at: context.now)
  }

  // MARK: - Writing

  /// The earliest moment for the next write; nil if there is none.
  private var nextWrite: Moment? {
    guard let next = queue.first else { return nil }
    guard let written else { return .zero }
    let pause = min(next.moment - written.decided, Self.longestPause)
    // Writes that are late catch up by shorter pauses.
    return written.done + ((queue.count > 1 ? pause * 9 / 10 : pause) - shortestWrite)
  }

  private mutating func write(in context: WorkContext<Self>) {
    let (new, number, moment) = queue.removeFirst()
    let begin = context.now
    let old = pins
    pins = new
    var unchanged = old
    unchanged.levels = new.levels
    let areLevels = unchanged == new
    attempt(in: context) { work, context throws(DriverError) in
      if !areLevels {
        try work.setUp(in: context)
      } else if old.levels != new.levels {
        try work.registers.writeLevels(new, on: work.chip, context.clock)
        work.shortestWrite = min(work.shortestWrite, context.now - begin)
      }
    }
    state.done = number
    written = (moment, context.now)
  }

  // MARK: - Reading

  /// Reads or checks the chip when that is due.
  private mutating func look(in context: WorkContext<Self>) -> WorkWait {
    if nextCheck <= context.now {
      attempt(in: context) { work, context throws(DriverError) in try work.check(in: context) }
    } else if nextPoll <= context.now {
      attempt(in: context) { work, context throws(DriverError) in try work.read(in: context, interrupt: nil) }
    }
    guard state.isReady else { return WorkWait(until: recovery.due) }
    let next = min(nextPoll, nextCheck)
    return next == .distantFuture ? .forCommand : .until(next)
  }

  private mutating func read(in context: WorkContext<Self>, interrupt: Moment?) throws(DriverError) {
    let reading = try registers.read(on: chip, context.clock)
    // A reading that is no news doesn't wake the driver.
    if interrupt != nil || reading.levels != state.levels || !reading.changed.isEmpty {
      let report = ExpanderReport(number: state.reading + 1, reading: reading, interrupt: interrupt)
      // A report that is dropped, because the panel is late, is news again at the next reading.
      if context.report(report) { (state.reading, state.levels) = (report.number, reading.levels) }
    }
    nextPoll = hasInterrupt || pins.watched.isEmpty ? .distantFuture : context.now + settings.poll
  }

  private mutating func planCheck(in context: WorkContext<Self>) {
    nextCheck = settings.check.map { context.now.next(multipleOf: $0) } ?? .distantFuture
  }

  /// Checks whether the chip still has its settings, and reads it in case an interrupt was missed.
  private mutating func check(in context: WorkContext<Self>) throws(DriverError) {
    guard let levels = try registers.readOutputs(pins, on: chip, context.clock) else {
      throw DriverError(
        .lost, of: "\(chip.address)", cannot: "use the \(registers.kind) \(chip.address)",
        reason: "it has lost its settings: its power was cut", remedy: "It is set up again. Check its supply.")
    }
    if levels != pins.levels { try registers.writeLevels(pins, on: chip, context.clock) }
    try read(in: context, interrupt: nil)
    planCheck(in: context)
  }
}
